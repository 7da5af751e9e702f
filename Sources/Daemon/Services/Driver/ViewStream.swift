internal import Dates
internal import Engine
internal import Messages
internal import Posts
internal import RPC
internal import ViewState

/// The stream of one open view: takes its frames from the engine when its call can carry them.
///
/// The driver keeps it while the view is open, and its call's callbacks do; the call lets go of those when it ends.
final class ViewStream {
  let id: ViewID
  /// Whether the engine has announced something that was not taken yet.
  private var isWoken = false
  private let call: ServerCall
  private let driver: EngineDriver
  private let session: SessionKey
  /// What the call had sent when that was last noted.
  private var notedBytes = 0
  /// What the client has said and the engine has not heard; nil where nothing waits.
  var unheard: ClientWords?
  private let limits: Welcome.Limits
  private let locale: Locale

  init(id: ViewID, session: SessionKey, locale: Locale, call: ServerCall, driver: EngineDriver, limits: Welcome.Limits)
  {
    self.locale = locale
    self.id = id
    self.session = session
    self.call = call
    self.driver = driver
    self.limits = limits
  }

  /// Sends frames from now on.
  func begin() {
    // There may be ten thousand of these, and who calls is known.
    call.forgetMetadata()
    call.onReadyToSend = { [self] _ in next() }
  }

  /// There is something to send.
  func frameIsReady() {
    isWoken = true
    call.wake()
  }

  /// The view is over.
  func finish(_ error: EngineError) { call.finish(Status(error)) }

  /// The view is over, because its client takes nothing.
  func giveUp(_ error: EngineError) { call.giveUp(Status(error)) }

  /// Whose view it is.
  var account: AccountID { session.account }

  /// Which connection it is on.
  var connection: ObjectIdentifier { call.connectionIdentity }

  /// Notes how many bytes of frames the client's window has taken so far. True if it was more than when that was last
  /// noted.
  @discardableResult
  func noteSentBytes() -> Bool {
    defer { notedBytes = call.sentBytes }
    return call.sentBytes > notedBytes
  }

  private func next() -> Pull {
    // A call asks again after each message; the engine need not be asked for what it has not announced.
    guard isWoken else { return .wait }
    isWoken = false
    guard var frame = driver.nextFrame(of: id) else { return .wait }
    if frame.number == 1 {
      frame.welcome = Welcome(
        viewID: id.rawValue, session: session.name, daemonVersion: Release.version, limits: limits,
        locale: locale.tag)
    }
    return .message(frame.encoded())
  }
}

internal import Dates
internal import Engine
internal import Messages
internal import Posts
internal import RPC
internal import ViewState

/// The stream of one open view. Pulls frames from the engine when its call can carry them.
///
/// The driver retains it while the view is open, and so do its call's callbacks, which the call releases when it ends.
final class ViewStream {
  let id: ViewID
  /// True if its client may only look.
  let onlyLooks: Bool
  /// True if the engine has announced a frame that has not been pulled yet.
  private var isWoken = false
  private let call: ServerCall
  private let driver: EngineDriver
  private let session: SessionKey
  /// The call's sent bytes when they were last noted.
  private var notedBytes = 0
  /// The view's place in the queue for the engine.
  let lane: InputQueue.Lane
  /// True once the engine has opened the view.
  var isKnown = false
  /// Client updates that the engine has not handled yet; nil if there are none.
  var pendingUpdates: ClientUpdates?
  private let limits: Welcome.Limits
  private let locale: Locale

  init(
    id: ViewID, session: SessionKey, onlyLooks: Bool, locale: Locale, call: ServerCall, driver: EngineDriver,
    limits: Welcome.Limits
  ) {
    self.locale = locale
    self.id = id
    self.session = session
    self.onlyLooks = onlyLooks
    self.call = call
    self.driver = driver
    self.limits = limits
    lane = driver.joinQueue(Origin(account: session.account, connection: call.connectionIdentity))
  }

  /// Starts sending frames.
  func begin() {
    call.onReadyToSend = { [self] _ in next() }
  }

  /// The engine has a frame to send.
  func frameIsReady() {
    isWoken = true
    call.wake()
  }

  /// Ends the view.
  func finish(_ error: EngineError) { call.finish(Status(error)) }

  /// Ends the view because its client reads nothing.
  func giveUp(_ error: EngineError) { call.giveUp(Status(error)) }

  /// The view's account; nil if its client is not signed in.
  var account: AccountID? { session.account }

  /// Notes how many bytes of frames the client's window has taken so far. Returns true if that has grown since it was
  /// last noted.
  @discardableResult
  func noteSentBytes() -> Bool {
    defer { notedBytes = call.sentBytes }
    return call.sentBytes > notedBytes
  }

  private func next() -> Pull {
    // A call pulls again after each message; the engine is asked only for frames that it has announced.
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

internal import ClientCore
internal import Messages
internal import ViewState

/// The connection to the daemon: the view's stream, calls without an answer, and effects in order.
struct Connection {
  /// The phases of a view.
  enum Phase: Equatable {
    /// No view is open.
    case detached
    /// A view is being opened.
    case opening
    /// A view with this number receives frames.
    case open(UInt64)
  }

  private(set) var phase = Phase.detached
  /// The session's name; empty for main.
  private(set) var session: String
  /// The time at which the daemon was lost; nil while connected.
  private(set) var offlineSince: Int64?
  /// The pauses between attempts to connect, and what is said of them.
  private var reconnection = Reconnection(pauses: 50...5_000)
  /// True if the mirror does not match the daemon's frames. It can still be shown, but not resumed.
  private var isDiverged = false
  private var lastFrame: UInt64 = 0
  private var acknowledged: UInt64 = 0
  private var layoutGeneration: UInt32 = 1
  /// The size last sent to the daemon.
  private var sentSize = (columns: 0, lines: 0)
  private let requestPrefix: String
  private var lastRequest: UInt64 = 0
  /// The number of the last call; 0 for none.
  private(set) var lastCall: UInt64 = 0
  private var calls: [UInt64: CallPurpose] = [:]
  private var effects: [AppEffect] = []

  /// Starts without a connection, for a session to show later. `requestPrefix` begins every request id.
  init(session: String, requestPrefix: String) {
    self.session = session
    self.requestPrefix = requestPrefix
  }

  // MARK: Effects

  /// Asks for an effect.
  mutating func want(_ effect: AppEffect) { effects.append(effect) }

  /// Returns and clears the effects asked for.
  mutating func takeEffects() -> [AppEffect] {
    defer { effects = [] }
    return effects
  }

  // MARK: The view

  /// The number of the open view; nil for none.
  var viewID: UInt64? { if case .open(let id) = phase { id } else { nil } }

  /// True if a view is open.
  var isOpen: Bool { viewID != nil }

  /// True if a new view may resume from the mirror.
  var mayResume: Bool { !isDiverged }

  /// Records that a view is being opened for a screen of this size.
  mutating func open(columns: Int, lines: Int) {
    phase = .opening
    lastFrame = 0
    acknowledged = 0
    layoutGeneration = 1
    sentSize = (columns, lines)
  }

  /// Records that a frame was applied to the mirror.
  mutating func applied(_ frame: Frame) {
    isDiverged = false
    lastFrame = frame.number
  }

  /// Records that a frame did not match the mirror. A view that starts from nothing repairs that.
  mutating func markDiverged() { isDiverged = true }

  /// Records that the view is open. Returns true if the daemon had been away, and the notice to show.
  mutating func welcomed(as viewID: UInt64, at now: Int64) -> (wasAway: Bool, notice: String?) {
    defer { offlineSince = nil }
    phase = .open(viewID)
    return (offlineSince != nil, reconnection.connected("Reconnected.", at: now))
  }

  /// Records that the view has ended.
  mutating func detach() { phase = .detached }

  /// Records that the daemon was lost. Returns the time since when.
  mutating func lost(at now: Int64) -> Int64 {
    detach()
    let since = offlineSince ?? now
    offlineSince = since
    return since
  }

  /// Asks to connect after a pause that grows with each attempt. Returns the notice to show.
  ///
  /// - Parameter isNews: true if a view was open.
  mutating func reconnect(at now: Int64, isNews: Bool) -> String? {
    let loss = reconnection.lost(isNews ? "Connection to the daemon lost; reconnecting." : nil, at: now)
    want(.connect(after: loss.pause))
    return loss.notice
  }

  /// The pause before the attempt after the next, in milliseconds.
  var pause: Int64 { reconnection.pause }

  /// Switches to another session.
  mutating func enter(_ name: String) { session = name }

  /// Acknowledges the newest frame that has been shown.
  mutating func acknowledge() {
    guard phase != .detached, lastFrame > acknowledged else { return }
    acknowledged = lastFrame
    want(.send(.ack(lastFrame)))
  }

  /// True if the snapshot was laid out for the size last sent. Until then its lines mean nothing.
  func isLaidOut(_ snapshot: ViewSnapshot) -> Bool { isOpen && snapshot.layoutGeneration == layoutGeneration }

  /// Sends the size to the daemon, one at a time: of many quick changes only the first and the last are sent.
  mutating func sendLayout(_ layout: LayoutParameters, columns: Int, lines: Int, showing snapshot: ViewSnapshot) {
    guard sentSize != (columns, lines), isLaidOut(snapshot) else { return }
    sentSize = (columns, lines)
    layoutGeneration += 1
    want(.send(.layout(layout)))
  }

  // MARK: Calls

  /// Returns a new request id. A request with the same id is carried out only once.
  mutating func requestID() -> String {
    lastRequest += 1
    return "\(requestPrefix)-\(lastRequest)"
  }

  /// Returns the head of a command with an id of its own, so that it is carried out once even if sent again.
  mutating func command() -> SessionCommand {
    var command = SessionCommand()
    command.session = session
    command.requestID = requestID()
    return command
  }

  /// Makes a call and returns its number.
  @discardableResult
  mutating func call(_ purpose: CallPurpose, _ method: String, _ request: some WireMessage) -> UInt64 {
    lastCall += 1
    calls[lastCall] = purpose
    want(.call(lastCall, method: method, request: request.encoded()))
    return lastCall
  }

  /// Sends a file to the source of a new post and returns the number of the call.
  mutating func upload(_ file: String, _ header: UploadMediaHeader) -> UInt64 {
    lastCall += 1
    calls[lastCall] = .upload
    want(.upload(lastCall, file, header))
    return lastCall
  }

  /// Cancels a call if it sends a file and is unanswered.
  mutating func cancelUpload(_ number: UInt64) {
    guard calls[number] == .upload else { return }
    calls[number] = nil
    want(.cancelUpload)
  }

  /// Removes a call that was answered and returns its purpose; nil if there is no such call.
  mutating func answered(_ number: UInt64) -> CallPurpose? { calls.removeValue(forKey: number) }

  /// True if a call whose answer opens a box is unanswered.
  var isAskingForBox: Bool { calls.values.contains(where: \.opensBox) }
}

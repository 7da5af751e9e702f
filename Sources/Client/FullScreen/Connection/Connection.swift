internal import Messages
internal import ViewState

/// The connection to the daemon: the view's stream, calls that wait for answers, and effects in their order.
struct Connection {
  /// The phases of a view.
  enum Phase: Equatable {
    /// There is none.
    case detached
    /// It is being opened.
    case opening
    /// It shows frames, under this number.
    case open(UInt64)
  }

  /// The first pause before trying again, and the longest.
  private static let backoff: ClosedRange<Int64> = 50...5_000

  private(set) var phase = Phase.detached
  /// Empty for main.
  private(set) var session: String
  /// When the daemon went; nil while there is one.
  private(set) var offlineSince: Int64?
  /// The pause before the next try.
  private(set) var pause = Connection.backoff.lowerBound
  /// The mirror does not fit the daemon's frames, and is good for looking at only.
  private var isParted = false
  private var lastFrame: UInt64 = 0
  private var acknowledged: UInt64 = 0
  private var layoutGeneration: UInt32 = 1
  /// The size that the daemon was last told.
  private var toldSize = (columns: 0, lines: 0)
  private let requestPrefix: String
  private var lastRequest: UInt64 = 0
  private var lastCall: UInt64 = 0
  private var calls: [UInt64: CallPurpose] = [:]
  private var effects: [AppEffect] = []

  /// No connection yet, and a session to be shown when there is one. `requestPrefix` is what ids of requests begin with.
  init(session: String, requestPrefix: String) {
    self.session = session
    self.requestPrefix = requestPrefix
  }

  // MARK: Effects

  /// Wants something done.
  mutating func want(_ effect: AppEffect) { effects.append(effect) }

  /// Takes all that is to be done.
  mutating func takeEffects() -> [AppEffect] {
    defer { effects = [] }
    return effects
  }

  // MARK: The view

  /// The number of the view that is open; nil where there is none.
  var viewID: UInt64? { if case .open(let id) = phase { id } else { nil } }

  /// A view is open.
  var isOpen: Bool { viewID != nil }

  /// A view may go on from what is held.
  var mayResume: Bool { !isParted }

  /// A view is opened for a screen of so many cells.
  mutating func open(columns: Int, lines: Int) {
    phase = .opening
    lastFrame = 0
    acknowledged = 0
    layoutGeneration = 1
    toldSize = (columns, lines)
  }

  /// Notes a frame that fits what is held.
  mutating func applied(_ frame: Frame) {
    isParted = false
    lastFrame = frame.number
  }

  /// Notes that a frame did not; a view that begins from nothing brings the two sides together.
  mutating func part() { isParted = true }

  /// The view is open. True where the daemon had been away.
  mutating func welcomed(as viewID: UInt64) -> Bool {
    defer { offlineSince = nil }
    phase = .open(viewID)
    pause = Self.backoff.lowerBound
    return offlineSince != nil
  }

  /// The view is over.
  mutating func detach() { phase = .detached }

  /// The daemon has gone; since when.
  mutating func lost(at now: Int64) -> Int64 {
    detach()
    let since = offlineSince ?? now
    offlineSince = since
    return since
  }

  /// Tries again, each time after a longer pause.
  mutating func reconnect() {
    want(.connect(after: pause))
    pause = min(pause * 2, Self.backoff.upperBound)
  }

  /// Shows another session from now on.
  mutating func enter(_ name: String) { session = name }

  /// Says which frame has been shown: the newest.
  mutating func acknowledge() {
    guard phase != .detached, lastFrame > acknowledged else { return }
    acknowledged = lastFrame
    want(.send(.ack(lastFrame)))
  }

  /// True where what is shown was laid out as the daemon was last told; until then lines mean nothing.
  func isLaidOut(_ snapshot: ViewSnapshot) -> Bool { isOpen && snapshot.layoutGeneration == layoutGeneration }

  /// Tells the daemon the size, one at a time: of a storm of them the first and the last.
  mutating func tell(_ layout: LayoutParameters, columns: Int, lines: Int, showing snapshot: ViewSnapshot) {
    guard toldSize != (columns, lines), isLaidOut(snapshot) else { return }
    toldSize = (columns, lines)
    layoutGeneration += 1
    want(.send(.layout(layout)))
  }

  // MARK: Calls

  /// A new name for something that is to be done once, however often it is asked for.
  mutating func requestID() -> String {
    lastRequest += 1
    return "\(requestPrefix)-\(lastRequest)"
  }

  /// The head of a command, with an id of its own: sent again, it is done once.
  mutating func command() -> SessionCommand {
    var command = SessionCommand()
    command.session = session
    command.requestID = requestID()
    return command
  }

  /// Makes a call; returns its number.
  @discardableResult
  mutating func call(_ purpose: CallPurpose, _ method: String, _ request: some WireMessage) -> UInt64 {
    lastCall += 1
    calls[lastCall] = purpose
    want(.call(lastCall, method: method, request: request.encoded()))
    return lastCall
  }

  /// Takes the purpose of a call that has its answer now; nil where there is no such call.
  mutating func answered(_ number: UInt64) -> CallPurpose? { calls.removeValue(forKey: number) }

  /// A call for this has no answer yet.
  func isAsking(_ purpose: CallPurpose) -> Bool { calls.values.contains(purpose) }
}

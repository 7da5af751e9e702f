internal import ConnectorSupport
internal import Dates
internal import Posts

/// The status and losses of a login, as reported to the daemon.
struct LoginReport {
  enum Effect {
    case tell(ConnectorStatus)
    /// Writes a line to the daemon's log.
    case log(String)
  }

  /// The time for which the status says that something was lost, in milliseconds.
  private static let lossTime: Int64 = 24 * 3_600_000

  private(set) var status: ConnectorStatus?
  /// What the daemon did not store, or the server did not take, and until when the status says so.
  private var loss: (words: String, until: Instant)?
  private var effects: [Effect] = []

  /// Returns the effects since the last call.
  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  /// Tells a status that is new.
  mutating func tell(_ status: ConnectorStatus) {
    guard status != self.status else { return }
    self.status = status
    effects.append(.tell(status))
  }

  /// The server has to be waited for, until a time if that is known.
  mutating func wait(_ reason: String, until next: Instant? = nil, at now: Instant) {
    let since = status?.state == .waiting ? status?.since : now
    tell(ConnectorStatus(.waiting, since: since, next: next, reason: reason))
  }

  /// The timelines have been read. `next` is nil if a stream brings what is new; `trouble` says why it does not, or is
  /// empty.
  mutating func rest(until next: Instant?, trouble: String, at now: Instant) {
    if let end = loss?.until, end <= now { loss = nil }
    let state = next == nil ? UpstreamStatus.State.live : .polling
    tell(
      ConnectorStatus(
        state, since: status?.state == state ? status?.since : now, next: next, reason: loss?.words ?? trouble))
  }

  /// Says in the log, and for a day in the status, why items are not stored.
  mutating func noteLoss(_ reasons: [String], at now: Instant) {
    guard let reason = reasons.first else { return }
    let count = reasons.count == 1 ? "" : "\(reasons.count) items, the first "
    warn("not stored: \(count)\(reason)", at: now)
  }

  /// Says something in the log, and for a day in the status.
  mutating func warn(_ words: String, at now: Instant) {
    let words = words.shortened
    effects.append(.log(words))
    loss = (words, now.adding(milliseconds: Self.lossTime))
    guard var status, [.live, .polling].contains(status.state) else { return }
    status.reason = words
    tell(status)
  }

  /// Says in the log that a batch was refused.
  mutating func noteRefusal(_ reason: String) { effects.append(.log("the daemon refuses posts: \(reason.shortened)")) }
}

/// Decides how long a client that has lost the daemon waits before it connects again, and what it reports.
///
/// Pauses double with each loss. They begin anew only after a connection that has lasted a minute, so that a daemon
/// that keeps dying is not called ten times a second. No notice is repeated within that minute either; one that is
/// still true afterwards is given then.
public struct Reconnection: Equatable, Sendable {
  /// The time in milliseconds after which a connection counts as stable, and a notice may be given again.
  public static let stableMilliseconds: Int64 = 60_000
  /// The most notices within that time; further ones are not given.
  private static let noticeLimit = 8

  private let pauses: ClosedRange<Int64>
  /// The pause in milliseconds before the next attempt.
  public private(set) var pause: Int64
  /// The time at which the daemon first answered on the current connection; nil without one.
  private var connectedAt: Int64?
  /// The last notice given, and the times of all that were given in the last minute.
  private var lastNotice: String?
  private var notices: [String: Int64] = [:]

  /// Starts with the shortest pause.
  ///
  /// - Parameter pauses: the shortest and the longest, in milliseconds.
  public init(pauses: ClosedRange<Int64>) {
    self.pauses = pauses
    pause = pauses.lowerBound
  }

  /// Records that the daemon answers. Returns the notice to give; nil for none. May be called for each answer.
  ///
  /// - Parameter notice: the notice that a loss which was reported is over.
  public mutating func connected(_ notice: String, at now: Int64) -> String? {
    connectedAt = connectedAt ?? now
    return lastNotice == nil ? nil : give(notice, at: now)
  }

  /// Records that the daemon was lost, or could not be reached. Returns the pause in milliseconds before the next
  /// attempt, and the notice to give; nil for none.
  ///
  /// - Parameters:
  ///   - notice: the reason; nil if it is not to be reported.
  ///   - requested: the least pause, as the daemon asked, at most the longest.
  public mutating func lost(
    _ notice: String?, at now: Int64, atLeast requested: Int64 = 0
  ) -> (pause: Int64, notice: String?) {
    if let connectedAt, now - connectedAt >= Self.stableMilliseconds { pause = pauses.lowerBound }
    connectedAt = nil
    defer { pause = min(pause * 2, pauses.upperBound) }
    return (max(pause, min(requested, pauses.upperBound)), notice.flatMap { give($0, at: now) })
  }

  private mutating func give(_ notice: String, at now: Int64) -> String? {
    notices = notices.filter { now - $0.value < Self.stableMilliseconds }
    guard notice != lastNotice, notices[notice] == nil, notices.count < Self.noticeLimit else { return nil }
    notices[notice] = now
    lastNotice = notice
    return notice
  }
}

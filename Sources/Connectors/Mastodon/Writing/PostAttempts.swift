internal import Dates

/// The post that has been sent, and of which it is not known whether the server has it: at most one, so that of two
/// equal posts each is found once.
struct PostAttempts {
  /// A post whose fate is not known is not sent again before so many milliseconds have passed, in which it may yet
  /// appear.
  static let settling: Int64 = 60_000
  /// A server that knows the key of a request again does so for at least so many milliseconds.
  static let keyLifetime: Int64 = 50 * 60_000
  /// A wish that the daemon has not asked for again in so many milliseconds was withdrawn.
  static let withdrawal: Int64 = 10 * 60_000

  /// What the daemon has to store.
  private(set) var record: WritingRecord
  /// The attempt before the last one of the same wish.
  private var earlier: WritingRecord.Attempt?
  /// When the wish of the attempt was last heard of.
  private var seen: Instant?
  /// The last time at which the request may have been on its way: after a restart when this is first asked.
  private var onWay: Instant?
  /// True if the post was looked for since it was sent, and not found.
  private var isMissing = false

  init(record: WritingRecord) { self.record = record }

  /// Whether a post may be sent.
  enum Permission: Equatable {
    /// It was never sent.
    case granted
    /// It may have been sent; or an equal one, which was not this.
    case afterLooking
    /// It was sent a moment ago, and is not there yet.
    case later
    /// Another post has to be found first.
    case afterAnother
  }

  /// The daemon wants a post again.
  mutating func heard(of wish: String, at now: Instant) {
    guard record.attempt?.wish == wish else { return }
    seen = now
    onWay = onWay ?? now
  }

  /// The request that sends the post has ended, and nobody knows what became of it.
  mutating func isInDoubt(at now: Instant) { (seen, onWay) = (now, now) }

  /// Returns whether the post of a wish may be sent, which the daemon may have told before.
  mutating func permission(for wish: Wish, at now: Instant) -> Permission {
    guard let attempt = record.attempt else { return wish.isAgain ? .afterLooking : .granted }
    if attempt.wish == wish.id { return isMissing && isSettling(attempt, at: now) ? .later : .afterLooking }
    let last = seen ?? now
    seen = last
    if now.milliseconds - last.milliseconds <= Self.withdrawal { return .afterAnother }
    return wish.isAgain ? .afterLooking : .granted
  }

  /// What becomes of a post that is not found.
  enum Verdict: Equatable {
    case send
    case wait
    /// Nobody can tell whether it is there.
    case giveUp
  }

  /// Decides about a post that is not found.
  ///
  /// - Parameters:
  ///   - isAbsent: true if the server would have shown it.
  ///   - keepsKeys: true if the server knows the key of a request again.
  mutating func missing(_ wish: String, isAbsent: Bool, keepsKeys: Bool, at now: Instant) -> Verdict {
    guard let attempt = record.attempt, attempt.wish == wish else {
      // It was never tried, or so long ago that another post has been tried since.
      return isAbsent ? .send : .giveUp
    }
    isMissing = true
    if isSettling(attempt, at: now) { return .wait }
    if isAbsent, keepsKeys, Self.elapsed(attempt.first, now) < Self.keyLifetime { return .send }
    record.attempt = nil
    return .giveUp
  }

  /// A post is going to be sent.
  mutating func begin(_ wish: String, at now: Instant) {
    earlier = record.attempt.flatMap { $0.wish == wish ? $0 : nil }
    record.attempt = WritingRecord.Attempt(wish: wish, first: earlier?.first ?? now, last: now)
    (seen, onWay, isMissing) = (now, now, false)
  }

  /// The post was not made this time.
  mutating func undo() { record.attempt = earlier }

  /// The post is refused.
  mutating func end() { record.attempt = nil }

  /// The post is there.
  mutating func made(_ status: String, by wish: String) { record.add(status, of: wish) }

  private func isSettling(_ attempt: WritingRecord.Attempt, at now: Instant) -> Bool {
    Self.elapsed(max(attempt.last, onWay ?? attempt.last), now) < Self.settling
  }

  /// Returns the milliseconds since `start`. If that is yet to come, since the clock was set back, they are as many as
  /// there can be.
  private static func elapsed(_ start: Instant, _ now: Instant) -> Int64 {
    start > now ? .max : now.milliseconds - start.milliseconds
  }
}

internal import Dates

/// Progress of a view's client, and the time at which the view may be sent something.
///
/// There is no queue: what a view missed is found by comparing states when a frame can be sent. All that is stored is
/// that it may be behind, and since when.
struct ViewPace {
  let id: ViewID
  /// True for Attach, whose client acknowledges frames; false for Watch.
  let acknowledges: Bool
  /// Number of the last frame sent; 0 before the first.
  private(set) var sentFrame: UInt64 = 0
  private(set) var acknowledgedFrame: UInt64 = 0
  /// Revision of the last frame sent.
  private(set) var heldRevision: UInt64 = 0
  /// Instant since which it may be behind; nil while it is not.
  private(set) var behindSince: Instant?
  /// True if the shell has been notified that there is something to send.
  private(set) var isReady = false

  /// Instants at which the last frame and the one before it were sent.
  private var sentAt: Instant?
  private var sentBefore: Instant?
  /// Smoothed time from a frame to its acknowledgement; 0 while unknown.
  private var roundTripMilliseconds: Int64 = 0
  /// Instant at which the client last took or acknowledged something.
  private var progressAt: Instant
  /// The ``blockedSince`` for which the shell was asked to record what the client has taken.
  private var notedFor: Instant?
  /// Number of commits since the last frame that changed what it may show.
  private var missed: UInt32 = 0
  /// True if the next frame answers the view's own command and does not wait.
  private var isUrgent = true
  /// True if the next frame is sent even if only the revision is new.
  private var wantsBookmark = false
  /// Instant of the last alarm set.
  private var alarmAt: Instant?

  /// Creates the pace of a view that opens at `now`.
  init(id: ViewID, acknowledges: Bool, at now: Instant) {
    self.id = id
    self.acknowledges = acknowledges
    progressAt = now
  }

  /// True if everything sent has been acknowledged.
  var hasShownEverything: Bool { acknowledgedFrame == sentFrame }

  /// Returns true if the client can take another frame now.
  func hasRoom(_ limits: EngineLimits) -> Bool {
    !acknowledges || sentFrame - acknowledgedFrame < UInt64(limits.frames.unacknowledged)
  }

  /// Returns true if the client has not received a revision and could take it now.
  func lacksRevision(_ revision: UInt64, _ limits: EngineLimits) -> Bool {
    sentFrame > 0 && heldRevision < revision && !isReady && hasRoom(limits)
  }

  /// Returns the instant at which a frame with nothing but the revision is due.
  func bookmarkDue(at now: Instant, _ limits: EngineLimits) -> Instant {
    sentAt?.adding(milliseconds: limits.frames.bookmarkMilliseconds) ?? now
  }

  /// Returns the instant at which the next frame may be sent; nil for at once. Frames are half a round trip apart, and
  /// far enough apart that the frames of all views together leave processor time for other work.
  func nextLeaving(viewCount: Int, _ limits: EngineLimits) -> Instant? {
    guard !isUrgent, let sentAt else { return nil }
    let forAll = Int64(viewCount) * limits.frames.microseconds * 100 / limits.frames.busyPercent / 1000
    let interval = max(limits.frames.intervalMilliseconds, max(roundTripMilliseconds / 2, forAll))
    return sentAt.adding(milliseconds: min(interval, limits.frames.longestIntervalMilliseconds))
  }

  // MARK: Events

  /// Marks it as behind: it may differ from what its client holds. Returns true if it was not behind before.
  mutating func fallBehind(at now: Instant) -> Bool {
    guard behindSince == nil else { return false }
    behindSince = now
    return true
  }

  /// Counts a commit that changed what it may show.
  mutating func missCommit() { missed += 1 }

  /// Exempts the next frame from pacing.
  mutating func hurry() { isUrgent = true }

  /// Has the next frame sent even if only the revision is new.
  mutating func askForBookmark() { wantsBookmark = true }

  /// Marks it as announced: the shell is notified that there is something to send.
  mutating func becomeReady() { isReady = true }

  /// Records the alarm at which it may be sent something. Returns false if that is set already.
  mutating func setAlarm(at due: Instant) -> Bool {
    guard alarmAt != due else { return false }
    alarmAt = due
    return true
  }

  /// Records that the client has taken something.
  mutating func progress(at now: Instant) { progressAt = now }

  /// Records an acknowledgement. Returns false for a frame that was never sent, or one that is not newer than the last
  /// acknowledged.
  mutating func acknowledge(_ frame: UInt64, at now: Instant) -> Bool {
    guard frame > acknowledgedFrame, frame <= sentFrame else { return false }
    acknowledgedFrame = frame
    progressAt = now
    let sent = frame == sentFrame ? sentAt : frame == sentFrame - 1 ? sentBefore : nil
    if let sent { measure(now.milliseconds - sent.milliseconds) }
    return true
  }

  /// Pacing data of a frame.
  struct Departure {
    /// Number of the frame; nil if there is nothing to send.
    var number: UInt64?
    var ageMilliseconds: UInt32
    var skipped: UInt32
  }

  /// Records that the view takes a frame of `revision`, unless there is nothing to send. `isNews`: the frame's content
  /// is worth sending.
  mutating func depart(_ revision: UInt64, isNews: Bool, at now: Instant) -> Departure {
    let isSent = sentFrame == 0 || isNews || (wantsBookmark && revision > heldRevision)
    var departure = Departure(
      ageMilliseconds: behindSince.map { UInt32(clamping: now.milliseconds - $0.milliseconds) } ?? 0,
      skipped: missed > 1 ? missed - 1 : 0)
    isReady = false
    isUrgent = false
    wantsBookmark = false
    progressAt = now
    behindSince = nil
    missed = 0
    guard isSent else { return departure }
    sentFrame += 1
    sentBefore = sentAt
    sentAt = now
    heldRevision = revision
    departure.number = sentFrame
    return departure
  }

  /// Adjusts recorded instants to a clock that was set back to `now`.
  mutating func clockWentBack(to now: Instant) {
    // Frames sent in the future delay no others and give no round trip.
    sentAt = sentAt.flatMap { $0 > now ? nil : $0 }
    sentBefore = nil
    behindSince = behindSince.map { min($0, now) }
    progressAt = min(progressAt, now)
    alarmAt = nil
  }

  /// Adds the time from a frame to its acknowledgement to the smoothed round trip (RFC 6298, section 2: a gain of 1/8).
  private mutating func measure(_ milliseconds: Int64) {
    let sample = max(0, milliseconds)
    roundTripMilliseconds = roundTripMilliseconds == 0 ? sample : (7 * roundTripMilliseconds + sample) / 8
  }

  // MARK: Stalls

  /// Action to take on a client that does not take what waits for it, and the instant of the next check.
  enum Stall: Equatable {
    /// Nothing waits for the client, or the daemon itself is slow.
    case none
    case wait(until: Instant)
    /// Record how many bytes the client has taken so far.
    case recordBytes(thenAt: Instant)
    /// End the view, unless its bytes have moved since they were recorded.
    case end(orAt: Instant)
  }

  /// Instant since which the client has done nothing about what waits for it.
  private var blockedSince: Instant? { behindSince.map { max($0, progressAt) } }

  /// Checks whether the client is stalled.
  mutating func lookForStall(at now: Instant, _ limits: EngineLimits) -> Stall {
    guard isReady || !hasRoom(limits), let since = blockedSince else { return .none }
    let noted = since.adding(milliseconds: limits.frames.sweepMilliseconds)
    let due = since.adding(milliseconds: limits.frames.stallMilliseconds)
    if due <= now {
      // It has the full time again if its bytes have moved.
      progressAt = now
      return .end(orAt: now.adding(milliseconds: limits.frames.stallMilliseconds))
    }
    guard noted <= now else { return .wait(until: noted) }
    guard notedFor != since else { return .wait(until: due) }
    notedFor = since
    return .recordBytes(thenAt: due)
  }
}

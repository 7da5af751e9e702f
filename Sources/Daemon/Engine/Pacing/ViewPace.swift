internal import Dates

/// How far a view's client has come, and when the view may be sent something.
///
/// There is no queue: what a view missed is found by comparing states when a frame can be sent, so all that is kept is
/// that it may be behind, and since when.
struct ViewPace {
  let id: ViewID
  /// True for Attach, whose client acknowledges frames; false for Watch.
  let acknowledges: Bool
  /// Number of the last frame sent; 0 before the first.
  private(set) var sentFrame: UInt64 = 0
  private(set) var acknowledgedFrame: UInt64 = 0
  /// The revision of the last frame sent.
  private(set) var heldRevision: UInt64 = 0
  /// Since when it may be behind; nil while it is not.
  private(set) var behindSince: Instant?
  /// The shell has been told that there is something to send.
  private(set) var isReady = false

  /// When the last frame left, and the one before it.
  private var sentAt: Instant?
  private var sentBefore: Instant?
  /// Smoothed time from a frame to its acknowledgement; 0 while unknown.
  private var roundTripMilliseconds: Int64 = 0
  /// When the client last took or acknowledged something.
  private var progressAt: Instant
  /// The ``blockedSince`` for which the shell was asked to note what the client has taken.
  private var notedFor: Instant?
  /// Commits since the last frame that changed what it may show.
  private var missed: UInt32 = 0
  /// The next frame answers the view's own command and does not wait.
  private var isUrgent = true
  /// The next frame is sent even if it says nothing but the revision.
  private var wantsBookmark = false
  /// The last instant for which an alarm was set.
  private var alarmAt: Instant?

  /// The pace of a view that opens at `now`.
  init(id: ViewID, acknowledges: Bool, at now: Instant) {
    self.id = id
    self.acknowledges = acknowledges
    progressAt = now
  }

  /// Everything that was sent has been acknowledged.
  var hasShownEverything: Bool { acknowledgedFrame == sentFrame }

  /// Whether the client can take another frame now.
  func hasRoom(_ limits: EngineLimits) -> Bool {
    !acknowledges || sentFrame - acknowledgedFrame < UInt64(limits.frames.unacknowledged)
  }

  /// Whether the client has yet to hear of a revision, and could.
  func lacksRevision(_ revision: UInt64, _ limits: EngineLimits) -> Bool {
    sentFrame > 0 && heldRevision < revision && !isReady && hasRoom(limits)
  }

  /// When a frame that says nothing but the revision is due.
  func bookmarkDue(at now: Instant, _ limits: EngineLimits) -> Instant {
    sentAt?.adding(milliseconds: limits.frames.bookmarkMilliseconds) ?? now
  }

  /// When the next frame may leave; nil for at once. Frames keep half a round trip apart, and so far that those for all
  /// views together leave the processor time for other things.
  func nextLeaving(viewCount: Int, _ limits: EngineLimits) -> Instant? {
    guard !isUrgent, let sentAt else { return nil }
    let forAll = Int64(viewCount) * limits.frames.microseconds * 100 / limits.frames.busyPercent / 1000
    let interval = max(limits.frames.intervalMilliseconds, max(roundTripMilliseconds / 2, forAll))
    return sentAt.adding(milliseconds: min(interval, limits.frames.longestIntervalMilliseconds))
  }

  // MARK: What happens

  /// It may show something else than it holds. True if it was not behind before.
  mutating func fallBehind(at now: Instant) -> Bool {
    guard behindSince == nil else { return false }
    behindSince = now
    return true
  }

  /// A commit changed what it may show.
  mutating func missCommit() { missed += 1 }

  /// The next frame does not wait.
  mutating func hurry() { isUrgent = true }

  /// The next frame is sent even if it says nothing but the revision.
  mutating func askForBookmark() { wantsBookmark = true }

  /// The shell is told that there is something to send.
  mutating func becomeReady() { isReady = true }

  /// Sets the alarm at which it may be sent something. False if that is set already.
  mutating func setAlarm(at due: Instant) -> Bool {
    guard alarmAt != due else { return false }
    alarmAt = due
    return true
  }

  /// The client has taken something.
  mutating func progress(at now: Instant) { progressAt = now }

  /// Takes an acknowledgement. False for one of a frame that was never sent, or of an older frame: it says nothing.
  mutating func acknowledge(_ frame: UInt64, at now: Instant) -> Bool {
    guard frame > acknowledgedFrame, frame <= sentFrame else { return false }
    acknowledgedFrame = frame
    progressAt = now
    let sent = frame == sentFrame ? sentAt : frame == sentFrame - 1 ? sentBefore : nil
    if let sent { measure(now.milliseconds - sent.milliseconds) }
    return true
  }

  /// What a frame tells of the pace of its view.
  struct Departure {
    /// Of the frame; nil where there is nothing to send.
    var number: UInt64?
    var ageMilliseconds: UInt32
    var skipped: UInt32
  }

  /// Notes that the view takes a frame of `revision`, unless there is nothing to say: `isNews` says that its content is
  /// something.
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

  /// Shifts what was noted by a clock that has since been set back to `now`.
  mutating func clockWentBack(to now: Instant) {
    // Frames that left in the future keep none waiting, and say nothing of round trips.
    sentAt = sentAt.flatMap { $0 > now ? nil : $0 }
    sentBefore = nil
    behindSince = behindSince.map { min($0, now) }
    progressAt = min(progressAt, now)
    alarmAt = nil
  }

  /// Takes the time from a frame to its acknowledgement into the smoothed one (RFC 6298, section 2: a gain of 1/8).
  private mutating func measure(_ milliseconds: Int64) {
    let sample = max(0, milliseconds)
    roundTripMilliseconds = roundTripMilliseconds == 0 ? sample : (7 * roundTripMilliseconds + sample) / 8
  }

  // MARK: Stalls

  /// What is to be done about a client that takes nothing of what waits for it, and when to look again.
  enum Stall: Equatable {
    /// Nothing waits for the client, or it is the daemon that takes its time.
    case none
    case wait(until: Instant)
    /// Note how many bytes the client has taken so far.
    case note(thenAt: Instant)
    /// End the view, unless its bytes have moved since they were noted.
    case end(orAt: Instant)
  }

  /// Since when the client has done nothing about what waits for it.
  private var blockedSince: Instant? { behindSince.map { max($0, progressAt) } }

  /// Looks whether the client is stalled.
  mutating func lookForStall(at now: Instant, _ limits: EngineLimits) -> Stall {
    guard isReady || !hasRoom(limits), let since = blockedSince else { return .none }
    let noted = since.adding(milliseconds: limits.frames.sweepMilliseconds)
    let due = since.adding(milliseconds: limits.frames.stallMilliseconds)
    if due <= now {
      // It has as long again if its bytes have moved.
      progressAt = now
      return .end(orAt: now.adding(milliseconds: limits.frames.stallMilliseconds))
    }
    guard noted <= now else { return .wait(until: noted) }
    guard notedFor != since else { return .wait(until: due) }
    notedFor = since
    return .note(thenAt: due)
  }
}

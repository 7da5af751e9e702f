internal import Dates
internal import Posts
internal import ViewState

/// One attached client: what it holds, and when it may be sent something.
///
/// There is no queue: a view is the state it is assumed to hold and a mark that it may be behind. What it missed is
/// found by diffing when a frame can be sent (protocol.md, section 5).
struct View {
  let id: ViewID
  /// Changes only with the session's name.
  var session: SessionKey
  let acknowledges: Bool
  /// Where its scene lies in the engine's list.
  var scene: Int
  /// What its client said it holds, until the first frame answers that.
  var resume: Resume?
  /// The newest viewport the client sent, while it waits for the session or for its row to be loaded.
  var pendingViewport: ViewportParameters?

  /// What the client holds once it has everything sent.
  var held = Shown.nothing
  var heldRevision: UInt64 = 0
  /// The layout key of the last frame that named one.
  var heldLayoutKey: UInt64 = 0
  var layoutGeneration: UInt32 = 1
  var heldLayoutGeneration: UInt32 = 0
  var viewportGeneration: UInt32 = 0
  var heldViewportGeneration: UInt32 = 0

  /// Number of the last frame sent; 0 before the first.
  var sentFrame: UInt64 = 0
  var acknowledgedFrame: UInt64 = 0
  /// When the last frame left, and the one before it.
  var sentAt: Instant?
  var sentBefore: Instant?
  /// Smoothed time from a frame to its acknowledgement; 0 while unknown.
  var roundTripMilliseconds: Int64 = 0
  /// The `blockedSince` for which the shell was asked to note what the client has taken.
  var notedFor: Instant?
  /// When the client last took or acknowledged something.
  var progressAt: Instant
  /// Since when it may be behind; nil while it is not.
  var behindSince: Instant?
  /// Commits since the last frame that changed what it may show.
  var missed: UInt32 = 0
  /// The next frame answers the view's own command and does not wait.
  var isUrgent = true
  /// The next frame is sent even if it says nothing but the revision.
  var wantsBookmark = false
  /// The last instant for which an alarm was set.
  var frameAlarmAt: Instant?
  /// The shell has been told that there is something to send.
  var isReady = false

  init(id: ViewID, opening: ViewOpening, scene: Int, at now: Instant) {
    self.id = id
    session = opening.session
    acknowledges = opening.acknowledges
    self.scene = scene
    resume = opening.resume
    pendingViewport = opening.viewport
    progressAt = now
  }

  /// What lies where no view is: it holds nothing, and shows no scene.
  static let nobody = View(
    id: ViewID(0),
    opening: ViewOpening(
      session: SessionKey(account: AccountID(0), name: ""), layout: LayoutParameters(width: 1, height: 1), zone: .utc,
      viewport: nil, acknowledges: false),
    scene: -1, at: Instant(milliseconds: 0))

  /// Whether the client can take another frame now.
  func hasRoom(_ limits: EngineLimits) -> Bool {
    !acknowledges || sentFrame - acknowledgedFrame < UInt64(limits.unacknowledgedFrames)
  }

  /// Whether something waits for the client, not for the daemon.
  func isBlocked(_ limits: EngineLimits) -> Bool { behindSince != nil && (isReady || !hasRoom(limits)) }

  /// Whether the client has yet to hear of a revision, and could.
  func lacksRevision(_ revision: UInt64, _ limits: EngineLimits) -> Bool {
    sentFrame > 0 && heldRevision < revision && !isReady && hasRoom(limits)
  }

  /// Since when the client has done nothing about what waits for it.
  var blockedSince: Instant? { behindSince.map { max($0, progressAt) } }

  /// Notes that the view takes a frame at `now` and fills in what is its own of it. False, and no frame, where there is
  /// nothing to say.
  mutating func take(_ frame: inout Frame, _ revision: UInt64, at now: Instant) -> Bool {
    let answers = viewportGeneration != heldViewportGeneration || layoutGeneration != heldLayoutGeneration
    let isNews =
      sentFrame == 0 || answers || frame.body !== FrameBody.empty || (wantsBookmark && revision > heldRevision)
    frame.ageMilliseconds = behindSince.map { UInt32(clamping: now.milliseconds - $0.milliseconds) } ?? 0
    frame.skipped = missed > 1 ? missed - 1 : 0
    isReady = false
    isUrgent = false
    wantsBookmark = false
    progressAt = now
    behindSince = nil
    missed = 0
    guard isNews else { return false }
    sentFrame += 1
    sentBefore = sentAt
    sentAt = now
    frame.number = sentFrame
    frame.layoutGeneration = layoutGeneration
    frame.viewportGeneration = viewportGeneration
    heldRevision = revision
    heldLayoutGeneration = layoutGeneration
    heldViewportGeneration = viewportGeneration
    resume = nil
    return true
  }

  /// Takes an acknowledgement. False for one of a frame that was never sent, or of an older frame: it says nothing.
  mutating func acknowledge(_ frame: UInt64, at now: Instant) -> Bool {
    guard frame > acknowledgedFrame, frame <= sentFrame else { return false }
    acknowledgedFrame = frame
    progressAt = now
    let sent = frame == sentFrame ? sentAt : frame == sentFrame - 1 ? sentBefore : nil
    if let sent { measured(now.milliseconds - sent.milliseconds) }
    return true
  }

  /// Takes the time from a frame to its acknowledgement into the smoothed one (RFC 6298, section 2: a gain of 1/8).
  private mutating func measured(_ milliseconds: Int64) {
    let sample = max(0, milliseconds)
    roundTripMilliseconds = roundTripMilliseconds == 0 ? sample : (7 * roundTripMilliseconds + sample) / 8
  }

  /// Shifts what was noted by a clock that has since been set back to `now`.
  mutating func clockWentBack(to now: Instant) {
    // Frames that left in the future keep none waiting, and say nothing of round trips.
    sentAt = sentAt.flatMap { $0 > now ? nil : $0 }
    sentBefore = nil
    behindSince = behindSince.map { min($0, now) }
    progressAt = min(progressAt, now)
    frameAlarmAt = nil
  }
}

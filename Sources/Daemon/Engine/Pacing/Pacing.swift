internal import Dates

/// Decides when views may receive frames: holds slow clients back, finds stalled ones, and sends the revision to idle
/// ones.
///
/// Does not know what views show. Each open view has a ``ViewPace`` here, under its slot in the engine's table.
struct Pacing {
  /// Action for the shell to take on a client that takes no data.
  enum Finding: Equatable {
    /// Record how many bytes it has taken so far.
    case blocked(ViewID)
    /// End its view, unless bytes have moved since they were recorded.
    case stalled(ViewID)
  }

  private let limits: EngineLimits
  /// Paces by slot; nil for a free slot.
  private var paces: [ViewPace?] = []
  private var viewCount = 0
  /// Number of views that are behind.
  private var behindCount = 0
  /// Views that became ready since the last ``takeReady()``.
  private var ready: [ViewID] = []
  /// Alarms for the next frames of views.
  private var frameAlarms = AlarmQueue<ViewID>()
  /// Instants of the next checks for stalls and for bookmarks; nil while there can be none.
  private var stallsDue: Instant?
  private var bookmarksDue: Instant?

  init(limits: EngineLimits) { self.limits = limits }

  /// The pace of an open view; nil for a free slot.
  subscript(slot: ViewSlot) -> ViewPace? { slot.index < paces.count ? paces[slot.index] : nil }

  /// Instant at which ``sweep(_:at:)`` or ``nextDue(at:)`` has something to do; nil for never.
  var nextDeadline: Instant? {
    let stalls = behindCount > 0 ? stallsDue : nil
    return [frameAlarms.earliest, stalls, bookmarksDue].compactMap(\.self).min()
  }

  // MARK: Views

  /// Adds a view in `slot`.
  mutating func open(_ slot: ViewSlot, _ id: ViewID, acknowledges: Bool, at now: Instant) {
    while paces.count <= slot.index { paces.append(nil) }
    paces[slot.index] = ViewPace(id: id, acknowledges: acknowledges, at: now)
    viewCount += 1
  }

  /// Removes the view in `slot`. With the last view every alarm is removed.
  mutating func close(_ slot: ViewSlot) {
    guard let pace = self[slot] else { return }
    if pace.behindSince != nil { behindCount -= 1 }
    paces[slot.index] = nil
    viewCount -= 1
    guard viewCount == 0 else { return }
    frameAlarms.removeAll()
    stallsDue = nil
    bookmarksDue = nil
  }

  /// Marks a view that may differ from what its client holds, through a commit or by itself. `canBegin`: a first frame
  /// would show something.
  mutating func fallBehind(_ slot: ViewSlot, isCommit: Bool, canBegin: Bool, at now: Instant) {
    modify(slot) { pace in
      if isCommit { pace.missCommit() }
      return pace.fallBehind(at: now)
    }
    announce(slot, canBegin: canBegin, at: now)
  }

  /// Marks a view that may differ from what its client holds, to be announced as soon as this input has been handled.
  mutating func fallBehindLater(_ slot: ViewSlot, at now: Instant) {
    guard let pace = self[slot], pace.behindSince == nil else { return }
    modify(slot) { $0.fallBehind(at: now) }
    frameAlarms.set(pace.id, at: now)
  }

  /// Schedules the next piece of a change, of which one piece has just been sent.
  mutating func scheduleNextPiece(_ slot: ViewSlot, at now: Instant) {
    modify(slot) { pace in
      pace.hurry()
      return pace.fallBehind(at: now)
    }
    if let id = self[slot]?.id { frameAlarms.set(id, at: now) }
  }

  /// Exempts the view's next frame from pacing.
  mutating func hurry(_ slot: ViewSlot) { paces[slot.index]?.hurry() }

  /// Records that the view's client has taken something.
  mutating func progress(_ slot: ViewSlot, at now: Instant) { paces[slot.index]?.progress(at: now) }

  /// Records that the view's client has shown a frame. Returns false if that is not news.
  mutating func acknowledge(_ slot: ViewSlot, _ frame: UInt64, at now: Instant) -> Bool {
    paces[slot.index]?.acknowledge(frame, at: now) ?? false
  }

  /// Announces a view that is behind and may have a frame; otherwise arranges for that to happen when it may.
  mutating func announce(_ slot: ViewSlot, canBegin: Bool, at now: Instant) {
    guard let pace = self[slot], pace.behindSince != nil else { return }
    guard !pace.isReady, pace.hasRoom(limits) else { return expectStalls(at: now) }
    if let due = pace.nextLeaving(viewCount: viewCount, limits), due > now {
      // One alarm serves all changes until then.
      if paces[slot.index]?.setAlarm(at: due) == true { frameAlarms.set(pace.id, at: due) }
      return
    }
    if pace.sentFrame > 0 || canBegin { makeReady(slot, at: now) }
  }

  /// Records that the view takes a frame, unless there is nothing to send.
  mutating func depart(_ slot: ViewSlot, _ revision: UInt64, isNews: Bool, at now: Instant) -> ViewPace.Departure? {
    guard let pace = self[slot] else { return nil }
    if pace.behindSince != nil { behindCount -= 1 }
    return paces[slot.index]?.depart(revision, isNews: isNews, at: now)
  }

  /// Returns the views that became ready since the last call.
  mutating func takeReady() -> [ViewID] {
    defer { ready = [] }
    return ready
  }

  private mutating func makeReady(_ slot: ViewSlot, at now: Instant) {
    guard let id = self[slot]?.id else { return }
    paces[slot.index]?.becomeReady()
    ready.append(id)
    expectStalls(at: now)
  }

  /// Changes a pace; `change` returns true if its view has fallen behind.
  private mutating func modify(_ slot: ViewSlot, _ change: (inout ViewPace) -> Bool) {
    guard var pace = self[slot] else { return }
    if change(&pace) { behindCount += 1 }
    paces[slot.index] = pace
  }

  // MARK: Time

  /// Returns a view that may have a frame now, as far as time goes; nil if none is left.
  mutating func nextDue(at now: Instant) -> ViewID? { frameAlarms.next(dueAt: now)?.subject }

  /// Schedules a frame with the new revision for views that are sent nothing else.
  mutating func revisionMoved(at now: Instant) {
    guard bookmarksDue == nil, viewCount > 0 else { return }
    bookmarksDue = now.adding(milliseconds: limits.frames.bookmarkMilliseconds)
  }

  /// Checks the views for stalls and bookmarks, if that is due. O(views), at most once per sweep interval.
  mutating func sweep(_ revision: UInt64, at now: Instant) -> [Finding] {
    var findings: [Finding] = []
    if let due = stallsDue, due <= now { findings = lookForStalls(at: now) }
    if let due = bookmarksDue, due <= now { sendBookmarks(revision, at: now) }
    return findings
  }

  /// Gives every client its full time again: the machine slept or the clock was set forward, and clients could do
  /// nothing meanwhile.
  mutating func forgive(at now: Instant) {
    for index in paces.indices { paces[index]?.progress(at: now) }
  }

  /// Adjusts recorded instants to a clock that was set back to `now`.
  mutating func clockWentBack(to now: Instant) {
    for index in paces.indices { paces[index]?.clockWentBack(to: now) }
    frameAlarms.removeAll()
    stallsDue = stallsDue.map { min($0, now.adding(milliseconds: limits.frames.stallMilliseconds)) }
    bookmarksDue = bookmarksDue.map { min($0, now.adding(milliseconds: limits.frames.bookmarkMilliseconds)) }
  }

  /// Schedules a stall check for a view whose client does not take what waits for it.
  private mutating func expectStalls(at now: Instant) {
    let due = now.adding(milliseconds: limits.frames.sweepMilliseconds)
    stallsDue = min(stallsDue ?? due, due)
  }

  private mutating func lookForStalls(at now: Instant) -> [Finding] {
    var findings: [Finding] = []
    var next: Instant?
    for index in paces.indices {
      guard let id = paces[index]?.id, let stall = paces[index]?.lookForStall(at: now, limits) else { continue }
      let due: Instant
      switch stall {
      case .none: continue
      case .wait(let instant): due = instant
      case .recordBytes(let instant):
        findings.append(.blocked(id))
        due = instant
      case .end(let instant):
        findings.append(.stalled(id))
        due = instant
      }
      next = min(next ?? due, due)
    }
    stallsDue = next.map { max($0, now.adding(milliseconds: limits.frames.sweepMilliseconds)) }
    return findings
  }

  private mutating func sendBookmarks(_ revision: UInt64, at now: Instant) {
    bookmarksDue = nil
    var next: Instant?
    for index in paces.indices {
      guard let pace = paces[index], pace.lacksRevision(revision, limits) else { continue }
      let due = pace.bookmarkDue(at: now, limits)
      if due <= now {
        paces[index]?.askForBookmark()
        makeReady(ViewSlot(index: index), at: now)
      } else {
        next = min(next ?? due, due)
      }
    }
    bookmarksDue = next.map { max($0, now.adding(milliseconds: limits.frames.sweepMilliseconds)) }
  }
}

internal import Dates

/// Decides when views may have frames: holds slow clients back, finds those that take nothing, and has idle ones told
/// of the revision.
///
/// Knows nothing of what views show. Each open view has a ``ViewPace`` here, under its slot in the engine's table.
struct Pacing {
  /// Something that the shell is to do about a client that takes nothing.
  enum Finding: Equatable {
    /// Note how many bytes it has taken so far.
    case blocked(ViewID)
    /// End its view, unless bytes have moved since they were noted.
    case stalled(ViewID)
  }

  private let limits: EngineLimits
  /// By slot; nil where no view is.
  private var paces: [ViewPace?] = []
  private var viewCount = 0
  /// Views with something that waits for them.
  private var behindCount = 0
  /// Views that became ready since ``takeReady()``.
  private var ready: [ViewID] = []
  /// When views may have their next frame.
  private var frameAlarms = AlarmQueue<ViewID>()
  /// When views are next looked through for stalls, and for bookmarks; nil while there can be none.
  private var stallsDue: Instant?
  private var bookmarksDue: Instant?

  /// Paces of no view yet.
  init(limits: EngineLimits) { self.limits = limits }

  /// The pace of an open view; nil for a slot without one.
  subscript(slot: ViewSlot) -> ViewPace? { slot.index < paces.count ? paces[slot.index] : nil }

  /// When ``sweep(_:at:)`` or ``nextDue(at:)`` has something to do; nil for never.
  var nextDeadline: Instant? {
    let stalls = behindCount > 0 ? stallsDue : nil
    return [frameAlarms.earliest, stalls, bookmarksDue].compactMap(\.self).min()
  }

  // MARK: Views

  /// A view opens in `slot`.
  mutating func open(_ slot: ViewSlot, _ id: ViewID, acknowledges: Bool, at now: Instant) {
    while paces.count <= slot.index { paces.append(nil) }
    paces[slot.index] = ViewPace(id: id, acknowledges: acknowledges, at: now)
    viewCount += 1
  }

  /// The view in `slot` closes. With the last one every alarm goes.
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

  /// The view may show something else than it holds, by a commit or by itself. `canBegin` says whether a first frame
  /// would show something.
  mutating func fallBehind(_ slot: ViewSlot, isCommit: Bool, canBegin: Bool, at now: Instant) {
    modify(slot) { pace in
      if isCommit { pace.missCommit() }
      return pace.fallBehind(at: now)
    }
    announce(slot, canBegin: canBegin, at: now)
  }

  /// The view may show something else than it holds, and is looked at again as soon as this input has been handled.
  mutating func fallBehindLater(_ slot: ViewSlot, at now: Instant) {
    guard let pace = self[slot], pace.behindSince == nil else { return }
    modify(slot) { $0.fallBehind(at: now) }
    frameAlarms.set(pace.id, at: now)
  }

  /// More of the same change follows the frame that has just left.
  mutating func goOn(_ slot: ViewSlot, at now: Instant) {
    modify(slot) { pace in
      pace.hurry()
      return pace.fallBehind(at: now)
    }
    if let id = self[slot]?.id { frameAlarms.set(id, at: now) }
  }

  /// The view's next frame does not wait.
  mutating func hurry(_ slot: ViewSlot) { paces[slot.index]?.hurry() }

  /// The view's client has taken something.
  mutating func progress(_ slot: ViewSlot, at now: Instant) { paces[slot.index]?.progress(at: now) }

  /// The view's client has shown a frame. False if that says nothing new.
  mutating func acknowledge(_ slot: ViewSlot, _ frame: UInt64, at now: Instant) -> Bool {
    paces[slot.index]?.acknowledge(frame, at: now) ?? false
  }

  /// Has the shell told of a view that is behind and may have a frame, or sees that it is looked at when it may.
  mutating func announce(_ slot: ViewSlot, canBegin: Bool, at now: Instant) {
    guard let pace = self[slot], pace.behindSince != nil else { return }
    guard !pace.isReady, pace.hasRoom(limits) else { return expectStalls(at: now) }
    if let due = pace.nextLeaving(viewCount: viewCount, limits), due > now {
      // One alarm is enough for all that changes until then.
      if paces[slot.index]?.setAlarm(at: due) == true { frameAlarms.set(pace.id, at: due) }
      return
    }
    if pace.sentFrame > 0 || canBegin { makeReady(slot, at: now) }
  }

  /// The view takes a frame, unless there is nothing to say.
  mutating func depart(_ slot: ViewSlot, _ revision: UInt64, isNews: Bool, at now: Instant) -> ViewPace.Departure? {
    guard let pace = self[slot] else { return nil }
    if pace.behindSince != nil { behindCount -= 1 }
    return paces[slot.index]?.depart(revision, isNews: isNews, at: now)
  }

  /// Views that became ready since this was last asked.
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

  /// Changes a pace; `change` says whether its view has fallen behind.
  private mutating func modify(_ slot: ViewSlot, _ change: (inout ViewPace) -> Bool) {
    guard var pace = self[slot] else { return }
    if change(&pace) { behindCount += 1 }
    paces[slot.index] = pace
  }

  // MARK: Time

  /// A view that may have a frame now, as far as time goes; nil where there is none left.
  mutating func nextDue(at now: Instant) -> ViewID? { frameAlarms.next(dueAt: now)?.subject }

  /// The revision has moved: views that have nothing else to hear are told of that after a while.
  mutating func revisionMoved(at now: Instant) {
    guard bookmarksDue == nil, viewCount > 0 else { return }
    bookmarksDue = now.adding(milliseconds: limits.frames.bookmarkMilliseconds)
  }

  /// Looks through the views for stalls and for bookmarks, where that is due. O(views), at most once a sweep.
  mutating func sweep(_ revision: UInt64, at now: Instant) -> [Finding] {
    var findings: [Finding] = []
    if let due = stallsDue, due <= now { findings = lookForStalls(at: now) }
    if let due = bookmarksDue, due <= now { sendBookmarks(revision, at: now) }
    return findings
  }

  /// The machine slept, or the clock was set forward: nobody could do anything meanwhile, and nobody is blamed for it.
  mutating func forgive(at now: Instant) {
    for index in paces.indices { paces[index]?.progress(at: now) }
  }

  /// The clock was set back to `now`: what was noted lies in the future.
  mutating func clockWentBack(to now: Instant) {
    for index in paces.indices { paces[index]?.clockWentBack(to: now) }
    frameAlarms.removeAll()
    stallsDue = stallsDue.map { min($0, now.adding(milliseconds: limits.frames.stallMilliseconds)) }
    bookmarksDue = bookmarksDue.map { min($0, now.adding(milliseconds: limits.frames.bookmarkMilliseconds)) }
  }

  /// A view has something to say that its client does not take: that is looked at in time.
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
      case .note(let instant):
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

internal import Dates
internal import Posts

extension StackEngine {
  /// How late a call may be before it means that the machine slept, or that the clock was set: nobody could do anything meanwhile, and
  /// nobody is blamed for it.
  private static let longestDelayMilliseconds: Int64 = 5_000

  /// Notes what time it is.
  mutating func tell(_ instant: Instant) {
    let due = nextDeadline
    let previous = now
    now = instant
    if instant < previous { return clockWentBack() }
    if let due, due.adding(milliseconds: Self.longestDelayMilliseconds) < instant {
      for id in Array(views.keys) { views[id]!.progressAt = instant }
    }
  }

  /// Every label may be wrong (rule 26), and what was noted lies in the future.
  private mutating func clockWentBack() {
    let ids = views.keys.sorted { $0.rawValue < $1.rawValue }
    for id in ids { views[id]!.clockWentBack(to: now) }
    frameAlarms.removeAll()
    labelAlarms.removeAll()
    stallsDue = stallsDue.map { min($0, now.adding(milliseconds: limits.stallMilliseconds)) }
    bookmarksDue = bookmarksDue.map { min($0, now.adding(milliseconds: limits.bookmarkMilliseconds)) }
    for slot in scenes.indices where scenes[slot] != nil { scenes[slot]!.version += 1 }
    for id in ids { markBehind(id, isCommit: false) }
  }

  /// Does what is due.
  mutating func ringAlarms() {
    while let alarm = frameAlarms.next(dueAt: now) {
      if views[alarm.subject] != nil { announceIfReady(alarm.subject) }
    }
    while let alarm = labelAlarms.next(dueAt: now) {
      guard scenes[alarm.subject]?.labelsChangeAt == alarm.instant else { continue }
      scenes[alarm.subject]!.labelsChangeAt = nil
      touch(alarm.subject, isCommit: false)
    }
    if let due = stallsDue, due <= now { lookForStalls() }
    if let due = bookmarksDue, due <= now { sendBookmarks() }
  }

  /// A view has something to say that its client does not take: that is looked at in time.
  mutating func expectStalls() {
    if stallsDue == nil { stallsDue = now.adding(milliseconds: limits.stallMilliseconds) }
  }

  /// Tells of the views whose clients have done nothing about what waits for them for too long. O(views), at most once a sweep.
  private mutating func lookForStalls() {
    stallsDue = nil
    var stalled: [ViewID] = []
    var next: Instant?
    for (id, view) in views where view.isBlocked(limits) {
      guard let since = view.blockedSince else { continue }
      let due = since.adding(milliseconds: limits.stallMilliseconds)
      if due <= now { stalled.append(id) } else { next = min(next ?? due, due) }
    }
    for id in stalled.sorted(by: { $0.rawValue < $1.rawValue }) {
      // The shell ends it, unless its bytes have moved meanwhile; then it has as long again.
      views[id]!.progressAt = now
      effects.append(.viewStalled(id))
      next = min(next ?? .max, now.adding(milliseconds: limits.stallMilliseconds))
    }
    stallsDue = next.map { max($0, now.adding(milliseconds: limits.sweepMilliseconds)) }
  }

  /// The revision has moved: views that have nothing else to hear are told of that after a while.
  mutating func expectBookmarks() {
    guard bookmarksDue == nil, !views.isEmpty else { return }
    bookmarksDue = now.adding(milliseconds: limits.bookmarkMilliseconds)
  }

  /// Sends bookmarks to the views that are due. O(views), at most once a sweep.
  private mutating func sendBookmarks() {
    bookmarksDue = nil
    var due: [ViewID] = []
    var next: Instant?
    for (id, view) in views where view.heldRevision < revision && view.hasRoom(limits) && !view.isReady {
      guard view.sentFrame > 0 else { continue }
      let instant = view.sentAt?.adding(milliseconds: limits.bookmarkMilliseconds) ?? now
      if instant <= now { due.append(id) } else { next = min(next ?? instant, instant) }
    }
    for id in due.sorted(by: { $0.rawValue < $1.rawValue }) {
      views[id]!.wantsBookmark = true
      makeReady(id)
    }
    bookmarksDue = next.map { max($0, now.adding(milliseconds: limits.sweepMilliseconds)) }
  }
}

extension Instant {
  /// Later than anything that happens.
  static let max = Instant(milliseconds: .max)
}

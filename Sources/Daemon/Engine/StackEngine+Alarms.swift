internal import Dates
internal import OrderedCollections
internal import Posts

extension StackEngine {
  /// How late a call may be before it means that the machine slept, or that the clock was set: nobody could do anything
  /// meanwhile, and nobody is blamed for it.
  private static let longestDelayMilliseconds: Int64 = 5_000

  /// Notes what time it is.
  mutating func tell(_ instant: Instant) {
    let due = nextDeadline
    let previous = now
    now = instant
    if instant < previous { return clockWentBack() }
    if let due, due.adding(milliseconds: Self.longestDelayMilliseconds) < instant {
      for view in views.all { views[view].progressAt = instant }
    }
  }

  /// Every label may be wrong (rule 26), and what was noted lies in the future.
  private mutating func clockWentBack() {
    let open = views.all
    for view in open { views[view].clockWentBack(to: now) }
    frameAlarms.removeAll()
    forgetLabelAlarms()
    stallsDue = stallsDue.map { min($0, now.adding(milliseconds: limits.stallMilliseconds)) }
    bookmarksDue = bookmarksDue.map { min($0, now.adding(milliseconds: limits.bookmarkMilliseconds)) }
    placesDue = placesDue.map { min($0, now.adding(milliseconds: limits.placesMilliseconds)) }
    let clockHides = now.adding(milliseconds: limits.clockMilliseconds)
    for slot in scenes.indices where scenes[slot] != nil {
      scenes[slot]!.version += 1
      scenes[slot]!.moving = scenes[slot]!.moving.mapValues { min($0, clockHides) }
    }
    for key in heights.keys { heights[key]!.toldAt = min(heights[key]!.toldAt, now) }
    for account in navigations.keys {
      navigations[account]!.news = navigations[account]!.news.mapValues { $0.withoutSaving }
    }
    seenDue = seenDue.map { min($0, now) }
    for view in open { markBehind(view, isCommit: false) }
  }

  /// Does what is due.
  mutating func ringAlarms() {
    while let alarm = frameAlarms.next(dueAt: now) {
      if let view = views.slot(of: alarm.subject) { announceIfReady(view) }
    }
    while let alarm = labelAlarms.next(dueAt: now) {
      if labelAlarmAt[alarm.subject] == alarm.instant { labelAlarmAt[alarm.subject] = nil }
      guard scenes[alarm.subject]?.labelsChangeAt == alarm.instant else { continue }
      scenes[alarm.subject]!.labelsChangeAt = nil
      touch(alarm.subject, isCommit: false)
    }
    skipIdleLabels()
    if let due = stallsDue, due <= now { lookForStalls() }
    if let due = bookmarksDue, due <= now { sendBookmarks() }
    if let due = seenDue, due <= now { saveSeen(isLast: false) }
    if let due = placesDue, due <= now { savePlaces(atMost: limits.placesAtOnce) }
  }

  /// Sets an alarm for the next change of a scene's labels, unless it is set. O(log scenes).
  mutating func expectLabels(_ slot: Int) {
    guard let change = scenes[slot]?.labelsChangeAt, labelAlarmAt[slot] != change else { return }
    labelAlarmAt[slot] = change
    labelAlarms.set(slot, at: change)
    skipIdleLabels()
    // Alarms of changes that are no longer to come are idle; one for each scene is kept.
    guard labelAlarms.count > 2 * scenes.count + 64 else { return }
    let scenes = scenes
    var kept: Set<Int> = []
    labelAlarms.keep { slot, instant in scenes[slot]?.labelsChangeAt == instant && kept.insert(slot).inserted }
    labelAlarmAt = labelAlarmAt.filter { kept.contains($0.key) }
  }

  /// Sees that the earliest alarm is one for which there is something to do.
  private mutating func skipIdleLabels() {
    let scenes = scenes
    var idle: [(slot: Int, instant: Instant)] = []
    labelAlarms.skip { slot, instant in
      guard scenes[slot]?.labelsChangeAt != instant else { return false }
      idle.append((slot, instant))
      return true
    }
    for alarm in idle where labelAlarmAt[alarm.slot] == alarm.instant { labelAlarmAt[alarm.slot] = nil }
  }

  /// Forgets every alarm of labels.
  mutating func forgetLabelAlarms() {
    labelAlarms.removeAll()
    labelAlarmAt = [:]
  }

  /// A view has something to say that its client does not take: that is looked at in time.
  mutating func expectStalls() {
    let due = now.adding(milliseconds: limits.sweepMilliseconds)
    if stallsDue.map({ due < $0 }) ?? true { stallsDue = due }
  }

  /// Tells of the views whose clients do nothing about what waits for them: soon, so that the shell notes what they
  /// have taken by then, and again when that has lasted for too long. O(views), at most once a sweep.
  private mutating func lookForStalls() {
    stallsDue = nil
    var next: Instant?
    for view in views.all where views[view].isBlocked(limits) {
      guard let since = views[view].blockedSince else { continue }
      let noted = since.adding(milliseconds: limits.sweepMilliseconds)
      var due = since.adding(milliseconds: limits.stallMilliseconds)
      if due <= now {
        // The shell ends it, unless its bytes have moved since they were noted; then it has as long again.
        views[view].progressAt = now
        effects.append(.viewStalled(views[view].id))
        due = now.adding(milliseconds: limits.stallMilliseconds)
      } else if noted <= now, views[view].notedFor != since {
        views[view].notedFor = since
        effects.append(.viewBlocked(views[view].id))
      } else if noted > now {
        due = noted
      }
      next = earlier(next, due)
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
    var next: Instant?
    for view in views.all where views[view].lacksRevision(revision, limits) {
      let due = views[view].sentAt?.adding(milliseconds: limits.bookmarkMilliseconds) ?? now
      if due <= now {
        views[view].wantsBookmark = true
        makeReady(view)
      } else {
        next = earlier(next, due)
      }
    }
    bookmarksDue = next.map { max($0, now.adding(milliseconds: limits.sweepMilliseconds)) }
  }
}

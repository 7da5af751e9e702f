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
      pacing.forgive(at: instant)
    }
  }

  /// Every label may be wrong (rule 26), and what was noted lies in the future.
  private mutating func clockWentBack() {
    pacing.clockWentBack(to: now)
    forgetLabelAlarms()
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
    for view in views.all { markBehind(view, isCommit: false) }
  }

  /// Does what is due.
  mutating func ringAlarms() {
    while let id = pacing.nextDue(at: now) {
      if let view = views.slot(of: id) { announceIfReady(view) }
    }
    while let alarm = labelAlarms.next(dueAt: now) {
      if labelAlarmAt[alarm.subject] == alarm.instant { labelAlarmAt[alarm.subject] = nil }
      guard scenes[alarm.subject]?.labelsChangeAt == alarm.instant else { continue }
      scenes[alarm.subject]!.labelsChangeAt = nil
      touch(alarm.subject, isCommit: false)
    }
    skipIdleLabels()
    for finding in pacing.sweep(revision, at: now) {
      switch finding {
      case .blocked(let id): effects.append(.viewBlocked(id))
      case .stalled(let id): effects.append(.viewStalled(id))
      }
    }
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
}

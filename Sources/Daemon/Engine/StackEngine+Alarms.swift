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
    sessions.clockWentBack(to: now)
    scenes.clockWentBack(clockHides: now.adding(milliseconds: limits.clockMilliseconds))
    heights.clockWentBack(to: now)
    navigations.clockWentBack(to: now)
    for view in views.all { markBehind(view, isCommit: false) }
  }

  /// Does what is due.
  mutating func ringAlarms() {
    while let id = pacing.nextDue(at: now) {
      if let view = views.slot(of: id) { announceIfReady(view) }
    }
    while let slot = scenes.nextChanged(by: now) { touch(slot, isCommit: false) }
    for finding in pacing.sweep(revision, at: now) {
      switch finding {
      case .blocked(let id): effects.append(.viewBlocked(id))
      case .stalled(let id): effects.append(.viewStalled(id))
      }
    }
    if let due = navigations.seenDue, due <= now { saveSeen(isLast: false) }
    if let due = sessions.placesDue, due <= now { savePlaces(atMost: limits.placesAtOnce) }
  }
}

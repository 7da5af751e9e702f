internal import Dates
internal import HeapModule

/// Queue of alarms, ordered by instant and, within one instant, by the order in which they were set. Idle alarms stay
/// in the queue; their receiver finds that nothing is due.
struct AlarmQueue<Subject> {
  private struct Alarm: Comparable {
    var instant: Instant
    var number: UInt64
    var subject: Subject

    static func < (left: Alarm, right: Alarm) -> Bool {
      left.instant == right.instant ? left.number < right.number : left.instant < right.instant
    }
    static func == (left: Alarm, right: Alarm) -> Bool { left.number == right.number }
  }

  private var heap = Heap<Alarm>()
  private var nextNumber: UInt64 = 0

  /// Number of alarms, idle ones included.
  var count: Int { heap.count }

  /// Instant of the earliest alarm; nil without alarms.
  var earliest: Instant? { heap.min?.instant }

  /// Sets an alarm. O(log count).
  mutating func set(_ subject: Subject, at instant: Instant) {
    heap.insert(Alarm(instant: instant, number: nextNumber, subject: subject))
    nextNumber += 1
  }

  /// Removes and returns the earliest alarm if it is due at `now`. O(log count).
  mutating func next(dueAt now: Instant) -> (subject: Subject, instant: Instant)? {
    guard let alarm = heap.min, alarm.instant <= now else { return nil }
    heap.removeMin()
    return (alarm.subject, alarm.instant)
  }

  /// Removes the earliest alarms while they are idle, so that ``earliest`` belongs to one that is not.
  mutating func skip(while isIdle: (Subject, Instant) -> Bool) {
    while let alarm = heap.min, isIdle(alarm.subject, alarm.instant) { heap.removeMin() }
  }

  /// Removes every alarm.
  mutating func removeAll() { heap = Heap() }

  /// Removes the alarms that are not needed. O(count).
  mutating func keepAlarms(where isNeeded: (Subject, Instant) -> Bool) {
    heap = Heap(heap.unordered.filter { isNeeded($0.subject, $0.instant) })
  }
}

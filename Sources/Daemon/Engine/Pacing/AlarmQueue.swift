internal import Dates
internal import HeapModule

/// What is to be looked at when: alarms in the order of their instants, and among those of one instant in the order in
/// which they were set. An alarm that has become idle is not looked for; whoever takes it sees that nothing is due.
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

  /// Alarms that are set, idle ones too.
  var count: Int { heap.count }

  /// The earliest instant; nil without alarms.
  var earliest: Instant? { heap.min?.instant }

  /// Sets an alarm. O(log count).
  mutating func set(_ subject: Subject, at instant: Instant) {
    heap.insert(Alarm(instant: instant, number: nextNumber, subject: subject))
    nextNumber += 1
  }

  /// Takes the earliest alarm if it is due at `now`. O(log count).
  mutating func next(dueAt now: Instant) -> (subject: Subject, instant: Instant)? {
    guard let alarm = heap.min, alarm.instant <= now else { return nil }
    heap.removeMin()
    return (alarm.subject, alarm.instant)
  }

  /// Forgets the earliest alarms for as long as they are idle, so that ``earliest`` is of one that is not.
  mutating func skip(while isIdle: (Subject, Instant) -> Bool) {
    while let alarm = heap.min, isIdle(alarm.subject, alarm.instant) { heap.removeMin() }
  }

  /// Forgets every alarm.
  mutating func removeAll() { heap = Heap() }

  /// Forgets the alarms that are idle. O(count).
  mutating func keep(_ isNeeded: (Subject, Instant) -> Bool) {
    heap = Heap(heap.unordered.filter { isNeeded($0.subject, $0.instant) })
  }
}

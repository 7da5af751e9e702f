/// A queue of events ordered by time, then by the order in which they were scheduled.
///
/// A binary heap: adding or removing an event takes O(log n).
struct EventQueue {
  private struct Entry {
    var time: Duration
    var sequence: UInt64
    var body: () -> Void

    func isBefore(_ other: Entry) -> Bool { time == other.time ? sequence < other.sequence : time < other.time }
  }

  private var heap: [Entry] = []
  private var scheduled: UInt64 = 0

  /// True if no event is scheduled.
  var isEmpty: Bool { heap.isEmpty }

  /// The time of the next event.
  var nextTime: Duration? { heap.first?.time }

  /// Schedules an event.
  mutating func add(at time: Duration, _ body: @escaping () -> Void) {
    let new = Entry(time: time, sequence: scheduled, body: body)
    scheduled += 1
    heap.append(new)
    var hole = heap.count - 1
    while hole > 0 {
      let parent = (hole - 1) / 2
      guard new.isBefore(heap[parent]) else { break }
      heap[hole] = heap[parent]
      hole = parent
    }
    heap[hole] = new
  }

  /// Removes and returns the next event.
  mutating func next() -> (time: Duration, body: () -> Void)? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    if heap.isEmpty { return (first.time, first.body) }
    var hole = 0
    while true {
      var child = 2 * hole + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
      guard heap[child].isBefore(last) else { break }
      heap[hole] = heap[child]
      hole = child
    }
    heap[hole] = last
    return (first.time, first.body)
  }
}

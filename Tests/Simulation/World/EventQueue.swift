/// What is to happen, in the order of its time; what has the same time happens in the order in which it was scheduled.
///
/// A binary heap: O(log n) for each event put in or taken out.
struct EventQueue {
  private struct Entry {
    var time: Duration
    var sequence: UInt64
    var body: () -> Void

    func isBefore(_ other: Entry) -> Bool { time == other.time ? sequence < other.sequence : time < other.time }
  }

  private var heap: [Entry] = []
  private var scheduled: UInt64 = 0

  /// Whether nothing is to happen.
  var isEmpty: Bool { heap.isEmpty }

  /// When the next event is due.
  var nextTime: Duration? { heap.first?.time }

  /// Puts an event in.
  mutating func add(at time: Duration, _ body: @escaping () -> Void) {
    heap.append(Entry(time: time, sequence: scheduled, body: body))
    scheduled += 1
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].isBefore(heap[parent]) else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  /// Takes the next event out.
  mutating func next() -> (time: Duration, body: () -> Void)? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    if heap.isEmpty { return (first.time, first.body) }
    heap[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].isBefore(heap[least]) { least = child }
      guard least != parent else { return (first.time, first.body) }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}

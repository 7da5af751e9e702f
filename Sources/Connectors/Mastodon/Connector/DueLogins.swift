internal import Dates
internal import HeapModule

/// The times at which logins have something to do, so that an event costs nothing for those that it does not concern.
struct DueLogins {
  private struct Entry: Comparable {
    let time: Instant
    let login: String

    static func < (left: Entry, right: Entry) -> Bool { left.time < right.time }
  }

  private var times: [String: Instant] = [:]
  /// Some entries are outdated; the first is not.
  private var queue = Heap<Entry>()

  /// The earliest time; nil for none. O(1).
  var next: Instant? { queue.min?.time }

  /// Sets the time of a login; nil for none. O(log n).
  mutating func set(_ login: String, to time: Instant?) {
    guard times[login] != time else { return }
    times[login] = time
    if let time { queue.insert(Entry(time: time, login: login)) }
    if queue.count > 2 * times.count + 64 { queue = Heap(times.map { Entry(time: $1, login: $0) }) }
    dropOutdated()
  }

  /// Returns the logins whose time has come, and forgets their times. O(log n) for each.
  mutating func take(at now: Instant) -> [String] {
    var due: [String] = []
    while let first = queue.min, first.time <= now {
      due.append(first.login)
      times[first.login] = nil
      dropOutdated()
    }
    return due
  }

  private mutating func dropOutdated() {
    while let first = queue.min, times[first.login] != first.time { queue.removeMin() }
  }
}

package import Dates
package import Posts

/// Batches on their way to the daemon, in order: at most `credit` of them unanswered. Those that could not be stored
/// are sent again, in order, before any other. The last batch of a check, which says how far its subject has been read,
/// waits until the others are answered.
package struct BatchQueue {
  /// A batch as a line.
  package struct Batch: Equatable {
    package let number: Int
    /// The name of the feed or login.
    package let subject: String
    /// The check that brought it; 0 for none.
    package let check: Int
    package let isLast: Bool
    /// The index of the item with a feed's new address; nil for none.
    package let move: Int?
    /// True if it has no items, only cursors.
    package let isEmpty: Bool
    package let cursors: [String: String?]
    let line: [UInt8]
  }

  private enum State {
    case sent
    case refusedForNow
  }

  /// The most items of a batch, and about the most bytes of its line.
  private static let itemLimit = 500
  private static let byteLimit = 512 << 10
  /// The most bytes of an item: with what is around it, it is to fit into a line.
  package static let itemBytes = 1 << 20
  /// The number of waiting bytes above which nothing more is fetched.
  package static let waitingBytes = 4 << 20
  /// The longest pause before batches are sent again, in milliseconds.
  private static let longestPause: Int64 = 60_000

  private var waiting: [Batch] = []
  private var open: [(batch: Batch, state: State)] = []
  private var nextNumber = 1
  private var bytes = 0
  private var pause: Int64 = 1_000
  private var resendTime: Instant?
  private var credit = 1

  package init() {}

  /// True if there is so much to send that nothing more should be fetched.
  package var isFull: Bool { bytes > Self.waitingBytes }

  /// True if nothing waits, and everything is answered.
  package var isEmpty: Bool { waiting.isEmpty && open.isEmpty }

  /// The number of the batch that was added last; 0 if none was.
  package var lastNumber: Int { nextNumber - 1 }

  /// The time at which ``lines(at:)`` will have more lines; nil for none.
  package var deadline: Instant? { resendTime }

  /// Sets how many batches may be unanswered.
  package mutating func setCredit(_ credit: Int) { self.credit = credit }

  /// Adds items in as many batches as they need, at least one; the cursors go with the last, whose number is returned.
  /// With `isMoved` the last item is the new address of a feed.
  @discardableResult
  package mutating func add(
    _ items: [[UInt8]], _ cursors: [String: String?] = [:], of subject: UpstreamSubject, check: Int? = nil,
    isMoved: Bool = false
  ) -> Int {
    var rest = items[...]
    while true {
      var count = 0
      var size = 0
      while count < min(rest.count, Self.itemLimit) {
        size += rest[rest.startIndex + count].count
        if count > 0, size > Self.byteLimit { break }
        count += 1
      }
      let part = Array(rest.prefix(count))
      rest = rest.dropFirst(count)
      let isLast = rest.isEmpty
      let reached = isLast ? cursors : [:]
      let line = ConnectorLine.batch(nextNumber, subject, items: part, cursors: reached)
      waiting.append(
        Batch(
          number: nextNumber, subject: subject.name, check: check ?? 0, isLast: isLast && check != nil,
          move: isLast && isMoved ? count - 1 : nil, isEmpty: part.isEmpty, cursors: reached, line: line))
      nextNumber += 1
      bytes += line.count
      if isLast { return nextNumber - 1 }
    }
  }

  /// Drops the waiting batches of a check.
  package mutating func drop(check: Int) {
    for batch in waiting where batch.check == check { bytes -= batch.line.count }
    waiting.removeAll { $0.check == check }
  }

  /// Takes the answer to a batch: done, or to be sent again. Returns the batch; nil for an unknown number.
  package mutating func answered(_ number: String, isDone: Bool, at now: Instant) -> Batch? {
    guard let index = open.firstIndex(where: { String($0.batch.number) == number }) else { return nil }
    let batch = open[index].batch
    if isDone {
      bytes -= open.remove(at: index).batch.line.count
      pause = 1_000
    } else {
      open[index].state = .refusedForNow
    }
    if resendTime == nil, !open.isEmpty, open.allSatisfy({ $0.state == .refusedForNow }) {
      resendTime = now.adding(milliseconds: pause)
      pause = min(pause * 2, Self.longestPause)
    }
    return batch
  }

  /// Returns the lines to send now.
  package mutating func lines(at now: Instant) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    if let time = resendTime, time <= now {
      resendTime = nil
      for index in open.indices {
        open[index].state = .sent
        lines.append(open[index].batch.line)
      }
    }
    guard open.count < credit, open.allSatisfy({ $0.state == .sent }) else { return lines }
    var rest: [Batch] = []
    for batch in waiting {
      guard open.count < credit, !batch.isLast || !open.contains(where: { $0.batch.check == batch.check }) else {
        rest.append(batch)
        continue
      }
      open.append((batch, .sent))
      lines.append(batch.line)
    }
    waiting = rest
    return lines
  }
}

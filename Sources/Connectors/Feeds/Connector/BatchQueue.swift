internal import Dates

/// Batches on their way to the daemon, in order: at most `credit` of them unanswered. Those that could not be stored
/// are sent again, in order, before any other. The last batch of a check, which says how far the feed has been read,
/// waits until the others are answered.
struct BatchQueue {
  /// A batch as a line.
  struct Batch: Equatable {
    let number: Int
    let feed: FeedName
    /// The check that brought it.
    let check: Int
    let isLast: Bool
    /// The index of the item with the feed's new address; nil for none.
    let move: Int?
    let line: [UInt8]
  }

  private enum State {
    case sent
    case refusedForNow
  }

  /// The number of waiting bytes above which nothing more is fetched.
  static let waitingBytes = 4 << 20
  /// The longest pause before batches are sent again, in milliseconds.
  private static let longestPause: Int64 = 60_000

  private var waiting: [Batch] = []
  private var open: [(batch: Batch, state: State)] = []
  private var nextNumber = 1
  private var bytes = 0
  private var pause: Int64 = 1_000
  private var resendTime: Instant?
  private var credit = 1

  /// True if there is so much to send that nothing more should be fetched.
  var isFull: Bool { bytes > Self.waitingBytes }

  /// The time at which ``lines(at:)`` will have more lines; nil for none.
  var deadline: Instant? { resendTime }

  /// Sets how many batches may be unanswered.
  mutating func setCredit(_ credit: Int) { self.credit = credit }

  /// Adds the batch of a check whose line `make` returns for its number.
  mutating func add(_ feed: FeedName, check: Int, isLast: Bool, move: Int?, _ make: (Int) -> [UInt8]) {
    let batch = Batch(number: nextNumber, feed: feed, check: check, isLast: isLast, move: move, line: make(nextNumber))
    nextNumber += 1
    bytes += batch.line.count
    waiting.append(batch)
  }

  /// Drops the waiting batches of a check.
  mutating func drop(check: Int) {
    for batch in waiting where batch.check == check { bytes -= batch.line.count }
    waiting.removeAll { $0.check == check }
  }

  /// Takes the answer to a batch: done, or to be sent again. Returns the batch; nil for an unknown number.
  mutating func answered(_ number: String, isDone: Bool, at now: Instant) -> Batch? {
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
  mutating func lines(at now: Instant) -> [[UInt8]] {
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

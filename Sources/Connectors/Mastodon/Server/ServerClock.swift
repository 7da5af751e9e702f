internal import Dates
internal import HTTPSupport

/// The clock of a server, as the `Date` fields of its last answers tell it.
struct ServerClock {
  private static let answerLimit = 9

  /// What the server's clock was ahead of ours, in milliseconds, for each of the last answers.
  private var offsets: [Int64] = []

  init() {}

  /// Reads the date of an answer.
  mutating func add(date: String?, at now: Instant) {
    guard let date = date.flatMap({ HTTPDate.parse($0, now: now) }) else { return }
    offsets = (offsets + [date.milliseconds - now.milliseconds]).suffix(Self.answerLimit)
  }

  /// Returns the server's time. A wrong date among others changes nothing: the median counts.
  func time(at now: Instant) -> Instant {
    guard !offsets.isEmpty else { return now }
    return now.adding(milliseconds: offsets.sorted()[offsets.count / 2])
  }
}

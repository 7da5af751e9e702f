internal import Dates
internal import Posts

/// The last checks of a feed, as `feed why` shows them.
struct CheckLog: Equatable {
  /// A check.
  struct Check: Equatable {
    var time: Instant
    /// True if validators were sent.
    var wasConditional: Bool
    /// The outcome, as a clause.
    var outcome: String
    var next: Instant?
  }

  /// The most checks that are remembered, and the longest outcome in bytes.
  static let limit = 10
  static let outcomeBytes = 80

  private(set) var checks: [Check] = []

  init() {}

  /// Reads the form that ``text`` writes; what cannot be read is left out.
  init(text: String) {
    for line in text.split(separator: "\n").suffix(Self.limit) {
      let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
      guard words.count == 4, let time = Int64(words[0]), let next = Int64(words[2]) else { continue }
      checks.append(
        Check(
          time: Instant(milliseconds: time), wasConditional: words[1] == "c", outcome: String(words[3]),
          next: next > 0 ? Instant(milliseconds: next) : nil))
    }
  }

  /// Adds a check, and forgets the oldest if there are too many.
  mutating func add(_ check: Check) {
    var check = check
    check.outcome = check.outcome.shortened(to: Self.outcomeBytes)
    checks.append(check)
    if checks.count > Self.limit { checks.removeFirst() }
  }

  /// A line a check: time, whether it was conditional, next time, outcome.
  var text: String {
    checks.map { check in
      let next = check.next.map(\.milliseconds) ?? 0
      return "\(check.time.milliseconds) \(check.wasConditional ? "c" : "u") \(next) \(check.outcome)"
    }.joined(separator: "\n")
  }

  /// The checks as lines for a person, the newest last.
  var sentences: [String] {
    checks.map { check in
      let sent = check.wasConditional ? "asked for changes" : "asked for the whole"
      let next = check.next.map { "; next \(Self.time($0))" } ?? "; not asked again"
      return "\(Self.time(check.time)) \(sent): \(check.outcome)\(next)"
    }
  }

  /// Minutes in UTC, such as `2026-11-24 19:05`.
  private static func time(_ instant: Instant) -> String {
    var text: [UInt8] = []
    Instant(seconds: instant.seconds / 60 * 60).appendISO8601(to: &text)
    return String(decoding: text.prefix(16), as: UTF8.self).replacing("T", with: " ")
  }
}

internal import Dates

/// What a login has posted, as far as it has to be known after a restart. The daemon stores it as a cursor: before a
/// post is sent that it is tried, before the wish is answered that it is there. So of two equal texts each is found
/// once, and a post that was never tried is known to be nowhere.
struct WritingRecord: Equatable {
  /// A post that has been sent, and of which it is not known whether the server has it.
  struct Attempt: Equatable {
    /// The wish.
    var wish: String
    /// When it was sent first and last, by the daemon's clock.
    var first: Instant
    var last: Instant
  }

  /// A status that a wish has made.
  struct Posted: Equatable {
    var wish: String
    var status: String
  }

  /// The most statuses that are remembered: more than the daemon has wishes open.
  static let postedLimit = 64

  var attempt: Attempt?
  /// The newest last.
  private(set) var posted: [Posted] = []

  init() {}

  /// Adds a status that a wish has made, which ends its attempt.
  mutating func add(_ status: String, of wish: String) {
    posted = (posted + [Posted(wish: wish, status: status)]).suffix(Self.postedLimit)
    if attempt?.wish == wish { attempt = nil }
  }

  /// Returns the status that a wish has made; nil if none is known.
  func status(of wish: String) -> String? { posted.last { $0.wish == wish }?.status }

  /// The record as lines of words: `t WISH FIRST LAST` for the attempt, and `p WISH STATUS` for each status.
  var text: String {
    var lines = posted.map { "p \($0.wish) \($0.status)" }
    if let attempt { lines.append("t \(attempt.wish) \(attempt.first.milliseconds) \(attempt.last.milliseconds)") }
    return lines.joined(separator: "\n")
  }

  /// Reads a record. Lines that cannot be read are passed over.
  init(text: String) {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      if words.count == 3, words[0] == "p" {
        posted.append(Posted(wish: words[1], status: words[2]))
      } else if words.count == 4, words[0] == "t", let first = Int64(words[2]), let last = Int64(words[3]) {
        attempt = Attempt(wish: words[1], first: Instant(milliseconds: first), last: Instant(milliseconds: last))
      }
    }
    posted = posted.suffix(Self.postedLimit)
  }
}

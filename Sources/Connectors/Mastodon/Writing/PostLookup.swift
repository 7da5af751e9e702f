internal import Dates
internal import Posts

/// Looks among a login's own statuses for the one that a wish has made, if it has: pages and texts go in.
///
/// A status is the wish's if it is not older, replies to the same status, is not seen by more people, has no more files
/// (some servers pass over those that they do not have), was not made by another wish, and has the text that was sent.
/// The server is asked for that text, since what it shows is formatted; where it does not tell, letters and digits are
/// compared.
struct PostLookup: Equatable {
  enum Question: Equatable {
    /// Own statuses without reposts, the newest first: all, or those below one.
    case page(below: String?)
    /// The text of a status as it was sent.
    case source(String)
  }

  enum Outcome: Equatable {
    case found(OwnStatus)
    /// There is none.
    case absent
    /// There are too many to look at, or not all are shown.
    case unknown
  }

  /// The statuses of a page, and the most pages.
  static let pageSize = 40
  static let pageLimit = 5
  /// A status may be dated this much before the wish, in milliseconds: clocks differ.
  private static let clockTolerance: Int64 = 60_000

  private let writing: Wish.Writing
  private let parent: String?
  private let start: Instant
  private let taken: Set<String>
  private var pages = 0
  private var below: String?
  private var isRead = false
  private var isCutOff = false
  /// Those to be compared, the newest first.
  private var candidates: [OwnStatus] = []
  private var found: OwnStatus?

  /// - Parameters:
  ///   - writing: what was sent, with the visibility that it was sent with.
  ///   - parent: the server's identifier of the status that it replies to.
  ///   - since: when it was written, by the server's clock.
  ///   - taken: the statuses that other wishes have made.
  init(_ writing: Wish.Writing, parent: String?, since: Instant, taken: Set<String>) {
    (self.writing, self.parent, self.taken) = (writing, parent, taken)
    start = since.adding(milliseconds: -Self.clockTolerance)
  }

  /// What to ask; nil if ``outcome`` is known.
  var question: Question? {
    if found != nil { return nil }
    if !isRead { return .page(below: below) }
    return candidates.last.map { .source($0.id) }
  }

  /// What was found; nil while there are questions.
  var outcome: Outcome? {
    if let found { return .found(found) }
    guard question == nil else { return nil }
    // Servers need not show posts for the people mentioned among those of an account.
    return isCutOff || writing.visibility == .direct ? .unknown : .absent
  }

  /// Takes a page.
  mutating func answer(_ page: [OwnStatus]) {
    pages += 1
    candidates += page.filter { status in
      status.created >= start && status.parent == parent && status.media.count <= writing.media.count
        && status.visibility.narrowed.rawValue >= writing.visibility.rawValue && !taken.contains(status.id)
        && !candidates.contains { $0.id == status.id }
    }
    let isRepeated = page.contains { $0.id == below }
    below = page.last?.id
    isRead = page.last.map { $0.created < start } ?? true
    if !isRead, isRepeated || pages == Self.pageLimit { (isRead, isCutOff) = (true, true) }
  }

  /// Takes the text and the warning of the oldest candidate as they were sent; nil if the server does not tell.
  mutating func answer(source: (text: String, warning: String)?) {
    guard let candidate = candidates.popLast() else { return }
    let isSame =
      if let source {
        Self.trimmed(source.text) == Self.trimmed(writing.text)
          && Self.trimmed(source.warning) == Self.trimmed(writing.warning ?? "")
      } else {
        Self.letters(candidate.text) == Self.letters(writing.text)
          && Self.letters(candidate.warning) == Self.letters(writing.warning ?? "")
      }
    if isSame { found = candidate }
  }

  /// The lines of a text without what servers strip.
  private static func trimmed(_ text: String) -> [Substring] {
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    let isBlank: (Substring) -> Bool = { $0.allSatisfy(\.isWhitespace) }
    let rest = lines.drop(while: isBlank)
    let end = rest.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? rest.startIndex
    return rest[..<end].map { line in
      let line = line.drop { $0.isWhitespace }
      return line[..<(line.lastIndex { !$0.isWhitespace }.map { line.index(after: $0) } ?? line.startIndex)]
    }
  }

  /// The letters and digits of a text; of one without any, such as an emoji, all but white space.
  private static func letters(_ text: String) -> String {
    let letters = text.lowercased().filter { $0.isLetter || $0.isNumber }
    return letters.isEmpty ? text.filter { !$0.isWhitespace } : letters
  }
}

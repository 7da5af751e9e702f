import Dates
import Posts
import TestSupport
import Testing

@testable import Search

/// A random pattern with a slow, simple search: from the positions where a part may begin, it derives those where it
/// may end.
private indirect enum Tree {
  case one([Character], isInverted: Bool)
  case assertion(String)
  case sequence([Tree])
  case choice([Tree])
  case repeated(Tree, Int, Int?)

  static let letters: [Character] = ["a", "b", "s", " ", "-"]

  static func random(_ depth: Int, _ random: inout SeededGenerator) -> Tree {
    switch Int.random(in: 0..<(depth == 0 ? 4 : 10), using: &random) {
    case 0...1: return .one([letters.randomElement(using: &random)!], isInverted: false)
    case 2:
      let some = letters.filter { _ in Bool.random(using: &random) }
      return .one(some.isEmpty ? ["a"] : some, isInverted: Bool.random(using: &random))
    case 3:
      return Int.random(in: 0..<3, using: &random) > 0
        ? .one([], isInverted: true) : .assertion(["^", "$", "\\b", "\\B"].randomElement(using: &random)!)
    case 4...5: return .sequence((0..<Int.random(in: 0...4, using: &random)).map { _ in .random(depth - 1, &random) })
    case 6...7: return .choice((0..<Int.random(in: 2...3, using: &random)).map { _ in .random(depth - 1, &random) })
    default:
      let least = Int.random(in: 0...2, using: &random)
      let most = Bool.random(using: &random) ? nil : least + Int.random(in: 0...2, using: &random)
      return .repeated(.random(depth - 1, &random), least, most)
    }
  }

  var pattern: String {
    switch self {
    case .one(let some, let isInverted):
      if some.isEmpty { return "." }
      return some.count == 1 && !isInverted ? String(some) : "[\(isInverted ? "^" : "")\(String(some))]"
    case .assertion(let assertion): return assertion
    case .sequence(let parts):
      return parts.map { if case .choice = $0 { "(\($0.pattern))" } else { $0.pattern } }.joined()
    case .choice(let parts): return parts.map(\.pattern).joined(separator: "|")
    case .repeated(let part, let least, let most):
      let times =
        switch (least, most) {
        case (0, nil): "*"
        case (1, nil): "+"
        case (0, 1): "?"
        case (_, nil): "{\(least),}"
        case (_, let most?): least == most ? "{\(least)}" : "{\(least),\(most)}"
        }
      return "(\(part.pattern))\(times)"
    }
  }

  func ends(_ starts: Set<Int>, _ text: [Character]) -> Set<Int> {
    switch self {
    case .one(let some, let isInverted):
      return Set(starts.filter { $0 < text.count && some.contains(text[$0]) != isInverted }.map { $0 + 1 })
    case .assertion(let assertion):
      return starts.filter { start in
        let (before, after) = (start > 0 && text[start - 1].isLetter, start < text.count && text[start].isLetter)
        return assertion == "^"
          ? start == 0 : assertion == "$" ? start == text.count : (before != after) == (assertion == "\\b")
      }
    case .sequence(let parts): return parts.reduce(starts) { $1.ends($0, text) }
    case .choice(let parts): return parts.reduce([]) { $0.union($1.ends(starts, text)) }
    case .repeated(let part, let least, let most):
      var ends = (0..<least).reduce(starts) { found, _ in part.ends(found, text) }
      var found = ends
      for _ in least..<(most ?? least + text.count + 1) {
        ends = part.ends(ends, text)
        found.formUnion(ends)
      }
      return found
    }
  }
}

@Suite("Patterns against reference implementations")
struct PatternLawTests {
  /// Spellings of letters that are equal in a search.
  private static let spellings: [Character: [String]] = [
    "a": ["a", "A", "á", "A\u{30A}", "ａ"], "b": ["b", "B", "ｂ"], "s": ["s", "S", "š"],
  ]

  @Test(
    "random patterns find the same as a slow, simple search",
    arguments: seeds(1...60 as ClosedRange<UInt64>)) func oracle(seed: UInt64) throws
  {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let tree = Tree.random(4, &random)
      guard let pattern = try? TextPattern(parsing: tree.pattern) else {
        #expect(
          throws: tree.pattern.isEmpty
            ? PatternError(mistake: .empty, position: 1) : PatternError(mistake: .tooLarge, position: 1)
        ) {
          try TextPattern(parsing: tree.pattern)
        }
        continue
      }
      var matcher = PatternMatcher(pattern.program)
      for _ in 0..<10 {
        let text = (0..<Int.random(in: 0...7, using: &random)).map { _ in Tree.letters.randomElement(using: &random)! }
        let typed = text.map { Self.spellings[$0]?.randomElement(using: &random) ?? String($0) }.joined()
        let isFound = !tree.ends(Set(0...text.count), text).isEmpty
        let result = matcher.isFound(in: typed)
        #expect(result == isFound, "seed \(seed): /\(tree.pattern)/ in \"\(typed)\"")
      }
    }
  }

  @Test("random patterns find the same as Swift's Regex", arguments: seeds(1...20 as ClosedRange<UInt64>)) func regexes(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed &* 1000)
    for _ in 0..<20 {
      let tree = Tree.random(2, &random)
      guard let pattern = try? TextPattern(parsing: tree.pattern) else { continue }
      let regex = try Regex(tree.pattern).dotMatchesNewlines().wordBoundaryKind(.simple)
      var matcher = PatternMatcher(pattern.program)
      for _ in 0..<5 {
        let text = String(
          (0..<Int.random(in: 0...6, using: &random)).map { _ in Tree.letters.randomElement(using: &random)! })
        let isFound = text.firstMatch(of: regex) != nil
        let result = matcher.isFound(in: text)
        #expect(result == isFound, "seed \(seed): /\(tree.pattern)/ in \"\(text)\"")
      }
    }
  }

  @Test(
    "no search takes more steps than text length times pattern states",
    arguments: [
      "(a*)*b", "(a|a)*c", "(a|aa)+$", "(x+x+)+y", "(a+)+$b", "((a{0,8}){0,7}){0,7}b", "(.*)(.*)(.*)(.*)(.*)z",
      "(a?){300}a{300}", "(a|b)*a(a|b){100}c", "(.{0,400})\\bq",
      "((a*)*)*((b*)*)*c", "(a|b|ab|ba|aa|bb)*c", "((a|b)?){200}c", "^(([ab])+.)+[^ab]$", "(\\ba|b\\B){1,99}!",
    ])
  func hostile(written: String) throws {
    let program = try TextPattern(parsing: written).program
    var matcher = PatternMatcher(program)
    var random = SeededGenerator(seed: 7)
    let length = 2000
    for text in [
      String(repeating: "a", count: length), String((0..<length).map { _ in Bool.random(using: &random) ? "a" : "b" }),
    ] {
      let before = matcher.steps
      _ = matcher.isFound(in: text)
      #expect(matcher.steps - before <= (length + 1) * (program.states.count + 1), "/\(written)/")
    }
  }

  @Test("a warm matcher takes one step a character") func warm() throws {
    var matcher = PatternMatcher(try TextPattern(parsing: "\\bott.r(s|ly)?\\b|sea+l").program)
    let text = "The ott and the seel are no ottler, and so on and so forth."
    var steps: [Int] = []
    for _ in 0..<3 {
      let before = matcher.steps
      let isFound = matcher.isFound(in: text)
      #expect(!isFound)
      steps.append(matcher.steps - before)
    }
    #expect(steps[0] > steps[1] && steps[1] == text.utf8.count + 1 && steps[2] == steps[1])
  }

  @Test("results are right when the table overflows") func overflow() throws {
    var matcher = PatternMatcher(try TextPattern(parsing: "a[ab]{12}$").program)
    var random = SeededGenerator(seed: 3)
    var found = 0
    for _ in 0..<200 {
      let text = (0..<60).map { _ in Bool.random(using: &random) ? "a" : "b" as Character }
      let isThere = text[60 - 13] == "a"
      found += isThere ? 1 : 0
      let result = matcher.isFound(in: String(text))
      #expect(result == isThere)
    }
    #expect((50...150).contains(found))
  }

  @Test(
    "garbage is refused in one line, or is a filter with a canonical spelling",
    arguments: seeds(1...40 as ClosedRange<UInt64>)
  )
  func rubbish(seed: UInt64) {
    let pieces = [
      "(", ")", "[", "]", "{", "}", "\\", "/", "-", "^", "$", "|", "*", "+", "?", ".", ",", ":", "=", "!", "<", "a",
      "Z", "d", "w", "1", "9", "30",
      " ", "\"", "ß", "é", "\u{301}", "東", "ｄ", "😀", "\n", "\u{0}", "(?", "[^", "\\b", "{2,", "/ /", " -/",
    ]
    var random = SeededGenerator(seed: seed)
    let post = StoredPost(
      id: PostID(1), subject: PostID(1), createdAt: Instant(milliseconds: 0), author: AuthorID(4), repostedBy: nil,
      owner: AccountID(1), inReplyTo: nil,
      body: PackedBody(PostBody(text: "a Zd(1) 30 東京 ß é😀")), audience: .everyone)
    var accepted = 0
    for _ in 0..<150 {
      let inner = (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random)! }
        .joined()
      do throws(PostFilterError) {
        let filter = try PostFilter(parsing: "/\(inner)/")
        accepted += 1
        #expect(PostFilter(canonical: filter.canonical) == filter, "seed \(seed): \(inner.debugDescription)")
        var matchers = [filter, PostFilter(canonical: filter.canonical) ?? filter].map { FilterMatcher($0, since: nil) }
        let answers = matchers.indices.map { matchers[$0].passes(post, by: ["ann"], for: AccountID(1)) }
        #expect(answers[0] == answers[1], "seed \(seed): \(inner.debugDescription)")
      } catch {
        #expect(
          !error.message.contains("\n") && !error.message.isEmpty && !error.message.hasSuffix("."),
          "seed \(seed): \(inner.debugDescription)")
      }
    }
    #expect(accepted > 0)
  }
}

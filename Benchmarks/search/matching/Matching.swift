// Measures matching a post against open searches. Prints one line per figure, `name<TAB>nanoseconds of CPU a post`.
// Usage: matching CORPUS [POSTS]
import Dates
import Measuring
import Posts
import Search

@main
enum Matching {
  static func main() {
    let corpus = Corpus(CommandLine.arguments[1])
    let posts = (0..<(CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 50_000)).map { corpus.post($0) }
    let stored = posts.enumerated().map { number, post in
      StoredPost(
        id: PostID(Int64(number)), subject: PostID(Int64(number)), createdAt: post.createdAt, author: AuthorID(1),
        repostedBy: nil,
        owner: AccountID(1), inReplyTo: nil, body: PackedBody(post.body))
    }
    measure("a post, unpacked", posts.count) { _ = stored[$0].body.unpacked()! }
    var text = SearchText()
    measure("a post, cut into tokens", posts.count) { text.read(posts[$0].body) }
    for (name, queries) in [
      ("no open search", []), ("1 open search", [fruitless(0)]), ("1,000 open searches", (0..<1_000).map(fruitless)),
      ("1,000 searches for common words", popular),
    ] {
      var index = SearchIndex()
      for query in queries { _ = index.open(try! SearchQuery(parsing: query)) }
      var found = 0
      measure("a post, asked by \(name)", posts.count) {
        found += index.matches(stored[$0], by: [posts[$0].author.handle]).count
      }
      printFigure("a post, asked by \(name): found", Double(found) / Double(rounds + 1) / Double(posts.count))
    }
  }

  static let rounds = 5

  /// Returns a realistic search with common words that finds no posts.
  static func fruitless(_ number: Int) -> String {
    let common = ["the", "of", "coffee", "tomorrow", "version", "project", "music", "thread"][number % 8]
    return switch number % 10 {
    case 0: "\(common) zyx\(number)"
    case 1: "\"\(common) zyx\(number)\""
    case 2: "from:nobody\(number) \(common)"
    case 3: "#zyx\(number)"
    case 4: "@zyx\(number) has:link"
    case 5: "zyx\(number) -\(common) after:2017-01-01"
    case 6: "zyxé\(number) \(common) before:2100-01-01"
    case 7: "龘龘\(Unicode.Scalar(UInt32(0x4E00 + number))!)"
    case 8: "\"zyx\(number) of the\""
    default: "zyx\(number)"
    }
  }

  /// A thousand searches for three common words each. Every post matches a few of them.
  static let popular: [String] = {
    let words = [
      "the", "of", "and", "to", "in", "that", "he", "was", "for", "on", "coffee", "tomorrow", "version", "project",
      "music",
    ]
    return (0..<1_000).map { "\(words[$0 % 15]) \(words[$0 / 15 % 15]) \(words[$0 / 225 % 15])" }
  }()

  static func measure(_ name: String, _ count: Int, _ body: (Int) -> Void) {
    for index in 0..<count { body(index) }
    for _ in 0..<rounds {
      let began = cpuSeconds()
      for index in 0..<count { body(index) }
      printFigure(name, (cpuSeconds() - began) / Double(count) * 1e9)
    }
  }
}

// Measures the cost of the word index when posts are stored, and of searching. Prints one line per figure,
// `name<TAB>value`; times are nanoseconds of CPU unless the name says otherwise.
// Usage: storing CORPUS FOLDER POSTS [peers]
import Dates
import Glibc
import Measuring
import Posts
import Search
@testable import Store

@main
enum Storing {
  static let repetitions = 5
  static let batch = 1_000

  static func main() throws {
    let arguments = CommandLine.arguments
    let corpus = Corpus(arguments[1])
    let folder = arguments[2]
    let count = Int(arguments[3])!
    let store = try PostStore(path: "\(folder)/posts.db", epoch: 7)
    let ann = try account(store, 1_000, "ann")
    let bob = try account(store, 1_001, "bob")
    try fill(store, ann, bob, corpus, count)
    printFigure(
      "index a post (bytes)",
      Double(try store.database.integer("SELECT sum(length(block)) FROM search_data")) / Double(count))
    try search(store, ann, count)
    try write(store, ann, corpus, count)
    if arguments.dropFirst(4).first == "peers" { try Peers(folder, corpus, count).run() }
  }

  static func account(_ store: PostStore, _ uid: UInt32, _ name: String) throws -> AccountID {
    let outcome = try store.commit([.openAccount(uid: uid, name: name)]).outcomes[0]
    guard case .accountOpened(let account) = outcome else { fatalError("\(outcome)") }
    return account.id
  }

  /// Returns the text of a post. Odd posts are bob's private ones and begin with "zebra"; so does every 2,000th post.
  /// Every fourth post begins with "the", after any "zebra".
  static func text(_ corpus: Corpus, _ index: Int) -> SafeText {
    let start =
      if index % 2 == 1 { "zebra " } else if index % 2_000 == 0 { "zebra the " } else if index % 4 == 0 { "the " } else
      { "" }
    return SafeText(trusted: Array(start.utf8) + corpus.text(index).utf8)
  }

  static func fill(_ store: PostStore, _ ann: AccountID, _ bob: AccountID, _ corpus: Corpus, _ count: Int) throws {
    var slowest = 0.0
    var cpu = 0.0
    let began = wallSeconds()
    for start in stride(from: 0, to: count, by: batch) {
      let range = start..<min(count, start + batch)
      let shared = range.filter { $0 % 2 == 0 }.map { corpus.post($0, text(corpus, $0)) }
      let others = range.filter { $0 % 2 == 1 }.map { corpus.post($0, text(corpus, $0), .direct) }
      let before = cpuSeconds()
      _ = try store.commit([.importBatch(shared, owner: ann), .importBatch(others, owner: bob)])
      let taken = cpuSeconds() - before
      cpu += taken
      slowest = max(slowest, taken)
    }
    printFigure("import a post", cpu / Double(count) * 1e9)
    printFigure("import posts/s (wall)", Double(count) / (wallSeconds() - began))
    printFigure("slowest import of \(batch), ms", slowest * 1e3)
  }

  static func search(_ store: PostStore, _ ann: AccountID, _ count: Int) throws {
    let middle = Instant(milliseconds: 1_500_000_000_000 + Int64(count / 2) * 300_000).iso8601
    for (name, text) in [
      ("a common word", "the"), ("a common word before the middle", "the before:\(middle)"),
      ("two words", "water coffee"),
      ("a phrase", "\"of the\""), ("a word and an author", "the from:u77"), ("an author", "from:u76"),
      ("without a word", "-the"),
      ("a link", "has:link"), ("a rare word", "tokyozz"), ("a character", "の"), ("two characters", "東京"),
      ("a word that others have", "zebra"),
      ("sixteen words", "the of and to a in is it you that he was for on are with"),
    ] {
      let query = try SearchQuery(parsing: text)
      var found = (posts: 0, total: 0)
      for _ in 0...repetitions {
        let began = wallSeconds()
        let page = try store.search(query, for: ann, limit: 400)
        printFigure("\(name): 400 hits ms (wall)", (wallSeconds() - began) * 1e3)
        found = (page.posts.count, page.total)
      }
      printFigure("\(name): found", Double(found.posts))
      printFigure("\(name): total", Double(found.total))
    }
    let query = try SearchQuery(parsing: "the")
    var key: OrderKey?
    for _ in 0..<24 { key = try store.search(query, for: ann, before: key, limit: 400).posts.last?.orderKey }
    for _ in 0..<repetitions {
      let began = wallSeconds()
      _ = try store.search(query, for: ann, before: key, limit: 400)
      printFigure("a common word, hits 9,601 to 10,000 ms (wall)", (wallSeconds() - began) * 1e3)
    }
  }

  /// Measures commits of one and of fifty posts, written by a user.
  static func write(_ store: PostStore, _ ann: AccountID, _ corpus: Corpus, _ count: Int) throws {
    var next = count
    for (size, commits) in [(1, 4_000), (50, 1_000)] {
      var times: [Double] = []
      for _ in 0..<commits {
        let writes = (next..<next + size).map { index in
          let post = corpus.post(index, text(corpus, index))
          return Write.compose(
            Composition(account: ann, body: post.body, createdAt: post.createdAt))
        }
        next += size
        let before = cpuSeconds()
        _ = try store.commit(writes)
        times.append((cpuSeconds() - before) * 1e3)
      }
      times.sort()
      for (name, part) in [("median", 0.5), ("p99", 0.99), ("p99.9", 0.999)] {
        printFigure("a commit of \(size): \(name) ms", times[Int(Double(times.count) * part)])
      }
      printFigure("a commit of \(size): mean ms", times.reduce(0, +) / Double(times.count))
      printFigure("a commit of \(size): slowest ms", times.last!)
    }
  }
}

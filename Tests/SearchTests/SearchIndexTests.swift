import Dates
import Posts
import TestSupport
import Testing

@testable import Search

@Suite("Open searches")
struct SearchIndexTests {
  /// True if an index with only this search finds a post.
  static func finds(
    _ query: String, in text: String, at instant: Instant = Instant(seconds: 0), by handle: SafeText = "ann"
  ) throws -> Bool {
    var index = SearchIndex()
    let id = index.open(try SearchQuery(parsing: query))
    let text = SafeText(text)
    return index.matches(PostBody(text: text, spans: TextSpans.find(in: text)), at: instant, by: [handle]) == [id]
  }

  @Test(
    "a query finds matching posts",
    arguments: [
      ("cat", "The Cat sat"), ("cat sat", "sat the cat"), ("\"the cat\"", "THE (cat)"), ("\"cat sat\"", "cat,\nsat"),
      ("cafe", "CAFÉ"),
      ("café", "cafe\u{301}"), ("don't", "I don’t"), ("京", "東京"), ("京", "京都"), ("東京", "大東京都"), ("東京都", "東京都です"),
      ("서울", "서울에서"),
      ("กรุง", "กรุงเทพ"), ("\"iPhoneを\"", "新しいiPhoneを買う"), ("\"hello 東\"", "hello 東京"), ("#cats", "my #Cats!"),
      ("cats", "my #Cats!"),
      ("@ann", "hey @Ann."), ("has:link", "see https://a.b/c"), ("example", "http://example.org"), ("-dog", "cat"),
      ("cat -dog", "cat"),
      ("cat -\"a dog\"", "cat dog a"), ("-has:link", "cat"), ("from:ANN", "x"), ("from:bob from:ann", "x"),
      ("-from:bob", "x"),
      ("after:1970-01-01", "x"), ("before:1970-01-02", "x"), ("ああああ", "ああああ"), ("🎉 cat", "cat"),
    ])
  func found(query: String, text: String) throws { #expect(try Self.finds(query, in: text)) }

  @Test(
    "a query does not find other posts",
    arguments: [
      ("cat", "cats"), ("cat sat", "cat"), ("\"the cat\"", "the big cat"), ("\"cat sat\"", "sat cat"), ("東京都", "東京。京都"),
      ("東京都", "東京 都"),
      ("\"京 hello\"", "京都 hello"), ("京", "東"), ("#cat", "cat"), ("#cat", "#cats"), ("@ann", "ann"),
      ("has:link", "link"), ("-cat", "cat"),
      ("cat -dog", "dog cat"), ("from:bob", "x"), ("-from:Ann", "x"), ("after:1970-01-02", "x"),
      ("before:1970-01-01", "x"), ("ああああ", "あああ"),
    ])
  func missed(query: String, text: String) throws { #expect(try !Self.finds(query, in: text)) }

  @Test("authors match by their current handle, and searches that name a handle can be listed") func renamed()
    throws
  {
    var index = SearchIndex()
    let ann = index.open(try SearchQuery(parsing: "from:ann"))
    let others = index.open(try SearchQuery(parsing: "-from:Ann"))
    let cats = index.open(try SearchQuery(parsing: "cats"))
    #expect(Set(index.searches(naming: ["ANN", "eve"])) == [ann, others])
    #expect(index.searches(naming: ["eve"]).isEmpty)
    let body = PostBody(text: "cats")
    #expect(Set(index.matches(body, at: Instant(seconds: 0), by: ["eve"])) == [others, cats])
    #expect(
      Set(index.matches(body, at: Instant(seconds: 0), by: ["Ann"])) == [ann, cats],
      "a new author of this name is found too")
  }

  @Test("an author is found by each name, once, and by none without names") func names() throws {
    var index = SearchIndex()
    let ann = index.open(try SearchQuery(parsing: "from:ann"))
    let either = index.open(try SearchQuery(parsing: "from:ann from:annie"))
    let neither = index.open(try SearchQuery(parsing: "-from:annie cats"))
    func found(_ names: [SafeText]) -> [SearchID] {
      index.matches(PostBody(text: "cats"), at: Instant(seconds: 0), by: names).sorted { $0.rawValue < $1.rawValue }
    }
    #expect(found(["annie", "Ann"]) == [ann, either])
    #expect(found(["ann"]) == [ann, either, neither])
    #expect(found([]) == [neither])
  }

  @Test("a closed search finds nothing, and its number is reused") func closing() throws {
    var index = SearchIndex()
    let cats = index.open(try SearchQuery(parsing: "cats"))
    let cats2 = index.open(try SearchQuery(parsing: "cats"))
    let all = index.open(try SearchQuery(parsing: "-dogs"))
    index.close(cats)
    #expect(index.count == 2)
    #expect(Set(index.matches(PostBody(text: "cats"), at: Instant(seconds: 0), by: ["a"])) == [cats2, all])
    #expect(index.open(try SearchQuery(parsing: "dogs")) == cats)
    index.close(cats2)
    index.close(all)
    index.close(cats)
    #expect(index.count == 0 && index.matches(PostBody(text: "cats"), at: Instant(seconds: 0), by: ["a"]).isEmpty)
  }

  @Test("stored posts are matched, also with a damaged body") func stored() throws {
    var index = SearchIndex()
    let id = index.open(try SearchQuery(parsing: "cats"))
    var post = StoredPost(
      id: PostID(1), subject: PostID(1), createdAt: Instant(seconds: 0), author: AuthorID(1), repostedBy: nil,
      owner: AccountID(1),
      inReplyTo: nil, body: PackedBody(PostBody(text: "cats")))
    #expect(index.matches(post, by: ["a"]) == [id])
    let damaged = index.open(try SearchQuery(parsing: "-cats"))
    post.body = PackedBody(trusted: [9])
    #expect(index.matches(post, by: ["a"]) == [damaged], "it has no words")
  }

  @Test("searches are filed under their rarest token") func rareness() throws {
    var sightings = Sightings()
    let query = try SearchQuery(parsing: "internationally cat")
    let search = OpenSearch(query)
    let hashes = query.required.map { tokenHash($0.tokens[0], $0.tokens[0].indices) }
    #expect(search.rarestKeys(sightings) == [hashes[1]], "the longer word, with no frequencies known")
    for _ in 0..<10 { sightings.count(tokenHash: hashes[1]) }
    #expect(search.rarestKeys(sightings) == [hashes[0]])
    var index = SearchIndex()
    let id = index.open(query)
    for _ in 0..<1_000 {
      #expect(index.matches(PostBody(text: "internationally"), at: Instant(seconds: 0), by: ["a"]).isEmpty)
    }
    #expect(index.matches(PostBody(text: "cat internationally"), at: Instant(seconds: 0), by: ["a"]) == [id])
  }

  @Test(
    "searches find the same as a simple implementation while they open and close",
    arguments: seeds(0..<8 as Range<UInt64>))
  func law(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var index = SearchIndex()
    var open: [SearchID: SearchQuery] = [:]
    var hits = 0
    for _ in 0..<250 {
      while open.count < 40 {
        guard let query = try? SearchQuery(parsing: RandomSearch.query(using: &generator)) else { continue }
        open[index.open(query)] = query
      }
      if let id = open.keys.min(by: { $0.rawValue < $1.rawValue }), Int.random(in: 0..<3, using: &generator) == 0 {
        index.close(id)
        open[id] = nil
      }
      let body = RandomSearch.body(using: &generator)
      let instant = RandomSearch.instant(using: &generator)
      let handle = SafeText(RandomSearch.handles.randomElement(using: &generator)!)
      let expected = open.filter { ReferenceSearch.finds($0.value, body, at: instant, by: [handle]) }
      let found = index.matches(body, at: instant, by: [handle])
      #expect(Set(found) == Set(expected.keys) && found.count == expected.count, "seed \(seed): \(body.text)")
      hits += found.count
    }
    #expect(hits > 300, "enough posts are found")
  }

  @Test("a search with two words of the same key is filed once and removed once") func collision() {
    var keys = KeyTable()
    for _ in 0..<2 { keys.insert(7, 42) }
    keys.insert(8, 42)
    #expect(keys[42] == [7, 8])
    for _ in 0..<2 { keys.remove(7, 42) }
    #expect(keys[42] == [8] && keys.mayHave(42))
    for _ in 0..<2 { keys.remove(8, 42) }
    #expect(keys[42] == [] && !keys.mayHave(42))
  }
}

extension SearchIndex {
  /// Returns the searches that find a post without marks.
  fileprivate mutating func matches(_ body: PostBody, at instant: Instant, by names: [SafeText]) -> [SearchID] {
    matches(body, at: instant, by: names, marks: .none, owner: AccountID(1))
  }
}

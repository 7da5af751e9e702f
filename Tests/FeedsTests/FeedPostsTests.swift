import Dates
import HTTPSupport
import Posts
import Testing

@testable import Feeds

@Suite("Posts of items")
struct FeedPostsTests {
  static let now = Instant(seconds: 1_790_000_000)

  private func read(_ items: String, known: KnownItems = KnownItems(), at now: Instant = now, lifts: Bool = false)
    throws -> FeedPosts
  {
    let text = """
      <rss version="2.0"><channel><title>Town</title><link>https://town.example/news/</link>\(items)</channel></rss>
      """
    let url = try #require(WebURL("https://feeds.example/town.xml"))
    return FeedPosts(
      try FeedDocumentReader.read(Array(text.utf8)), feed: "f7", at: url, known: known,
      liftsEdited: lifts, now: now)
  }

  private func item(_ guid: String, _ title: String, link: String = "", more: String = "") -> String {
    let link = link.isEmpty ? "" : "<link>\(link)</link>"
    let guid = guid.isEmpty ? "" : "<guid isPermaLink=\"false\">\(guid)</guid>"
    return "<item>\(guid)<title>\(title)</title>\(link)\(more)</item>"
  }

  @Test("a post is the title, an empty line and the text, with links resolved") func text() throws {
    let posts = try read(
      item(
        "1", "Market &amp; fair", link: "a.html",
        more: """
          <description>&lt;p&gt;On &lt;a href="map.html"&gt;the square&lt;/a&gt;, &lt;a href="javascript:x"&gt;no&lt;/a&gt;.&lt;/p&gt;</description>
          <pubDate>Mon, 07 Sep 2026 10:00:00 GMT</pubDate><enclosure url="/day.mp3" type="audio/mpeg" length="1"/>
          """)
    ).posts
    let post = try #require(posts.first)
    #expect(post.source == "feed" && post.author.nativeID == "f7")
    #expect(post.body.text == "Market & fair\n\nOn the square, no.")
    #expect(post.body.spans.map(\.target.string) == ["https://town.example/news/map.html"])
    #expect(post.body.spans.first?.range == 18..<28)
    #expect(post.body.permalink == "https://town.example/news/a.html")
    #expect(post.createdAt == Instant(seconds: 1_788_775_200))
    #expect(post.body.media.first == Media(kind: .audio, url: "https://town.example/day.mp3", altText: .empty))
  }

  @Test("a title that the text repeats stands once; an item without text is its address") func repeated() throws {
    let posts = try read(
      item("1", "A bird is…", more: "<description>A bird is on the roof.</description>")
        + item("2", "", link: "https://town.example/2") + item("3", "")
    ).posts
    #expect(posts.map(\.body.text) == ["A bird is on the roof.", "https://town.example/2", "…"])
  }

  @Test("what is known and unchanged is not brought again; what changed is brought as edited, with its old date")
  func again() throws {
    let first = try read(item("1", "One") + item("2", "Two"))
    #expect(first.newCount == 2)
    #expect(first.posts.map(\.createdAt.seconds) == [Self.now.seconds, Self.now.seconds - 1])
    let later = Instant(seconds: Self.now.seconds + 3_600)
    #expect(try read(item("1", "One") + item("2", "Two"), known: first.known, at: later).posts.isEmpty)
    let second = try read(item("3", "Three") + item("1", "One, better"), known: first.known, at: later)
    #expect(second.newCount == 1 && second.posts.map(\.body.text) == ["Three", "One, better"])
    let edited = try #require(second.posts.last)
    #expect(edited.nativeID == first.posts[0].nativeID && edited.createdAt == Self.now)
    #expect(edited.body.flags == .edited)
    #expect(edited.createdAt == Self.now)
    let lifted = try read(item("1", "One, best"), known: first.known, at: later, lifts: true)
    #expect(lifted.posts.map(\.createdAt) == [later] && lifted.known.items[0].date == later)
    // An item that vanished and came back is not new.
    #expect(try read(item("2", "Two"), known: second.known, at: later).posts.isEmpty)
  }

  @Test("two items with one identifier are two, and three of them with one link are one") func duplicates() throws {
    let posts = try read(
      item("1", "One", link: "a") + item("1", "Two", link: "b") + item("1", "Three", link: "b")
        + item("1", "1", link: "a"))
    #expect(posts.posts.map(\.body.text) == ["One", "Two", "1"])
    #expect(Set(posts.posts.map(\.nativeID)).count == 3)
  }

  @Test("a feed that gives all items new identifiers keeps its posts") func renamed() throws {
    let links = (0..<10).map { "https://town.example/\($0)" }
    let first = try read(links.enumerated().map { item("old\($0)", "T\($0)", link: $1) }.joined())
    let again = try read(links.enumerated().map { item("new\($0)", "T\($0)", link: $1) }.joined(), known: first.known)
    #expect(again.posts.isEmpty)
    let edit = try read(item("new3", "T3 more", link: links[3]), known: KnownItems(text: again.known.text.utf8))
    #expect(edit.posts.map(\.nativeID) == [first.posts[3].nativeID])
    // One in ten is a new item that has an old one's link.
    let mixed = try read(
      item("x", "X", link: links[0]) + (1..<10).map { item("old\($0)", "T\($0)", link: links[$0]) }.joined(),
      known: first.known)
    #expect(mixed.newCount == 1)
  }

  @Test(
    "a date that cannot be is when the item was first seen",
    arguments: ["", "nonsense", "1 Jan 0001 00:00:00 GMT", "1 Jan 1989 00:00:00 GMT", "31 Dec 9999 23:59:59 GMT"])
  func dates(text: String) throws {
    let posts = try read(item("1", "One", more: "<pubDate>\(text)</pubDate>")).posts
    #expect(posts.map(\.createdAt) == [Self.now])
  }

  @Test("a long text is cut at a word, with its links") func long() throws {
    let words = String(repeating: "word ", count: 5_000) + "&lt;a href='https://x.example'&gt;x&lt;/a&gt;"
    let post = try #require(try read(item("1", "Long", more: "<description>\(words)</description>")).posts.first)
    #expect(post.body.text.count <= ItemText.textBytes && post.body.text.string.hasSuffix("word…"))
    #expect(post.body.spans.isEmpty)
  }

  @Test("more items than can be remembered are brought once") func many() throws {
    let all = (0..<2_000).map { item("\($0)", "T\($0)") }
    let first = try read(all.joined())
    #expect(first.posts.count == 2_000 && first.known.isFull)
    let again = try read(item("new", "New") + all.joined(), known: KnownItems(text: first.known.text.utf8))
    #expect(again.posts.map(\.body.text) == ["New"])
  }

  @Test("no item is too large for the daemon, whatever is in it") func huge() throws {
    let long = String(repeating: "a/", count: 3_900)
    let links = String(repeating: "&lt;a href='b?\\\\\\'&gt;x&lt;/a&gt;", count: 20_000)
    let enclosures = (0..<2_000).map { "<enclosure url='\($0)?\\\\' type='audio/mpeg'/>" }.joined()
    let mail = "&lt;a href='mailto:\(String(repeating: "ä", count: 100_000))'&gt;mail&lt;/a&gt;"
    let item = item(
      "1", String(repeating: "\"", count: 1_000), link: "p",
      more: "<description>\(mail)\(links)\(String(repeating: "\"", count: 20_000))</description>\(enclosures)"
    ).replacing("<item>", with: "<item xml:base='https://e.example/\(long)'>")
    let post = try #require(try read(item).posts.first)
    #expect(post.body.byteCount <= PostBody.byteLimit && post.body.media.count == FeedPosts.mediaLimit)
    #expect((1...ItemText.linkLimit).contains(post.body.spans.count))
    #expect(post.body.spans.reduce(0) { $0 + $1.target.count } <= ItemText.linkBytes)
    let short = String(repeating: "&lt;a href='b'&gt;x&lt;/a&gt;", count: 20_000)
    let many = try #require(try read(self.item("1", "", more: "<description>\(short)</description>")).posts.first)
    #expect(many.body.spans.count == ItemText.linkLimit)
  }

  @Test("an item has at most 64 enclosures and authors, each once") func lists() throws {
    let items = (0..<1_000).map { "<enclosure url='\($0 / 2)'/><author>a\($0 / 2)</author>" }.joined()
    let text = "<rss version='2.0'><channel><item>\(items)</item></channel></rss>"
    let facts = try #require(try FeedDocumentReader.read(Array(text.utf8)).items.first)
    #expect(facts.enclosures.map { String(decoding: $0.url, as: UTF8.self) } == (0..<64).map { "\($0)" })
    #expect(facts.authors.count == 64)
  }
}

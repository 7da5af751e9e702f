import HTTPSupport
import TestSupport
import Testing

@testable import Feeds

@Suite("Lists of subscriptions")
struct OPMLTests {
  private func outline(_ url: String, _ title: String = "", lists: [String] = []) throws -> OPML.Outline {
    OPML.Outline(url: try #require(WebURL(url)), title: Array(title.utf8), lists: lists)
  }

  @Test("nested outlines are lists, and an address counts once") func reading() throws {
    let document = """
      <?xml version="1.0"?>
      <opml version="1.0"><head><title>mine</title></head><body>
        <outline text="News">
          <outline text="Daily" title="The Daily" type="rss" xmlUrl="https://a.example/feed?x=1&amp;y=2" htmlUrl="https://a.example" rating="5"/>
          <outline text="Far away"><outline text="b" XMLURL="http://b.example/"/></outline>
        </outline>
        <outline title="Both/ways"><outline xmlurl="https://a.example/feed?x=1&y=2" text="again"/></outline>
        <outline text="top" xmlUrl="https://c.example/rss"/>
        <outline text="wrong" xmlUrl="feed.xml"/><outline text="empty"/>
      """
    let list = try #require(OPML(Array(document.utf8)))
    #expect(list.refused.map { $0.address } == ["feed.xml"])
    #expect(
      list.outlines.map(\.url.text) == ["https://a.example/feed?x=1&y=2", "http://b.example/", "https://c.example/rss"])
    #expect(list.outlines.map(\.lists) == [["News", "Both-ways"], ["News/Far away"], []])
    #expect(list.outlines.map { String(decoding: $0.title, as: UTF8.self) } == ["The Daily", "b", "top"])
    #expect(
      list.outlines.map { String(decoding: $0.attributes.text, as: UTF8.self) } == [
        #"htmlUrl="https://a.example" rating="5""#, "", "",
      ])
  }

  @Test("newsboat's tags are lists as OPML has them") func newsboat() throws {
    let list = try #require(OPML(newsboat: Array("https://a.example/ \"a//b\" / a/b ! x".utf8)))
    #expect(list.outlines.map(\.lists) == [["a/b", "x"]])
    #expect(OPML(list.written(title: ""))?.outlines.map(\.lists) == [["a/b", "x"]])
  }

  @Test(
    "newsboat's lines that are not addresses are left out with a reason",
    arguments: [
      ("\"query:Unread:unread = \\\"yes\\\"\"", "a query;"), ("exec:~/bin/feed.sh tag", "runs no programs"),
      ("\"filter:~/strip.pl:https://a.example/\"", "runs no programs"),
      ("gopher://a.example/", "not an http(s) address"),
    ])
  func leftOut(line: String, reason: String) throws {
    let read = try SubscriptionLines.read(Array("\(line)\nhttps://b.example/\n".utf8))
    #expect(read.lines == Array("https://b.example/\t\t\n".utf8))
    #expect(read.refused.count == 1 && read.refused[0].contains(reason), "\(read.refused)")
  }

  @Test("an item of another reader is known by its address as a post has it") func items() {
    let line = SubscriptionLines.line(itemAt: Array("HTTP://B.example/\u{E4} b".utf8), title: Array("A\tb\n".utf8))
    #expect(String(decoding: line, as: UTF8.self).hasPrefix("http://b.example/%C3%A4%20b\tA"))
    #expect(line.count { $0 == 0x09 } == 1 && line.count { $0 == 0x0A } == 1)
  }

  @Test("a document without outlines is refused") func none() {
    #expect(OPML(Array("<opml><body/></opml>".utf8)) == nil)
    #expect(OPML(Array("<html><body>no</body></html>".utf8)) == nil)
    #expect(OPML([]) == nil)
  }

  @Test(
    "attributes that mean nothing here are kept in one line, as far as there is room",
    arguments: [
      (#"category="/a,/b" isComment='true'"#, #"category="/a,/b" isComment="true""#),
      ("d=\"&lt;&#9;&quot;&amp;&#10;Ä\"", #"d="&lt; &#34;&amp; Ä""#),
      ("xmlns:x='http://x.example/' x:y='1' y:z='2' z='3'", #"z="3""#),
      ("long='\(String(repeating: "x", count: 1_000))' short='1'", #"short="1""#),
      (#"text="Other" XMLURL="http://b.example/" type="rss" a="1"/><outline b="2""#, #"a="1""#),
      ("<", ""), ("nonsense", ""),
    ])
  func attributes(written: String, kept: String) throws {
    let attributes = OPMLAttributes(reading: Array(written.utf8))
    #expect(String(decoding: attributes.text, as: UTF8.self) == kept)
    #expect(OPMLAttributes(reading: attributes.text) == attributes)
    let line = "https://a.example/\tTitle\t\(kept)\tNews\n"
    let again = try SubscriptionLines.read(SubscriptionLines.write(Array(line.utf8)))
    #expect(String(decoding: again.lines, as: UTF8.self) == line)
  }

  @Test("what was written is read as the same", arguments: seeds(0..<200 as Range<UInt64>)) func law(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    let words = ["", "a", "News & <more>", "\"quoted\"", "Ä 日本", "x'y", "a/b"]
    let outlines = try (0..<Int.random(in: 1...12, using: &random)).map { number in
      var outline = try outline(
        "https://e\(number).example/?a=1&b=\(number)", words.randomElement(using: &random) ?? "")
      for word in words.dropFirst().shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random)) {
        outline.lists.append(word)
      }
      return outline
    }
    let list = OPML(outlines: outlines)
    let again = try #require(OPML(list.written(title: "<mine>")))
    // The order within a document follows its lists.
    let byURL: (OPML.Outline, OPML.Outline) -> Bool = { $0.url.text < $1.url.text }
    let (before, after) = (outlines.sorted(by: byURL), again.outlines.sorted(by: byURL))
    #expect(before.map { Set($0.lists) } == after.map { Set($0.lists) })
    #expect(before.map(\.title) == after.map(\.title) && before.map(\.url) == after.map(\.url))
  }
}

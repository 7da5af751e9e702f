import HTTPSupport
import Testing

@testable import Feeds

@Suite("Damaged documents")
struct ReadingTests {
  private func titles(_ document: [UInt8], charset: String? = nil) throws -> [String] {
    try FeedDocumentReader.read(document, charset: charset).items.map {
      String(decoding: $0.title?.bytes ?? [], as: UTF8.self)
    }
  }

  private let items = "<rss version='2.0'><channel><item><title>One</title></item></channel></rss>"

  @Test(
    "a document type is left out, whatever is in it",
    arguments: [
      "<!DOCTYPE rss>", "<!doctype rss SYSTEM 'a>b'>", "<!DOCTYPE rss [<!ENTITY a 'b'> ]>",
      "<!DOCTYPE rss [<!-- don't --> <!ENTITY a 'b'> ]>", "<!DOCTYPE rss [<?php it's ?>]>",
      "<!DOCTYPE rss 'x>", "<!DOCTYPE rss [ >", "<!DOCTYPE rss><!DOCTYPE 'rss>",
    ])
  func documentTypes(type: String) throws {
    #expect(try titles(Array((type + items).utf8)) == ["One"])
  }

  @Test("a document ends before an element with more attributes or namespaces than any feed has")
  func attributes() throws {
    for hidden in ["", "<!-- > -->", "<!-- \" -->"] {
      for (count, expected) in [(999, ["One", "Two", "Three"]), (1_000, ["One"])] {
        let pairs = (0..<count).map { " a\($0)=\($0 % 2 == 0 ? "\">=\"" : "'=\"\(hidden)'")" }.joined()
        let item = "<item b='>'\(pairs)><title>Two</title></item>"
        let rest = "<item><title><![CDATA[Three]]></title></item></channel></rss>"
        #expect(try titles(Array((items.dropLast(16) + item + rest).utf8)) == expected, "\(count)\(hidden)")
      }
    }
    for (depth, expected) in [(9, ["One", "Two"]), (11, ["One"])] {
      let pairs = (0..<99).map { " xmlns:a\($0)='b'" }.joined()
      let front = (0..<depth).map { "<d\($0)\(pairs)>" }.joined()
      let back = (0..<depth).reversed().map { "</d\($0)>" }.joined()
      let item = "<item><title>Two</title>\(front)\(back)</item></channel></rss>"
      #expect(try titles(Array((items.dropLast(16) + item).utf8)) == expected, "\(depth)")
    }
  }

  @Test("what is the matter with a document is said") func problems() throws {
    let type = "<!DOCTYPE rss [<!ENTITY own 'x'><!ENTITY nbsp '&#160;'>]>"
    for (document, problem) in [
      (items, nil), (type + items.replacing("One", with: "A&nbsp;B&#33;"), nil),
      (items.replacing("One", with: "A&own;B"), nil),
      (type + items.replacing("One", with: "A&own;B"), "its own entities are not expanded"),
      (String(items.dropLast(20)), "damaged in line 1: "),
    ] {
      let problems = try FeedDocumentReader.read(Array(document.utf8)).problems
      #expect(problems.count == (problem == nil ? 0 : 1) && problems.allSatisfy { $0.hasPrefix(problem ?? "") })
    }
    let latin = Array("<rss><channel><item><title>Gr".utf8) + [0xFC] + Array("n</title></item></channel></rss>".utf8)
    #expect(try FeedDocumentReader.read(latin, charset: "iso-8859-1").problems == [])
    #expect(try FeedDocumentReader.read(latin, charset: "utf-8").problems == ["not all of it is UTF-8"])
  }

  @Test("an invalid byte is replaced, and the document read on") func encodings() throws {
    let words = Array("日本".utf8)
    for (name, text) in [("shift_jis", [0x93, 0xFA, 0x96, 0x7B]), ("euc-jp", [0xC6, 0xFC, 0xCB, 0xDC])]
      as [(String, [UInt8])]
    {
      let front = Array("<rss><channel><item><title>".utf8)
      let back = Array("</title></item><item><title>Two</title></item></channel></rss>".utf8)
      for (bad, shown) in [([], 0), ([0xFF], 1), ([0xFF, 0xFE, 0xFF], 3)] as [([UInt8], Int)] {
        let document = front + text + bad + text + back
        let expected = words + Array(String(repeating: "\u{FFFD}", count: shown).utf8) + words
        #expect(try titles(document, charset: name) == [String(decoding: expected, as: UTF8.self), "Two"], "\(name)")
      }
      // A document that ends within a character.
      #expect(TextEncoding(of: text, charset: name).decode(Array(text.dropLast()))?.suffix(3) == [0xEF, 0xBF, 0xBD])
    }
    for name in ["no-such", "utf-8//ignore", "", String(repeating: "x", count: 1_000)] {
      #expect(EncodingTable.decode([0x41], from: name) == nil)
    }
  }

  @Test("a page's feeds are found in its links") func offered() throws {
    let page = """
      <!doctype html><html><head><script>if (a<b) document.write("<link rel=alternate type=application/rss+xml href=no>")</script>
      <link rel=stylesheet href=style.css><link rel=alternate hreflang=de href=/de><base href=/sub/><!-- <link rel=alternate
      type=application/rss+xml href=no> --><LINK type="Application/Atom+XML; charset=x" REL="home Alternate" href='a?b&amp;c'>
      <link rel="alternate" type="application/feed+json" href="//other.example/f"><link rel=alternate type=application/rss+xml
      """
    let url = try #require(WebURL("https://a.example/x/y"))
    #expect(
      OfferedFeeds.read(Array(page.utf8), at: url).map(\.text) == [
        "https://a.example/sub/a?b&c", "https://other.example/f",
      ])
    let many = String(repeating: "<link rel=alternate type=application/rss+xml href=f>", count: 100)
    #expect(OfferedFeeds.read(Array(many.utf8), at: url).count == 16)
  }
}

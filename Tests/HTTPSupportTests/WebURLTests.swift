import HTTPSupport
import TestSupport
import Testing

@Suite("Web addresses")
struct WebURLTests {
  @Test(
    "references resolve as RFC 3986, section 5.4, says",
    arguments: [
      ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d;p?y"),
      ("g?y", "/b/c/g?y"), ("#s", "/b/c/d;p?q"), ("g#s", "/b/c/g"), ("g?y#s", "/b/c/g?y"), (";x", "/b/c/;x"),
      ("g;x", "/b/c/g;x"), ("g;x?y#s", "/b/c/g;x?y"), ("", "/b/c/d;p?q"), (".", "/b/c/"), ("./", "/b/c/"),
      ("..", "/b/"), ("../", "/b/"), ("../g", "/b/g"), ("../..", "/"), ("../../", "/"), ("../../g", "/g"),
      ("../../../g", "/g"), ("../../../../g", "/g"), ("/./g", "/g"), ("/../g", "/g"), ("g.", "/b/c/g."),
      (".g", "/b/c/.g"), ("g..", "/b/c/g.."), ("..g", "/b/c/..g"), ("./../g", "/b/g"), ("./g/.", "/b/c/g/"),
      ("g/./h", "/b/c/g/h"), ("g/../h", "/b/c/h"), ("g;x=1/./y", "/b/c/g;x=1/y"), ("g;x=1/../y", "/b/c/y"),
      ("g?y/./x", "/b/c/g?y/./x"), ("g#s/../x", "/b/c/g"), ("http:g", "/b/c/g"),
    ])
  func references(reference: String, path: String) throws {
    let base = try #require(WebURL("http://a/b/c/d;p?q"))
    #expect(base.resolving(reference.utf8)?.text == "http://a" + path)
  }

  @Test(
    "other hosts and schemes",
    arguments: [
      ("//g", "http://g/"), ("https://B.example:443/x", "https://b.example/x"), ("//u:p@h:81/x", "http://u:p@h:81/x"),
      ("\\\\g\\x", "http://g/x"), ("mailto:a@b", nil), ("javascript:alert(1)", nil), ("ftp://a/b", nil), ("g:h", nil),
      ("//", nil), ("http://", nil), ("//a b/", nil), ("//a:70000/", nil), ("//a:b/", nil),
      ("//[::1]:80/x", "http://[::1]/x"),
      ("//[::1/x", nil), ("//%41/", nil),
    ] as [(String, String?)])
  func hosts(reference: String, text: String?) throws {
    let base = try #require(WebURL("http://a/b/c/d;p?q"))
    #expect(base.resolving(reference.utf8)?.text == text)
  }

  @Test(
    "what is typed becomes an address that may be sent",
    arguments: [
      ("  HTTP://Example.ORG  ", "http://example.org/"),
      ("https://e.org/ä b?ü=\"1\"#top", "https://e.org/%C3%A4%20b?%C3%BC=%221%22"),
      ("https://e.org/a%20b", "https://e.org/a%20b"), ("http:\\\\e.org\\x", "http://e.org/x"),
      ("http:e.org", "http://e.org/"),
      ("https://e.org/a\n\tb", "https://e.org/ab"), ("https://e.org/%2e%2E/x", "https://e.org/x"),
      ("https://e.org?x", "https://e.org/?x"), ("example.org/feed", nil), ("", nil), ("https://", nil),
      ("https:///", nil),
    ] as [(String, String?)])
  func typed(text: String, address: String?) { #expect(WebURL(text)?.text == address) }

  @Test("more than 8 KiB is refused") func long() {
    #expect(WebURL("https://e.org/" + String(repeating: "a", count: 8_178)) != nil)
    #expect(WebURL("https://e.org/" + String(repeating: "a", count: 8_179)) == nil)
  }

  @Test("any bytes give an address that reads as itself, or none", arguments: seeds(0..<400 as Range<UInt64>)) func law(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let alphabet = Array("htps:/\\?#@[]%2eE.. \t\nä&;=ab1:".utf8)
    for _ in 0..<50 {
      let text = (0..<Int.random(in: 0...24, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      for url in [WebURL(Array("http://h/".utf8) + text), WebURL(text), WebURL("http://h/a/b")?.resolving(text)] {
        guard let url else { continue }
        #expect(WebURL(url.text) == url, "\(url.text)")
        #expect(url.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } || !url.host.utf8.allSatisfy { $0 < 0x7F })
      }
    }
  }
}

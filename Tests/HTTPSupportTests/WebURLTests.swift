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

  @Test("a host has at most 253 bytes") func longHost() {
    let label = String(repeating: "a", count: 49) + "."
    let host = String(repeating: label, count: 5) + "abc"
    #expect(WebURL("https://\(host)/")?.host == host && host.utf8.count == 253)
    #expect(WebURL("https://\(host)d/") == nil)
  }

  @Test(
    "other hosts and schemes",
    arguments: [
      ("//g", "http://g/"), ("https://B.example:443/x", "https://b.example/x"), ("//u:p@h:81/x", "http://u:p@h:81/x"),
      ("\\\\g\\x", "http://g/x"), ("mailto:a@b", nil), ("javascript:alert(1)", nil), ("ftp://a/b", nil), ("g:h", nil),
      ("//", nil), ("http://", nil), ("//a b/", nil), ("//a:70000/", nil), ("//a:b/", nil),
      ("//[::1]:80/x", "http://[::1]/x"),
      ("//[::1/x", nil), ("//%41/", nil), ("//[::g]/", nil), ("//[]/", nil), ("//1.2.3.4.5/", nil),
      ("//0x7F.1/", "http://127.0.0.1/"),
      ("//2130706433/", "http://127.0.0.1/"), ("//[0:0::FFFF:127.0.0.1]/", "http://[::ffff:7f00:1]/"),
      ("//256.1/", nil),
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

  @Test(
    "a name and its form in ASCII are one host",
    arguments: [
      ("b\u{FC}cher.example", "xn--bcher-kva.example"), ("B\u{DC}CHER.example", "xn--bcher-kva.example"),
      ("\u{43F}\u{440}\u{438}\u{43C}\u{435}\u{440}.example", "xn--e1afmkfd.example"),
      ("www.\u{4F8B}\u{3048}.example", "www.xn--r8jz45g.example"), ("\u{93}.example", "\u{93}.example"),
      ("\u{4ED6}\u{4EEC}\u{4E3A}\u{4EC0}\u{4E48}\u{4E0D}\u{8BF4}\u{4E2D}\u{6587}", "xn--ihqwcrb4cv8a8dqg056pqjye"),
      ("3\u{5E74}b\u{7D44}\u{91D1}\u{516B}\u{5148}\u{751F}", "xn--3b-ww4c5e180e575a65lsy2b"),
      // What IDNA maps or composes is left to what knows how.
      ("fa\u{DF}.example", "fa\u{DF}.example"), ("a\u{308}.example", "a\u{308}.example"),
      ("\u{3C2}.example", "\u{3C2}.example"),
    ])
  func international(name: String, host: String) {
    #expect(WebURL("http://\(name)/")?.host.unicodeScalars.elementsEqual(host.unicodeScalars) == true)
    #expect(WebURL("http://\(host)/") == WebURL("http://\(name)/"))
  }

  @Test(
    "a person may name a file, by its whole path",
    arguments: [
      ("file:///home/ann/a%20feed.xml", "file:///home/ann/a%20feed.xml", "/home/ann/a feed.xml"),
      (" FILE:///a/../b?c#d ", "file:///b%3Fc%23d", "/b?c#d"), ("file:///caf\u{E9}", "file:///caf%C3%A9", "/caf\u{E9}"),
      ("file://host/a", nil, nil), ("file:/a", nil, nil), ("file:a", nil, nil), ("file:///a%00", nil, nil),
      ("file:///%FF", nil, nil), ("https://e.org/a", "https://e.org/a", nil),
    ] as [(String, String?, String?)])
  func files(text: String, address: String?, path: String?) {
    let url = WebURL(given: text)
    #expect(url?.text == address && url?.filePath == path && url?.isFile == address.map { $0.hasPrefix("file") })
  }

  @Test("what a document says never leads to a file, and from a file only to the web") func fileReferences() throws {
    let file = try #require(WebURL(given: "file:///home/ann/feed.xml"))
    let page = try #require(WebURL("http://e.org/"))
    for reference in ["file:///etc/passwd", "FILE:/etc/passwd", "other.xml", "/x", "//e.org/x", "", "http:x"] {
      #expect(file.resolving(reference.utf8) == nil)
    }
    #expect(page.resolving("file:///etc/passwd".utf8) == nil && WebURL("file:///etc/passwd") == nil)
    #expect(file.resolving("https://e.org/a".utf8)?.text == "https://e.org/a")
  }

  @Test(
    "an address of this machine or of a private network is recognised however it is written",
    arguments: [
      ("127.0.0.1", true, true), ("127.1", true, true), ("0177.0.0.1", true, true), ("localhost", true, true),
      ("a.localhost", true, true), ("[::1]", true, true), ("[0:0:0:0:0:0:0:1]", true, true),
      ("[::ffff:127.0.0.1]", true, true), ("10.2.3.4", true, false), ("172.31.0.1", true, false),
      ("192.168.1.2", true, false), ("169.254.169.254", true, false), ("100.64.0.1", true, false),
      ("0.0.0.0", true, false), ("[::]", true, false), ("[fd12::1]", true, false), ("[fc00::]", true, false),
      ("[fe80::1]", true, false), ("[64:ff9b::10.0.0.1]", true, false), ("[ff02::1]", true, false),
      ("172.32.0.1", false, false), ("8.8.8.8", false, false), ("[2001:db8::1]", false, false),
      ("127.example.org", false, false), ("127.0.0.1.example.org", false, false),
      ("localhost.example.org", false, false),
      ("[64:ff9b::8.8.8.8]", false, false), ("fd.example.org", false, false),
    ])
  func privacy(host: String, isPrivate: Bool, isLoopback: Bool) throws {
    let url = try #require(WebURL("http://\(host)/"))
    #expect(url.isPrivate == isPrivate && url.isLoopback == isLoopback)
    #expect(WebURL(url.text) == url)
  }

  @Test(
    "proxies are those of the environment",
    arguments: [
      ([:], nil, nil), (["http_proxy": "p"], "p", nil), (["HTTP_PROXY": "p"], nil, nil),
      (["https_proxy": "s", "HTTPS_PROXY": "t"], nil, "s"), (["HTTPS_PROXY": "t"], nil, "t"),
      (["all_proxy": "a", "https_proxy": "s"], "a", "s"), (["all_proxy": "a", "no_proxy": "*"], nil, nil),
      (["all_proxy": "a", "NO_PROXY": "x.org, .E.org"], nil, nil),
      (["all_proxy": "a", "no_proxy": "ee.org"], "a", "a"),
    ] as [([String: String], String?, String?)])
  func proxies(variables: [String: String], http: String?, https: String?) throws {
    let settings = ProxySettings { variables[$0] }
    #expect(settings.proxy(for: try #require(WebURL("http://e.org/"))) == http)
    #expect(settings.proxy(for: try #require(WebURL("https://e.org/"))) == https)
  }

  @Test("more than 8 KiB is refused, also once it is percent-encoded") func long() throws {
    #expect(WebURL("https://e.org/" + String(repeating: "a", count: 8_178)) != nil)
    #expect(WebURL("https://e.org/" + String(repeating: "a", count: 8_179)) == nil)
    #expect(WebURL("https://e.org/" + String(repeating: "ä", count: 2_000)) == nil)
    let base = try #require(WebURL("https://e.org/" + String(repeating: "a/", count: 4_000)))
    #expect(base.resolving(String(repeating: "b", count: 200).utf8) == nil)
    #expect(base.resolving("../b".utf8)?.path.utf8.count == 8_000)
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

@testable import Ingest
import Posts
import Testing

@Suite("HTML as plain text with marks")
struct HTMLTextTests {
  static func read(_ html: String, _ people: [HTMLText.Mentioned] = []) -> (text: String, spans: [String]) {
    let (text, spans) = HTMLText.read(Array(html.utf8), mentioned: people).finished()
    return (
      text.string, spans.map { "\($0.kind) \(String(decoding: text.utf8[$0.range], as: UTF8.self)) -> \($0.target)" }
    )
  }

  @Test(
    "markup becomes text",
    arguments: [
      ("", ""), ("plain", "plain"), ("<p>one</p><p>two</p>", "one\n\ntwo"),
      ("<p>a<br>b<br/>c<br />d</p>", "a\nb\nc\nd"),
      ("<p>a<br><br>b</p>", "a\n\nb"), ("<p>a<br></p><p>b</p>", "a\n\nb"), ("<p></p><p>a</p><p></p>", "a"),
      ("<p>  a \n b  </p>", "a b"), ("<div>a</div><div>b</div>", "a\nb"), ("a<b>b</b><i>c</i> <u>d</u>", "abc d"),
      ("<ul><li>one</li><li>two</li></ul>", "• one\n• two"),
      ("<p>x</p><ul><li><p>one</p></li></ul><p>y</p>", "x\n\n• one\n\ny"),
      ("<ol><li>a</li><li>b</li></ol>", "1. a\n2. b"),
      ("<ol start=\"4\"><li>a<li value=9>b<li>c</ol>", "4. a\n9. b\n10. c"),
      ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "• a\n  • b\n• c"),
      ("<p>a</p><blockquote><p>b<br>c</p></blockquote><p>d</p>", "a\n\n> b\n> c\n\nd"),
      ("<blockquote>a<blockquote>b</blockquote></blockquote>", "> a\n\n> > b"),
      ("<pre><code>if x {\n    y\n}</code></pre>", "if x {\n    y\n}"),
      ("&lt;b&gt; &amp;amp; &quot;&#39;&apos;&nbsp;&eacute;&#x1F600;&#128512;", "<b> &amp; \"''\u{A0}é😀😀"),
      ("AT&T &unknown; &; &#; &#xZZ; & &copy 5", "AT&T &unknown; &; &#; &#xZZ; & &copy 5"),
      ("&#0;&#xD800;&#1114112;&#99999999999;", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"), ("&#27;[31m", "\u{FFFD}[31m"),
      ("<!-- no -->a<!DOCTYPE x>b<?pi?>c", "abc"), ("<script>alert(1)</script>a<style>b{}</style>", "a"),
      ("1 < 2 <3 a<b", "1 < 2 <3 a"), ("<p>open <em>twice", "open twice"), ("</p></em>a</span>", "a"),
      ("<x-unknown foo='bar>baz'>kept</x-unknown>", "kept"), ("<img alt=\":blob:\" src=x> hi", ":blob: hi"),
      ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"), ("<h1>T</h1>text", "T\n\ntext"),
      ("<p>日本語<br>עברית</p>", "日本語\nעברית"), ("<", "<"), ("</", "</"), ("<p", ""), ("&", "&"), ("<a href=\"", ""),
    ])
  func text(html: String, expected: String) { #expect(Self.read(html).text == expected) }

  @Test(
    "links, mentions and hashtags become marks",
    arguments: [
      (
        #"<a href="https://example.org/page"><span class="invisible">https://</span><span class="ellipsis">example.org/pa</span><span class="invisible">ge</span></a>!"#,
        "example.org/pa…!", ["link example.org/pa… -> https://example.org/page"]
      ),
      (
        #"<a href="https://a.example/?x=1&amp;y=2" rel=x>a</a>"#, "a", ["link a -> https://a.example/?x=1&y=2"]
      ),
      (
        #"x <a class="mention hashtag" href="https://h/tags/Cat">#<span>Cat</span></a>"#, "x #Cat",
        ["hashtag #Cat -> Cat"]
      ),
      (
        #"<span class="h-card"><a href="https://example.net/@bob" class="u-url mention">@<span>bob</span></a></span> hi"#,
        "@bob hi", ["mention @bob -> bob@example.net"]
      ),
      (#"<a href="https://o.example/@eve" class="mention">@eve</a>"#, "@eve", ["mention @eve -> eve"]),
      (#"<a href="javascript:alert(1)">x</a><a href="//h/x">y</a><a>z</a>"#, "xyz", []),
      (#"<a href="gemini://g/">g</a>"#, "g", ["link g -> gemini://g/"]),
      (
        #"<a href="https://a/">one</a> <a href="https://b/">two</a>"#, "one two",
        ["link one -> https://a/", "link two -> https://b/"]
      ),
      (#"<a href="https://a/">  spaced  </a>x"#, "spaced x", ["link spaced -> https://a/"]),
      (#"<p>a</p><p><a href="https://a/">b</a></p>"#, "a\n\nb", ["link b -> https://a/"]),
      (#"<a href="https://a/"></a>x"#, "x", []),
      (#"<a href="https://a/">open"#, "open", ["link open -> https://a/"]),
    ])
  func marks(html: String, text: String, marks: [String]) {
    let people = [HTMLText.Mentioned(url: "https://example.net/users/bob", handle: "bob@example.net")]
    let result = Self.read(html, people)
    #expect(result.text == text)
    #expect(result.spans == marks)
  }

  @Test("a truncated status is read safely and is not longer than its source")
  func cuts() {
    let html = Array(
      #"<p>a &amp; <a href="https://example.org/"><span class="ellipsis">x</span></a><ul><li>é</li></ul></p><!-- -->"#
        .utf8)
    for end in 0...html.count {
      let text = HTMLText.read(Array(html[..<end])).finished().text
      #expect(text.count <= end + 4)
    }
  }

  @Test("deep nesting is ignored, but not its text")
  func deep() {
    let html = String(repeating: "<blockquote><span>", count: 10_000) + "x"
    #expect(Self.read(html).text.hasSuffix("x"))
  }

  @Test("reading ends behind the limit, and no later link is asked for") func limit() {
    var links = 0
    let html = String(repeating: "<a href=x>word</a> ", count: 10_000)
    let text = HTMLText.read(Array(html.utf8), limit: 99) { _ in
      links += 1
      return nil
    }
    #expect(text.bytes.count == 104 && links == 21)
  }
}

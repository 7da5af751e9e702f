import Posts
import Testing

@Suite("The length of a post as sources elsewhere count it")
struct PostLimitsTests {
  @Test(
    "clusters count 1, links what the source says, and names at other servers without their host",
    arguments: [
      ("", 0), ("Otter", 5), ("漁師 👩‍👩‍👧 e\u{301}", 6), ("https://example.org/a/very/long/path", 23),
      ("see http://a.example/?q=1, and b", 34), ("example.org", 11), ("@ann@social.example hello", 10),
      ("@ann hello", 10),
      ("#otter", 6), ("mail@example.org", 16), ("https://a.example https://b.example", 47),
    ])
  func lengths(text: String, length: Int) {
    #expect(PostLimits.standard.length(of: SafeText(text)) == length)
  }

  @Test("a link may count more or less than its letters") func links() {
    let text: SafeText = "https://a.example x"
    #expect(PostLimits(characters: 10, linkCharacters: 1).length(of: text) == 3)
    #expect(PostLimits(characters: 10, linkCharacters: 100).length(of: text) == 102)
  }
}

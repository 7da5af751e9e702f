import ClientCore
import Testing

@Suite("Names that a text mentions")
struct MentionedNamesTests {
  @Test(
    "names in a text",
    arguments: [
      ("hello", []), ("@Bob and @t2bbo, @bob!", ["bob", "t2bbo"]), ("mail ann@x.org", []), ("@ann@x.org @cy", ["cy"]),
      ("(@ann)", ["ann"]), ("@ann@", ["ann"]), ("@@ann @", []), ("é@ann", ["ann"]),
    ])
  func names(text: String, expected: [String]) {
    #expect(MentionedNames.names(in: text) == expected)
  }

  @Test("an unknown name matters only where others are") func unknown() {
    #expect(MentionedNames.unknown(in: "@bob @bbo", known: ["ann", "bob"]) == "bbo")
    #expect(MentionedNames.unknown(in: "@bob", known: ["ann", "bob"]) == nil)
    #expect(MentionedNames.unknown(in: "@bob", known: ["ann"]) == nil)
  }
}

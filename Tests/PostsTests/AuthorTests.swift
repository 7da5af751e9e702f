import Posts
import Testing

@Suite("Authors")
struct AuthorTests {
  private static func author(_ handle: SafeText, claimant: SafeText = "", isNamesake: Bool = false) -> Author {
    Author(
      id: AuthorID(1), handle: handle, displayName: "", avatarURL: "", source: "twitter", claimant: claimant,
      isNamesake: isNamesake)
  }

  @Test("searches find an author by its handle unless an account is called so, and by the account that claimed it")
  func searchNames() {
    #expect(Self.author("ann").searchNames == ["ann"])
    #expect(Self.author("ann", claimant: "annie").searchNames == ["ann", "annie"])
    #expect(Self.author("ann", claimant: "ann").searchNames == ["ann"])
    #expect(Self.author("ann", isNamesake: true).searchNames == [])
    #expect(Self.author("ann", claimant: "bob", isNamesake: true).searchNames == ["bob"])
    #expect(Self.author("").searchNames == [])
  }

  @Test(
    "a handle is compared with names as it reads",
    arguments: [
      ("ann", "ann"), ("ANN_7", "ann_7"), (" a n n ", "ann"), ("a\u{200D}n\u{FE0F}n\u{3000}", "ann"),
      ("\u{212A}im", "kim"),
      ("Änn", "änn"), ("", ""),
    ])
  func folded(handle: String, expected: String) {
    #expect(String(decoding: AccountName.folded(Array(handle.utf8)), as: UTF8.self) == expected)
  }
}

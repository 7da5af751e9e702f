import Dates
import Posts
import Search
import Testing

@Suite("Muted words")
struct MutedWordTests {
  @Test(
    "spellings are those of a search",
    arguments: [
      ("Otter", "otter"), (" Café\u{301} ", "cafe"), ("otter of the year", "\"otter of the year\""),
      ("\"otter of\"", "\"otter of\""),
      ("#Otter", "#otter"), ("＃otter", "#otter"), ("# otter", "otter"), ("don't", "\"don t\""), ("京都", "京都"),
      ("has:link", "\"has link\""),
    ])
  func spelling(typed: String, spelling: String) throws {
    #expect(try MutedWord(parsing: typed).spelling == spelling)
    #expect(try MutedWord(parsing: spelling).spelling == spelling, "it is its own spelling")
    #expect(SearchQuery(canonical: spelling)?.required.count == 1)
  }

  @Test("text without a word and text that is too long are refused") func refused() {
    for nothing in ["", "  ", "!?", "#", "\"\""] {
      #expect(throws: MutedWordError.empty, "\(nothing)") { try MutedWord(parsing: nothing) }
    }
    for (phrase, tag) in [("otter #lunch", "#lunch"), ("#a b", "#a"), ("a ＃b c", "＃b")] {
      #expect(throws: MutedWordError.tagInPhrase(tag)) { try MutedWord(parsing: phrase) }
    }
    #expect(throws: MutedWordError.tooLong) { try MutedWord(parsing: String(repeating: "a", count: 257)) }
    #expect(throws: Never.self) { try MutedWord(parsing: String(repeating: "a", count: 256)) }
  }

  private func post(_ text: String, by author: Int64, repostedBy reposter: Int64? = nil) -> StoredPost {
    let text = SafeText(text)
    return StoredPost(
      id: PostID(1), subject: PostID(1), createdAt: .distantFuture, author: AuthorID(author),
      repostedBy: reposter.map { AuthorID($0) },
      owner: AccountID(1), inReplyTo: nil, body: PackedBody(PostBody(text: text, spans: TextSpans.find(in: text))),
      audience: .everyone)
  }

  @Test("authors and words hide posts and reposts, but never the account's own") func matcher() throws {
    var muteList = MuteList()
    (muteList.muted, muteList.blocked, muteList.own) = ([AuthorID(2)], [AuthorID(3)], [AuthorID(1), AuthorID(9)])
    muteList.words = Set(try ["otter", "#sea", "two words"].map { try MutedWord(parsing: $0).spelling })
    var matcher = MuteMatcher(muteList)
    func hides(_ post: StoredPost) -> Bool { matcher.hides(post) }
    for (author, reposter) in [(2, nil), (3, nil), (4, 2), (2, 4), (4, 3)] as [(Int64, Int64?)] {
      #expect(hides(post("hello", by: author, repostedBy: reposter)), "\(author) by \(reposter ?? 0)")
    }
    for text in ["An OTTER!", "so #Sea", "at two words more"] { #expect(hides(post(text, by: 4)), "\(text)") }
    for text in ["otters", "sea", "words two"] { #expect(!hides(post(text, by: 4)), "\(text)") }
    #expect(!hides(post("otter", by: 1)) && !hides(post("otter", by: 9)))
    #expect(!hides(post("otter", by: 2, repostedBy: 1)), "the account's own repost is its own")
    matcher = MuteMatcher(MuteList())
    #expect(!hides(post("otter", by: 2)))
  }
}

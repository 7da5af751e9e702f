import ClientCore
import Messages
import Testing
import ViewState

@Suite("Records: what verbs print apart from posts")
struct RecordTests {
  private static let ann = RowAuthor(id: 7, handle: Array("ann".utf8), displayName: Array("Ann".utf8), avatarURL: [])
  private static let bob = RowAuthor(id: 8, handle: Array("bob".utf8), displayName: Array("bob".utf8), avatarURL: [])
  private static let cy = RowAuthor(
    id: 9, handle: Array("cy".utf8), displayName: Array("Cy".utf8), avatarURL: [], source: Array("twitter".utf8),
    isNamesake: true)

  private static var list: ListSummary {
    var list = ListSummary()
    (list.listID, list.name, list.authorCount, list.postCount) = (3, "harbour", 2, 1200)
    return list
  }

  private static var profile: ProfileSummary {
    var profile = ProfileSummary(author: ann)
    (profile.posts, profile.followers, profile.following) = (1, 2, 3)
    (profile.isFollowed, profile.followsMe) = (true, true)
    profile.about = Array("I count gulls.".utf8)
    return profile
  }

  private static var session: SessionSummary {
    var session = SessionSummary()
    (session.name, session.panes, session.views, session.revision) = ("main", ["Timeline", "Ann"], 1, 12)
    session.viewIDs = [71]
    return session
  }

  private static var pane: Pane {
    var header = PaneHeader(
      paneID: 4, kind: .search, subject: 0, title: Array("Search".utf8), query: Array("#sea".utf8))
    header.filter = Array("has:media".utf8)
    var pane = Pane(header: header)
    pane.status.rowCount = 20
    pane.selection.rowID = 42
    return pane
  }

  private static var draft: DraftSummary {
    var draft = DraftSummary()
    (draft.draftID, draft.kind, draft.postID, draft.text, draft.updatedAtMilliseconds) = (
      3, .answer, 42, "one\ntwo", 1_700_000_000_000
    )
    (draft.contentWarning, draft.language) = ("warn", "en")
    return draft
  }

  private static var account: AccountSummary {
    var account = AccountSummary()
    (account.accountID, account.name, account.userID, account.postLimit) = (1, "ann", 1000, 280)
    return account
  }

  private static var caller: WhoAmIResponse {
    var caller = WhoAmIResponse()
    (caller.account, caller.scopes, caller.tokenID) = (account, [.view, .post], 5)
    return caller
  }

  private static var token: TokenSummary {
    var token = TokenSummary()
    (token.tokenID, token.name, token.scopes, token.createdAtMilliseconds) = (
      5, "desk", [.view, .admin], 1_709_469_296_000
    )
    return token
  }

  private static var damage: CheckIntegrityResponse {
    var response = CheckIntegrityResponse()
    response.findings = ["row 3 missing from index x", "entry 4 has no post"]
    return response
  }

  private static let done = PaneResponse(paneID: 4, revision: 12)

  /// Record, keys, `--plain` and lines for people.
  static let records: [(Record, String, String, String)] = [
    (ann.record, "id handle name avatar_url source namesake", "7\tann\tAnn\t\t\t0", "Ann @ann"),
    (bob.record, "id handle name avatar_url source namesake", "8\tbob\tbob\t\t\t0", "@bob"),
    (
      cy.record, "id handle name avatar_url source namesake", "9\tcy\tCy\t\ttwitter\t1", "Cy @cy (from twitter)"
    ),
    (
      profile.record,
      "id handle name avatar_url posts followers following followed follows_me me muted blocked source namesake about",
      "7\tann\tAnn\t\t1\t2\t3\t1\t1\t0\t0\t0\t\t0\tI count gulls.",
      "Ann @ann\nI count gulls.\n1 post · 2 followers · 3 following · you follow them · follows you"
    ),
    (list.record, "id name author_count post_count", "3\tharbour\t2\t1200", "harbour · 3 · 2 authors · 1,200 posts"),
    (
      list.record(with: [ann, bob]), "id name author_count post_count authors", "3\tharbour\t2\t1200",
      "harbour · 3 · 2 authors · 1,200 posts\n  Ann @ann\n  @bob"
    ),
    (ListResponse(listID: 3, revision: 12).record(isNew: true), "list_id revision", "3\t12", "3"),
    (ListResponse(listID: 3, revision: 12).record(isNew: false), "list_id revision", "3\t12", ""),
    (
      session.record, "name panes views revision view_ids", "main\tTimeline\\nAnn\t1\t12\t71",
      "main · Timeline › Ann · view 71"
    ),
    (
      pane.record, "pane_id kind title subject query filter rows selected_row",
      "4\tsearch\tSearch\t\t#sea\thas:media\t20\t42",
      "4 · search · Search: #sea · has:media · 20 rows · row 42 selected"
    ),
    (
      FollowResponse(revision: 12, isPending: true).record(of: "@ann"), "revision pending", "12\t1",
      "Asked @ann to follow."
    ),
    (FollowResponse(revision: 12, isPending: false).record(of: "@ann"), "revision pending", "12\t0", ""),
    (
      PendingFollowSummary(author: ann, askedAtMilliseconds: 1_709_469_296_000).record,
      "id handle name avatar_url source namesake asked_at", "7\tann\tAnn\t\t\t0\t2024-03-03T12:34:56Z",
      "Ann @ann · 2024-03-03 12:34 UTC"
    ),
    (
      FollowPolicy.ask.record, "follows", "ask",
      "ask: accounts approve who can follow them and read their posts for followers"
    ),
    (done.record, "pane_id revision", "4\t12", "4"), (.done(12), "revision", "12", ""),
    (MoveStackResponse(position: 3, hasMoved: true).record, "position moved", "3\t1", "3"),
    (
      draft.record, "id kind post_id text updated_at content_warning language",
      "3\treply\t42\tone\\ntwo\t2023-11-14T22:13:20Z\twarn\ten",
      "3 · reply to 42 · 2023-11-14 22:13 UTC · one …"
    ),
    (account.record, "id name user_id post_limit", "1\tann\t1000\t280", "ann · user 1000 · post limit 280"),
    (
      caller.record, "id name user_id post_limit scopes token_id", "1\tann\t1000\t280\tview\\npost\t5",
      "ann · scopes view, post · token 5"
    ),
    (IssueTokenResponse(token: "s3cret", tokenID: 5).record, "token id", "s3cret\t5", "s3cret"),
    (
      token.record, "id name scopes created_at", "5\tdesk\tview\\nadmin\t2024-03-03T12:34:56Z",
      "5 · desk · view, admin · 2024-03-03T12:34:56Z"
    ),
    (CheckIntegrityResponse().record, "findings", "", "the store is sound"),
    (
      damage.record, "findings", "row 3 missing from index x\\nentry 4 has no post",
      "row 3 missing from index x\nentry 4 has no post"
    ),
    (BackupResponse(path: "/b", bytes: 4096).record, "path bytes", "/b\t4096", "/b · 4,096 bytes"),
  ]

  @Test("every record has the documented keys, columns and lines", arguments: records.indices) func formats(index: Int)
    throws
  {
    let (record, keys, plain, lines) = Self.records[index]
    func written(_ format: RowFormat) -> [UInt8] { RecordWriter(format, traits: .bare).bytes(of: record) }
    #expect(text(written(.plain)) == plain + "\n")
    #expect(text(written(.lines)) == (lines.isEmpty ? "" : lines + "\n"))
    let value = try #require(JSONValue(written(.json)))
    #expect(value.keys.joined(separator: " ") == keys)
    #expect(written(.jsonl) == written(.json))
  }

  @Test("a missing value is null, and a number that must not be rounded is a string") func values() throws {
    let value = try #require(JSONValue(RecordWriter(.json, traits: .bare).bytes(of: Self.pane.record)))
    #expect(value["subject"] == .null && value["pane_id"] == .string("4") && value["rows"] == .number(20))
    let list = try #require(
      JSONValue(RecordWriter(.json, traits: .bare).bytes(of: Self.list.record(with: [Self.ann, Self.bob]))))
    guard case .array(let authors)? = list["authors"] else {
      Issue.record("authors is not an array")
      return
    }
    #expect(authors.map { $0["handle"] } == [.string("ann"), .string("bob")])
  }

  @Test("a list is one array, even if empty; JSON Lines are one object each", arguments: 0...2) func lists(count: Int) {
    let records = [Record](repeating: Self.account.record, count: count)
    guard case .array(let elements)? = JSONValue(RecordWriter(.json, traits: .bare).bytes(of: records)) else {
      Issue.record("not an array")
      return
    }
    let lines = RecordWriter(.jsonl, traits: .bare).bytes(of: records).split(separator: 0x0A).map { JSONValue($0) }
    #expect(elements.count == count && lines == elements.map { $0 })
    #expect(RecordWriter(.plain, traits: .bare).bytes(of: records).count { $0 == 0x0A } == count)
  }

  @Test("no name sends escapes to a terminal", arguments: EscapeLawTests.harm)
  func harm(name: [UInt8]) {
    var profile = Self.profile
    profile.author.displayName = name
    profile.author.handle = name
    let string = String(decoding: name, as: UTF8.self)
    var (list, session) = (Self.list, Self.session)
    (list.name, session.name, session.panes) = (string, string, [string, string])
    var pane = Self.pane
    (pane.header.title, pane.header.query) = (name, name)
    for record in [profile.record, list.record, session.record, pane.record] {
      for format in [RowFormat.lines, .plain, .json] {
        let written = text(RecordWriter(format, traits: .bare).bytes(of: record))
        #expect(
          !written.unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x09, 0x0A: false
            case 0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
            default: false
            }
          })
      }
    }
  }
}

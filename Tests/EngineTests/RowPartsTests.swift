import Dates
@testable import Engine
import Posts
import TestSupport
import Testing
import ViewState

/// The line of facts of a row (docs/BEHAVIOUR.md, rule 20).
@Suite("The lines of a row that not every row has")
struct RowPartsTests {
  private static let account = AccountID(1)

  private static func post(
    _ body: PostBody, owner: AccountID = AccountID(2), by reposter: AuthorID? = nil,
    _ change: (inout StoredPost) -> Void = { _ in }
  ) -> StoredPost {
    var post = StoredPost(
      id: PostID(7), subject: PostID(reposter == nil ? 7 : 6), createdAt: Instant(milliseconds: 0), author: AuthorID(3),
      repostedBy: reposter, owner: owner, inReplyTo: nil, body: PackedBody(body))
    change(&post)
    return post
  }

  private static func height(of post: StoredPost) -> Int {
    LayoutKey(EngineHarness.layout(), paneWidth: 58).height(of: post, for: account)
  }

  @Test("the vectors of rule 20") func vectors() {
    func height(_ body: PostBody, by reposter: AuthorID? = nil, _ change: (inout StoredPost) -> Void = { _ in }) -> Int
    {
      Self.height(of: Self.post(body, by: reposter, change))
    }
    let plain = PostBody(text: "Otter.")
    #expect(height(plain) == 3)
    #expect(height(PostBody(text: "Otter.", counts: Counts(favourites: 2))) == 4)
    #expect(height(PostBody(text: "Otter.", visibility: .followers)) == 4)
    let link = Posts.Span(kind: .link, range: 0..<5, target: "https://example.org/")
    #expect(height(PostBody(text: "Otter.", spans: [link])) == 3)
    #expect(
      height(PostBody(text: "Otter.", spans: [link], media: [Media(kind: .image, url: "https://a.org/", altText: "")]))
        == 4)
    #expect(height(plain) { _ = $0.set(.saved, true, of: Self.account) } == 4)
    #expect(height(plain) { _ = $0.set(.saved, true, of: AccountID(9)) } == 3, "another account saved it")
    #expect(height(plain, by: AuthorID(4)) == 4)
    #expect(height(PostBody(text: "Otter.", counts: Counts(favourites: 2)), by: AuthorID(4)) == 5)
  }

  private static func random(_ random: inout SeededGenerator) -> StoredPost {
    func seldom() -> Bool { Int.random(in: 0..<4, using: &random) == 0 }
    var body = PostBody(text: "Otter, otter, otter.")
    if seldom() { body.language = "en" }
    if seldom() { body.contentWarning = "weather" }
    if seldom() { body.permalink = "https://example.org/1" }
    if seldom() { body.inReplyToHandle = "ann" }
    if seldom() { body.counts.replies = 3 }
    if seldom() { body.visibility = .unlisted }
    if seldom() { body.spans = [Posts.Span(kind: .hashtag, range: 0..<5, target: "otter")] }
    if seldom() { body.media = [Media(kind: .image, url: "https://a.org/", altText: "")] }
    for flag in [PostFlags.favourited, .saved, .sensitive, .edited, .read, .unread, .muted] where seldom() && seldom() {
      body.flags.insert(flag)
    }
    var post = post(body, owner: AccountID(seldom() ? 1 : 2), by: seldom() ? AuthorID(4) : nil)
    for mark in [Mark.favourited, .saved, .pending, .unread] where seldom() && seldom() {
      _ = post.set(mark, true, of: AccountID(seldom() ? 9 : 1))
    }
    if seldom(), seldom() { _ = post.marks.set(answers: 2) }
    if seldom(), seldom() { post.body = PackedBody(trusted: post.body.bytes.dropLast(3)) }
    return post
  }

  @Test(
    "are the same for a stored post, for its row and for its packed bytes", arguments: seeds(0..<40 as Range<UInt64>))
  func same(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let post = Self.random(&random)
      let parts = RowParts(post, for: Self.account)
      var cache = RowCache(limits: EngineLimits(), fingerprint: Fingerprint(epoch: 1))
      let key = LayoutKey(EngineHarness.layout(), paneWidth: 58)
      let row = cache.row(.post(post), account: Self.account, key: key)
      #expect(RowParts(row.content.fields) == parts, "\(post)")
      #expect(row.layout.height == key.height(of: post, for: Self.account), "\(post)")
      var columns = PostColumns(chunkCapacity: 4)
      columns.upsert(post)
      columns.withTexts(in: 0..<1, for: Self.account) { #expect($2 == parts, "rank \($0): \(post)") }
    }
  }

  @Test("a row becomes a line higher with its first favourite, and lower again without it") func first() throws {
    func post(_ id: Int64) -> StoredPost {
      var post = EngineHarness.post(id, at: id * 60)
      post.body = PackedBody(PostBody(text: "Otter."))
      return post
    }
    var harness = EngineHarness()
    harness.posts = (1...40 as ClosedRange<Int64>).map(post)
    harness.open(1, layout: EngineHarness.layout(height: 30))
    func state() throws -> (total: Int, row: Int) {
      let pane = try #require(harness.mirrors[ViewID(1)]?.panes[0])
      #expect(pane.status.isExact)
      return (pane.status.totalHeight, try #require(pane.rows.first { $0.rowID == 39 }).layout.height)
    }
    let before = try state()
    var liked = post(39)
    _ = liked.set(.favourited, true, of: EngineHarness.account)
    harness.commit(changed: [liked])
    harness.pass(seconds: 1)
    let with = try state()
    #expect(with.row == before.row + 1 && with.total == before.total + 1)
    harness.commit(changed: [post(39)])
    harness.pass(seconds: 1)
    let after = try state()
    #expect(after == before)
  }
}

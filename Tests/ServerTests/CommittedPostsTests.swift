import Dates
import Engine
import Posts
import Store
import Testing

@testable import Services

@Suite("Transactions as the engine receives them")
struct CommittedPostsTests {
  private func post(_ text: SafeText) -> StoredPost {
    StoredPost(
      id: PostID(5), subject: PostID(5), createdAt: Instant(seconds: 1), author: AuthorID(1), repostedBy: nil,
      owner: AccountID(1),
      inReplyTo: nil, body: PackedBody(PostBody(text: text)))
  }

  @Test("each holds the final state of its posts, whichever write reported them") func order() {
    var report = ImportReport()
    report.entries = [post("as it was imported")]
    var marked = WriteOutcome(result: .success(.sessionSaved), revision: 7, firstNewPost: PostID(9))
    marked.changes.changed = [post("in the end")]
    let imported = WriteOutcome(result: .success(.imported(report)), revision: 7, firstNewPost: PostID(9))
    var next = WriteOutcome(result: .success(.sessionSaved), revision: 8, firstNewPost: PostID(9))
    next.changes.changed = [post("later")]
    let committed = CommittedPosts.all(of: [marked, imported, next])
    #expect(committed.map(\.revision) == [7, 8])
    #expect(committed.map { $0.changes.changed.last } == [post("in the end"), post("later")])
  }
}

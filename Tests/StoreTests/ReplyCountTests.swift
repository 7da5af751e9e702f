import Dates
import Posts
import Testing

@testable import Store

@Suite("Reply counts include local replies that everyone may see")
struct ReplyCountTests {
  private func count(_ fixture: Fixture, _ id: PostID) throws -> UInt32 {
    let post = try #require(try fixture.store.post(id))
    return post.marks.counts(beside: try #require(post.body.unpacked()).counts).replies
  }

  @Test("local replies add to the source's count; replies for fewer readers are never counted") func counted() throws {
    let fixture = try Fixture()
    var parent = tweet("1", "a question", at: 1)
    parent.body.counts.replies = 5
    parent.body.flags = .saved
    try fixture.load([parent])
    let post = try #require(try fixture.store.resolve(reference: "twitter:1", visibleTo: fixture.ann))
    #expect(try count(fixture, post) == 5)
    let answer = try fixture.write("an answer", as: fixture.bob, at: 2, to: post)
    #expect(try count(fixture, post) == 6)
    for visibility in [Visibility.followers, .direct] { _ = try fixture.write("@bob", at: 3, to: post, visibility) }
    #expect(try count(fixture, post) == 6)
    try fixture.load([parent])
    #expect(try count(fixture, post) == 6, "another import changes nothing")
    #expect(
      try fixture.store.post(post)?.mark(of: fixture.ann) == .saved, "the count does not change the owner's marks")
    let commit = try fixture.store.commit([.deletePost(fixture.bob, answer.id, requestID: "")])
    #expect(try count(fixture, post) == 5 && commit.changes.changed.map(\.id) == [post], "the change is reported")
    try fixture.load([tweet("2", "from there", at: 4, answers: "1")])
    #expect(try count(fixture, post) == 5, "the source counts its own")
    #expect(try fixture.store.integrity() == [])
  }

  @Test("marks on a post stay, and its reposts have the same count") func marks() throws {
    let fixture = try Fixture()
    let post = try fixture.write("a question").id
    let repost = Write.mark(
      Marking(account: fixture.bob, post: post, mark: .reposted, isOn: true, at: .init(seconds: 2)))
    guard case .marked(let marked) = try fixture.store.commit([repost]).outcomes[0], let entry = marked.repost?.post.id
    else { throw Missing() }
    let composition = fixture.composition("an answer", as: fixture.bob, at: 3, to: entry)
    let commit = try fixture.store.commit([.compose(composition)])
    #expect(Set(commit.changes.changed.map(\.id)) == [post, entry])
    #expect(try count(fixture, post) == 1 && count(fixture, entry) == 1)
    #expect(try fixture.store.post(post)?.mark(of: fixture.bob) == .reposted)
  }

  @Test("a restored post counts the replies that exist then", arguments: [false, true]) func back(
    isTogether: Bool
  ) throws {
    let fixture = try Fixture()
    let post = try fixture.write("a question").id
    let answer = try fixture.write("an answer", as: fixture.bob, at: 1, to: post).id
    let undo = { (account: AccountID) in Write.undo(Undo(account: account, at: Instant(seconds: 9))) }
    let deletions: [Write] = [
      .deletePost(fixture.bob, answer, requestID: ""), .deletePost(fixture.ann, post, requestID: ""),
    ]
    // In one transaction, or while the parent is deleted.
    if isTogether {
      _ = try fixture.store.commit(deletions)
    } else {
      for write in deletions.reversed() { _ = try fixture.store.commit([write]) }
    }
    _ = try fixture.store.commit([undo(fixture.ann)])
    #expect(try count(fixture, post) == 0)
    _ = try fixture.store.commit([undo(fixture.bob)])
    #expect(try count(fixture, post) == 1)
    _ = try fixture.store.commit([.deletePost(fixture.ann, post, requestID: "")])
    _ = try fixture.store.commit([undo(fixture.ann)])
    #expect(try count(fixture, post) == 1)
  }

  @Test("an export includes the account's own marks, and no counts of this store") func export() throws {
    let fixture = try Fixture()
    let post = try fixture.write("a question").id
    _ = try fixture.write("an answer", as: fixture.bob, at: 3, to: post)
    _ = try fixture.store.commit([
      .mark(Marking(account: fixture.bob, post: post, mark: .favourited, isOn: true, at: .init(seconds: 4)))
    ])
    func exported(_ account: AccountID) throws -> PostBody? {
      try fixture.store.exportPage(limit: 10, visibleTo: account).posts.first { $0.body.text == "a question" }?.body
    }
    #expect(try exported(fixture.bob)?.flags == .favourited && exported(fixture.ann)?.flags == [])
    #expect(try exported(fixture.bob)?.counts == Counts())
    // Replies are exported as posts, and counted where they are imported.
    let posts = try fixture.store.exportPage(limit: 10, visibleTo: fixture.bob).posts.map { post in
      var post = post
      post.source = "elsewhere"
      return post
    }
    let other = try Fixture()
    try other.load(posts, as: other.bob)
    let copy = try #require(try other.visible(other.bob).first { $0.text == "a question" })
    #expect(copy.mark(of: other.bob) == .favourited && copy.mark(of: other.ann) == [])
  }
}

/// Thrown when a test lacks a precondition.
private struct Missing: Error {}

import Dates
import Posts
import TestSupport
import Testing

@testable import Store

@Suite("Posts are marked read or unread, many at once")
struct ReadMarkTests {
  private func mark(
    _ fixture: Fixture, _ posts: [PostID], isRead: Bool, _ request: String = "", as account: AccountID? = nil
  ) throws -> Outcome {
    try fixture.store.commit([
      .markRead(ReadMarking(account: account ?? fixture.ann, posts: posts, isRead: isRead, requestID: request))
    ]).outcomes[0]
  }

  private func undo(_ fixture: Fixture, redo: Bool = false) throws -> Undone {
    let outcome = try fixture.store.commit([.undo(Undo(account: fixture.ann, isRedo: redo, at: Instant(seconds: 99)))])
      .outcomes[0]
    guard case .undone(let undone) = outcome else { throw Unexpected(outcome) }
    return undone
  }

  private func readings(_ fixture: Fixture, _ posts: [PostID], of account: AccountID? = nil) throws -> [ReadMark] {
    try posts.map { try #require(try fixture.store.post($0)).mark(of: account ?? fixture.ann).reading }
  }

  @Test("marking many posts is one undo entry, which restores each post's former mark") func steps() throws {
    let fixture = try Fixture()
    let posts = try ["one", "two", "three"].map { try fixture.write($0).id }
    #expect(try mark(fixture, [posts[0]], isRead: false) == .readMarked(1))
    #expect(try mark(fixture, posts + posts, isRead: true) == .readMarked(3))
    #expect(try mark(fixture, posts, isRead: true) == .readMarked(0), "nothing changes, so there is no undo entry")
    #expect(try readings(fixture, posts) == [.read, .read, .read])
    #expect(try undo(fixture).what == "marking 3 posts as read")
    #expect(try readings(fixture, posts) == [.unread, .none, .none])
    #expect(try undo(fixture).what == "marking post \(posts[0].rawValue) as unread")
    #expect(try readings(fixture, posts) == [.none, .none, .none])
    #expect(try undo(fixture, redo: true).undoable == 4 && undo(fixture, redo: true).redoable == 0)
    #expect(try readings(fixture, posts) == [.read, .read, .read])
    #expect(try fixture.store.integrity() == [])
  }

  @Test("read marks are per account, independent of other marks, and set on originals") func owners()
    throws
  {
    let fixture = try Fixture()
    try fixture.load([tweet("x", at: 3, by: "3", of: tweet("1", "theirs", at: 1, by: "1"))])
    let original = try #require(try fixture.store.resolve(reference: "twitter:1", visibleTo: fixture.ann))
    let repost = try #require(try fixture.store.resolve(reference: "twitter:x", visibleTo: fixture.ann))
    _ = try fixture.store.commit([
      .mark(Marking(account: fixture.bob, post: original, mark: .favourited, isOn: true, at: Instant(seconds: 5)))
    ])
    #expect(try mark(fixture, [repost, original], isRead: false) == .readMarked(1))
    #expect(try mark(fixture, [original], isRead: true, as: fixture.bob) == .readMarked(1))
    #expect(
      try readings(fixture, [original, repost]) == [.unread, .unread]
        && readings(fixture, [original], of: fixture.bob) == [.read])
    let post = try #require(try fixture.store.post(original))
    #expect(post.mark(of: fixture.bob) == [.favourited, .read] && post.marks.counts(beside: Counts()).favourites == 1)
    // The source reports the post again: read marks stay.
    try fixture.load([tweet("1", "theirs, again", at: 1, by: "1")])
    #expect(try readings(fixture, [original]) == [.unread])
  }

  @Test("a request ID makes it idempotent; one unknown post refuses all; the number is limited") func refusals() throws
  {
    let fixture = try Fixture()
    let (post, other) = (try fixture.write("one").id, try fixture.write("two").id)
    let hidden = try fixture.write("for bob alone, @bob", as: fixture.bob, .direct).id
    #expect(try mark(fixture, [post], isRead: true, "r") == .readMarked(1))
    #expect(try mark(fixture, [post], isRead: false) == .readMarked(1))
    #expect(try mark(fixture, [post], isRead: true, "r") == .readMarked(0))
    #expect(try readings(fixture, [post]) == [.unread], "later changes stay")
    for unknown in [PostID(999), hidden] {
      #expect(try mark(fixture, [other, unknown], isRead: true) == .refused(.noSuchPost(unknown)))
    }
    #expect(try readings(fixture, [other]) == [.none])
    let many = Array(repeating: other, count: StoreLimits.readMarksAtOnce + 1)
    #expect(
      try mark(fixture, many, isRead: true) == .refused(.tooMany("posts at once", limit: StoreLimits.readMarksAtOnce)))
    #expect(try mark(fixture, [], isRead: true) == .readMarked(0))
  }

  @Test("undo skips deleted posts, and reports an obstacle if all are deleted") func gone() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "theirs", by: "1")], as: fixture.bob)
    _ = try fixture.store.commit([.claimIdentity(fixture.bob, source: "twitter", authorNativeID: "1")])
    let theirs = try #require(try fixture.store.resolve(reference: "twitter:1", visibleTo: fixture.ann))
    let mine = try fixture.write("mine").id
    _ = try mark(fixture, [theirs], isRead: true)
    _ = try mark(fixture, [theirs, mine], isRead: false)
    _ = try fixture.store.commit([.deletePost(fixture.bob, theirs, requestID: "")])
    #expect(try undo(fixture).obstacle == nil)
    #expect(try readings(fixture, [mine]) == [.none])
    #expect(try undo(fixture).obstacle == .noSuchPost(theirs))
    #expect(try undo(fixture).what.hasPrefix("writing post"))
  }
}

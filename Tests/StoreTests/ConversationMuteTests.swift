import Dates
import Posts
import Search
import TestSupport
import Testing

@testable import Store

@Suite("Muted conversations")
struct ConversationMuteTests {
  /// Bob's question with a reply, in Ann's timeline.
  private struct Talk {
    let fixture: Fixture
    let question: PostID
    let answer: PostID

    init() throws {
      fixture = try Fixture()
      question = try fixture.write("a question", as: fixture.bob, at: 1).id
      answer = try fixture.write("an answer", as: fixture.bob, at: 2, to: question).id
    }

    /// Mutes or unmutes the conversation for Ann.
    @discardableResult
    func mute(_ post: PostID, _ isOn: Bool = true) throws -> MarkedPost {
      let marking = Marking(account: fixture.ann, post: post, mark: .muted, isOn: isOn, at: Instant(seconds: 3))
      let outcome = try fixture.store.commit([.mark(marking)]).outcomes[0]
      guard case .marked(let marked) = outcome else { throw Unexpected(outcome) }
      return marked
    }

    /// Returns the texts that an account sees in its timeline.
    func shown(to account: AccountID) throws -> [String] {
      var hidden = MuteMatcher(try fixture.store.muteList(of: account))
      return try fixture.store.home(account).filter { !hidden.hides($0) }.map(\.text)
    }

    /// Returns the first posts of the conversations that Ann has muted.
    func muted() throws -> [PostID] {
      try fixture.store.muted(by: fixture.ann).compactMap { item in
        if case .conversation(let post, _) = item { post.id } else { nil }
      }
    }
  }

  @Test("later posts are hidden from the account that muted the conversation, and from no other") func later() throws {
    let talk = try Talk()
    #expect(try talk.mute(talk.answer).hasChanged)
    #expect(try talk.muted() == [talk.question], "its first post represents it")
    let more = try talk.fixture.write("more", as: talk.fixture.bob, at: 4, to: talk.answer).id
    _ = try talk.fixture.write("my word on it", as: talk.fixture.ann, at: 5, to: more).id
    _ = try talk.fixture.write("something else", as: talk.fixture.bob, at: 6).id
    #expect(
      try talk.shown(to: talk.fixture.ann) == ["something else", "my word on it", "an answer", "a question"])
    #expect(try talk.shown(to: talk.fixture.bob).count == 5)
    #expect(try talk.fixture.store.unseen(.home, of: talk.fixture.ann) == 4, "hidden posts are not counted")
    try talk.mute(more, false)
    #expect(try talk.shown(to: talk.fixture.ann).count == 5 && talk.muted() == [])
    try talk.mute(talk.question)
    #expect(try talk.shown(to: talk.fixture.ann).count == 4, "posts that came while it was muted are hidden again")
  }

  @Test("a mute can be undone and redone and is described; repeating it changes nothing") func undo() throws {
    let talk = try Talk()
    try talk.mute(talk.answer)
    #expect(try !talk.mute(talk.question).hasChanged)
    _ = try talk.fixture.write("more", as: talk.fixture.bob, at: 7, to: talk.question).id
    let outcome = try talk.fixture.store.commit([.undo(Undo(account: talk.fixture.ann, at: Instant(seconds: 20)))])
      .outcomes[0]
    guard case .undone(let undone) = outcome else { throw Unexpected(outcome) }
    #expect(undone.what == "muting the conversation of post \(talk.question.rawValue)")
    #expect(try talk.shown(to: talk.fixture.ann).count == 3 && talk.muted() == [])
    let redo = Undo(account: talk.fixture.ann, isRedo: true, at: Instant(seconds: 21))
    _ = try talk.fixture.store.commit([.undo(redo)])
    #expect(try talk.shown(to: talk.fixture.ann).count == 2 && talk.muted() == [talk.question])
  }

  @Test("a restored post is muted as before, and can be unmuted") func back() throws {
    let talk = try Talk()
    let ann = talk.fixture.ann
    try talk.mute(talk.question)
    _ = try talk.fixture.store.commit([.deletePost(talk.fixture.bob, talk.question, requestID: "")])
    _ = try talk.fixture.store.commit([.undo(Undo(account: talk.fixture.bob, at: Instant(seconds: 20)))])
    #expect(try talk.muted() == [talk.question], "its reply no longer represents the conversation")
    _ = try talk.fixture.write("more", as: talk.fixture.bob, at: 21, to: talk.question)
    #expect(try talk.shown(to: ann) == ["an answer", "a question"])
    #expect(try talk.mute(talk.answer, false).hasChanged)
    #expect(try talk.shown(to: ann).count == 3 && talk.muted() == [])
  }

  @Test("a reply that arrives before its parent is hidden when the parent arrives") func late() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "a question", at: 1, by: "7")])
    let question = try #require(try fixture.store.home(fixture.ann).first?.id)
    let marking = Marking(account: fixture.ann, post: question, mark: .muted, isOn: true, at: Instant(seconds: 2))
    _ = try fixture.store.commit([.mark(marking)])
    try fixture.load([
      tweet("3", "late", at: 3, by: "8", answers: "2"), tweet("4", "later", at: 4, by: "8", answers: "3"),
    ])
    try fixture.load([tweet("2", "between", at: 2, by: "9", answers: "1")])
    var hidden = MuteMatcher(try fixture.store.muteList(of: fixture.ann))
    #expect(try fixture.store.home(fixture.ann).filter { !hidden.hides($0) }.map(\.text) == ["a question"])
    // A new version from its source does not make it visible.
    try fixture.load([tweet("4", "later, edited", at: 4, by: "8", answers: "3")])
    #expect(try fixture.store.home(fixture.ann).filter { !hidden.hides($0) }.count == 1)
  }

  @Test("when the first post is deleted, its replies represent the conversation") func gone() throws {
    let talk = try Talk()
    try talk.mute(talk.question)
    _ = try talk.fixture.store.commit([.deletePost(talk.fixture.bob, talk.question, requestID: "")])
    #expect(try talk.muted() == [talk.answer])
    _ = try talk.fixture.write("more", as: talk.fixture.bob, at: 8, to: talk.answer).id
    #expect(try talk.shown(to: talk.fixture.ann) == ["an answer"])
    #expect(try talk.fixture.store.integrity() == [])
  }

  @Test("exports include mutes, and imports restore them") func export() throws {
    let talk = try Talk()
    try talk.mute(talk.question)
    _ = try talk.fixture.write("more", as: talk.fixture.bob, at: 9, to: talk.answer).id
    let exported = try talk.fixture.store.exportPage(limit: 10, visibleTo: talk.fixture.ann)
    #expect(exported.posts.map { $0.body.flags.contains(.muted) } == [true, true, true])
    #expect(exported.posts.map { $0.body.flags.contains(.withheld) } == [false, false, true])
    let other = try Fixture()
    let posts = exported.posts.map { post in
      var post = post
      post.source = "elsewhere"
      return post
    }
    try other.load(posts)
    let home = try other.store.home(other.ann)
    var hidden = MuteMatcher(try other.store.muteList(of: other.ann))
    #expect(home.count == 3 && home.filter { !hidden.hides($0) }.count == 2)
    #expect(try other.store.muted(by: other.ann).count == 1)
    try other.load(
      posts.map { post in
        var post = post
        post.body.flags.subtract(.ofAccount)
        return post
      })
    #expect(
      try other.store.home(other.ann).filter { !hidden.hides($0) }.count == 2, "the source does not know the mute")
  }
}

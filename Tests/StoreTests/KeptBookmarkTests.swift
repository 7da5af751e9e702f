import Dates
import Posts
import Testing

@testable import Store

@Suite("Saved posts that a login keeps")
struct KeptBookmarkTests {
  private struct Wrong: Error {}

  private let fixture: Fixture
  private var store: PostStore { fixture.store }

  init() throws {
    fixture = try Fixture(upstreams: ["fake"])
    let hello = UpstreamHello(commands: [.favourite, .save], signsIn: true)
    _ = try store.commit([.greetProgram(UpstreamGreeting(source: "fake", hello: hello, account: fixture.ann))])
  }

  @discardableResult
  private func signIn(keepsBookmarks: Bool) throws -> Outcome {
    let login = AccountLogin(
      source: "fake", name: "ann@a.example", account: fixture.ann, keepsBookmarks: keepsBookmarks)
    return try store.commit([.openLogin(login)]).outcomes[0]
  }

  private func bring(in lists: UpstreamLists = .home) throws -> PostID {
    let post = ImportedPost(
      source: "fake", nativeID: "https://a.example/1",
      author: ImportedAuthor(nativeID: "https://a.example/ben", handle: "ben", displayName: "Ben"),
      createdAt: Instant(seconds: 1), body: PostBody(text: "one", flags: lists.contains(.saved) ? .saved : []))
    let batch = UpstreamBatch(
      number: "1", subject: .login("ann@a.example"), items: [.post(post, in: lists, unfiled: [])])
    _ = try store.commit([.takeBatches(source: "fake", [batch])])
    guard let id = try store.resolve(reference: "fake:https://a.example/1", visibleTo: fixture.ann) else {
      throw Wrong()
    }
    return id
  }

  private func save(_ post: PostID, _ isOn: Bool) throws {
    let marking = Marking(account: fixture.ann, post: post, mark: .saved, isOn: isOn, at: Instant(seconds: 50))
    _ = try store.commit([.mark(marking)])
  }

  private func commands() throws -> [UpstreamCommand] {
    let outcome = try store.commit([.takeOutgoing(source: "fake", limit: 9, again: false)]).outcomes[0]
    guard case .outgoing(let commands) = outcome else { throw Wrong() }
    return commands
  }

  private func answer(_ command: UpstreamCommand, _ result: UpstreamAnswer.Result) throws {
    _ = try store.commit([.takeAnswer(source: "fake", UpstreamAnswer(id: command.id, result))])
  }

  private func mark(_ post: PostID) throws -> Mark {
    try #require(try store.post(post, visibleTo: fixture.ann)).mark(of: fixture.ann)
  }

  @Test("saving goes to a login that keeps bookmarks, and to no other", arguments: [true, false])
  func sent(isKept: Bool) throws {
    try signIn(keepsBookmarks: isKept)
    let post = try bring()
    try save(post, true)
    #expect(try mark(post) == (isKept ? [.saved, .pending] : .saved))
    #expect(try commands().map(\.action) == (isKept ? [.save] : []))
  }

  @Test("a login that is signed in again may keep them or no longer") func changed() throws {
    try signIn(keepsBookmarks: true)
    guard case .loginOpened(let notice, _) = try signIn(keepsBookmarks: false) else { throw Wrong() }
    #expect(notice == .login("ann@a.example", account: "ann", cursors: [:]))
    try save(try bring(), true)
    #expect(try commands() == [])
    guard case .loginOpened(let kept, _) = try signIn(keepsBookmarks: true) else { throw Wrong() }
    #expect(kept == .login("ann@a.example", account: "ann", cursors: [:], keepsBookmarks: true))
  }

  @Test("a refused bookmark is taken back, and a confirmed one counts nothing") func answers() throws {
    try signIn(keepsBookmarks: true)
    let post = try bring()
    try save(post, true)
    try answer(try commands()[0], .refused("no"))
    #expect(try mark(post) == .failed)
    _ = try store.commit([.retry(fixture.ann, post, requestID: "")])
    #expect(try mark(post) == [.saved, .pending])
    try answer(try commands()[0], .done(nativeID: "", permalink: .empty))
    #expect(try mark(post) == .saved)
    let shown = try #require(try store.post(post, visibleTo: fixture.ann))
    #expect(shown.marks.counts(beside: Counts()) == Counts() && !shown.marks.isAheadOfCounts)
    #expect(try store.integrity() == [])
  }

  @Test("what is bookmarked there is saved here, also after it was not, unless the opposite waits") func brought()
    throws
  {
    try signIn(keepsBookmarks: true)
    let post = try bring(in: [.home, .saved])
    #expect(try mark(post) == .saved)
    try save(post, false)
    _ = try bring(in: .saved)
    #expect(try mark(post) == .pending, "it is being removed there")
    try answer(try commands()[0], .done(nativeID: "", permalink: .empty))
    #expect(try mark(post) == [])
    _ = try bring(in: .saved)
    #expect(try mark(post) == .saved)
    #expect(try commands() == [] && store.integrity() == [])
  }
}

import Dates
import Posts
import Testing

@testable import Store

@Suite("Programs bring posts: batches with their cursors")
struct UpstreamBatchTests {
  private let fixture: Fixture
  private var store: PostStore { fixture.store }

  init() throws {
    fixture = try Fixture(upstreams: ["fake"])
  }

  @discardableResult
  private func greet(_ commands: Set<UpstreamCommand.Action> = []) throws -> [UpstreamNotice] {
    let greeting = UpstreamGreeting(source: "fake", hello: UpstreamHello(commands: commands), account: fixture.ann)
    guard case .programTold(let notices) = try store.commit([.greetProgram(greeting)]).outcomes[0] else { return [] }
    return notices
  }

  private static func post(
    _ id: String, _ text: SafeText = "Otter.", at seconds: Int64 = 5, _ visibility: Visibility = .public,
    by author: String = "a1", to parent: String? = nil
  ) -> ImportedPost {
    ImportedPost(
      source: "fake", nativeID: id, author: ImportedAuthor(nativeID: author, handle: "cat", displayName: "Cat"),
      createdAt: Instant(seconds: seconds), body: PostBody(text: text, visibility: visibility), inReplyTo: parent)
  }

  private static func home(_ post: ImportedPost) -> UpstreamItem { .post(post, in: .home, unfiled: []) }

  @discardableResult
  private func bring(
    _ items: [UpstreamItem], cursors: [String: String?] = [:], login: String = "fake"
  ) throws -> TakenBatch {
    let batch = UpstreamBatch(number: "1", subject: .login(login), items: items, cursors: cursors)
    let outcome = try store.commit([.takeBatches(source: "fake", [batch])]).outcomes[0]
    guard case .batchesTaken(let taken) = outcome, taken.count == 1 else { throw Unexpected(outcome) }
    return taken[0]
  }

  private func refused(_ items: [UpstreamItem]) throws -> [String] {
    guard case .stored(let report) = try bring(items).result else { return ["refused"] }
    return report.refused.map { "\($0.index): \($0.reason)" }
  }

  private func homeTexts(_ account: AccountID) throws -> [String] { try store.home(account).map(\.text) }

  @Test("a program has a login of its own for the account of the daemon's user, and its cursors come back")
  func greeting() throws {
    #expect(try greet() == [.login("fake", account: "ann", cursors: [:])])
    try bring([], cursors: ["home": "5", "etag": "x"])
    try bring([], cursors: ["home": "6", "etag": nil])
    #expect(try greet() == [.login("fake", account: "ann", cursors: ["home": "6"])])
  }

  @Test("posts of the home list are in the account's timeline, and in no other's; context is in none") func lists()
    throws
  {
    try greet()
    try bring([Self.home(Self.post("n1")), .post(Self.post("n2", "Context."), in: [], unfiled: [])])
    #expect(try homeTexts(fixture.ann) == ["Otter."] && homeTexts(fixture.bob) == [])
    let context = try #require(try store.resolve(reference: "fake:n2", visibleTo: fixture.bob))
    #expect(try store.post(context, visibleTo: fixture.bob)?.text == "Context.")
    try bring([Self.home(Self.post("n2", "Context."))])
    #expect(try homeTexts(fixture.ann).sorted() == ["Context.", "Otter."])
  }

  @Test("a batch that comes again changes nothing, and has no revision of its own") func again() throws {
    try greet()
    let items = [Self.home(Self.post("n1")), Self.home(Self.post("n2", to: "n1"))]
    #expect(try bring(items, cursors: ["home": "2"]).report.new == 2)
    let revision = store.revision
    let taken = try bring(items, cursors: ["home": "2"])
    #expect(taken.report.same == 2 && store.revision == revision)
    #expect(try homeTexts(fixture.ann).count == 2)
  }

  @Test("an edit is stored whoever imported the post first; a file changes nothing that the program may bring")
  func word() throws {
    try fixture.load([Self.post("n1", "Old.")], as: fixture.bob)
    try greet()
    try bring([Self.home(Self.post("n1", "New."))])
    #expect(try homeTexts(fixture.bob) == ["New."] && homeTexts(fixture.ann) == ["New."])
    try fixture.load([Self.post("n1", "Forged.")], as: fixture.bob)
    #expect(try homeTexts(fixture.bob) == ["New."])
  }

  @Test("a new post of the timeline below what was read is unread with the batch that brings it") func late() throws {
    try greet()
    store.reading = TimelineReading(session: "main") { places in
      places.first.map { OrderKey(createdAt: Instant(seconds: Int64($0)), id: PostID(.max)) }
    }
    _ = try store.commit([.savePlaces(fixture.ann, session: "main", bytes: [20])])
    func post(_ id: String, at seconds: Int64, flags: PostFlags = .unread) -> ImportedPost {
      var post = Self.post(id, at: seconds)
      post.body.flags = flags
      return post
    }
    func unread() throws -> [String] {
      try ["known", "late", "new", "context"].filter {
        let id = try #require(try store.resolve(reference: "fake:\($0)", visibleTo: fixture.ann))
        return try store.post(id, visibleTo: fixture.ann)?.mark(of: fixture.ann).reading == .unread
      }
    }
    try bring([Self.home(post("known", at: 5, flags: []))])
    try bring([
      Self.home(post("known", at: 5)), Self.home(post("late", at: 10)), Self.home(post("new", at: 30)),
      .post(post("context", at: 11), in: [], unfiled: []),
    ])
    #expect(try unread() == ["late"])
    try bring([Self.home(post("late", at: 10, flags: []))])
    let problems = try store.integrity()
    #expect(try unread() == ["late"] && problems == [])
  }

  @Test("a notice that takes the place of an earlier one has only its own other names") func notices() throws {
    try greet()
    func notice(_ number: Int, at seconds: Int64) -> UpstreamItem {
      var post = Self.post("x#notice/1", "Bea", at: seconds, .followers)
      post.body.flags = .notice
      post.aliases = ["x#\(number)"]
      return .post(post, in: .mentions, unfiled: [])
    }
    for (number, seconds) in [(1, 10), (2, 12), (1, 10)] as [(Int, Int64)] { try bring([notice(number, at: seconds)]) }
    #expect(try store.resolve(reference: "fake:x#1", visibleTo: fixture.ann) == nil)
    #expect(try store.resolve(reference: "fake:x#2", visibleTo: fixture.ann) != nil)
    let revision = store.revision
    try bring([notice(2, at: 12)])
    #expect(store.revision == revision)
  }

  @Test("a notice can be saved, and nothing can be done that its source would have to carry out") func noticeActions()
    throws
  {
    try greet([.post, .favourite])
    var notice = Self.post("x#notice/1", "Bea followed you", at: 1, .followers)
    notice.body.flags = .notice
    try bring([.post(notice, in: .mentions, unfiled: [])])
    let id = try #require(try store.resolve(reference: "fake:x#notice/1", visibleTo: fixture.ann))
    func mark(_ mark: Mark) throws -> Outcome {
      let marking = Marking(account: fixture.ann, post: id, mark: mark, isOn: true, at: Instant(seconds: 2))
      return try store.commit([.mark(marking)]).outcomes[0]
    }
    #expect(try mark(.favourited) == .refused(.isNotice(id)) && mark(.reposted) == .refused(.isNotice(id)))
    guard case .marked = try mark(.saved) else { throw Unexpected("not saved") }
    let reply = fixture.composition("Hello", to: id)
    #expect(try store.commit([.compose(reply)]).outcomes[0] == .refused(.isNotice(id)))
    #expect(try store.fetch(.conversation("fake:x#notice/1"), for: fixture.ann) == .notice)
  }

  @Test("a post that its source has deleted goes from everybody") func gone() throws {
    try fixture.load([Self.post("n1")], as: fixture.bob)
    try greet()
    try bring([Self.home(Self.post("n1")), Self.home(Self.post("n2", .init("Private."), .followers))])
    #expect(try bring([.gone("n1"), .gone("n2"), .gone("n3")]).result == .stored(UpstreamBatchReport()))
    #expect(try homeTexts(fixture.ann) == [] && homeTexts(fixture.bob) == [])
  }

  @Test("doubts are answered with the posts that are here") func doubts() throws {
    try greet()
    let taken = try bring([Self.home(Self.post("n1")), .doubt("n1"), .doubt("n2")])
    #expect(taken.result == .stored(UpstreamBatchReport(present: ["n1"])))
  }

  @Test("gaps and completed stretches are kept in their order among the posts") func gaps() throws {
    try greet()
    let (newer, older) = (Instant(seconds: 900), Instant(seconds: 100))
    let missing = try #require(GapNote(.missing(0), source: "fake", newer: newer, older: older, isLost: true))
    let complete = try #require(GapNote(.complete, source: "fake", newer: newer, older: Instant(seconds: 500)))
    try bring([.gap(missing)])
    #expect(try store.gaps(of: fixture.ann).map(\.isLost) == [true])
    try bring([.gap(complete)])
    #expect(try store.gaps(of: fixture.ann).map(\.newer) == [Instant(seconds: 500)])
  }

  @Test("an author's new name is stored; what has no place is answered by name") func people() throws {
    try greet()
    try bring([Self.home(Self.post("n1"))])
    let cat = ImportedAuthor(nativeID: "a1", handle: "cat", displayName: "Tomcat")
    let taken = try bring([.person(cat, unkept: ["muting"]), .unusable("marker: not kept by this daemon")])
    #expect(taken.report.authors.map(\.displayName) == ["Tomcat"])
    #expect(
      taken.result
        == .stored(
          UpstreamBatchReport(refused: [
            .init(index: 0, reason: "muting: not kept by this daemon"),
            .init(index: 1, reason: "marker: not kept by this daemon"),
          ])))
  }

  @Test("a batch for a login or feed that is not there stores nothing, cursors included") func unknown() throws {
    try greet()
    #expect(try bring([Self.home(Self.post("n1"))], login: "other").result == .refused("there is no login other"))
    #expect(try homeTexts(fixture.ann) == [])
  }

  @Test("a login has at most 64 cursors of 16 KiB together, whatever number of batches bring them") func limits() throws
  {
    try greet()
    for number in 0..<64 { try bring([], cursors: ["c\(number)": "x"]) }
    #expect(try bring([], cursors: ["more": "x"]).result == .refused("too many cursors: the limit is 64"))
    try bring([], cursors: ["c1": String(repeating: "x", count: 16_384 - 63)])
    #expect(
      try bring([Self.home(Self.post("n1"))], cursors: ["c2": "xx"]).result
        == .refused("the cursors is longer than 16384 bytes"))
    #expect(try homeTexts(fixture.ann) == [])
  }

  @Test("what the program cannot do takes effect here alone, and nothing waits for it") func can() throws {
    try greet([.favourite, .unfavourite])
    try bring([Self.home(Self.post("n1"))])
    let post = try #require(try store.home(fixture.ann).first)
    func mark(_ mark: Mark) -> Write {
      .mark(Marking(account: fixture.ann, post: post.id, mark: mark, isOn: true, at: Instant(seconds: 9)))
    }
    _ = try store.commit([mark(.favourited), mark(.reposted)])
    guard
      case .outgoing(let commands) = try store.commit([.takeOutgoing(source: "fake", limit: 9, again: false)]).outcomes[
        0]
    else { return #expect(Bool(false)) }
    #expect(commands.map(\.action) == [.favourite])
    let reply = try fixture.write("Here.", to: post.id)
    #expect(try store.details(of: reply.id, for: fixture.ann)?.source == "stack")
    var composition = fixture.composition("There.")
    composition.source = "fake"
    #expect(try store.commit([.compose(composition)]).outcomes[0] == .refused(.takesNoPosts("fake")))
  }
}

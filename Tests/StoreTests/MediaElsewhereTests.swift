import Dates
import Posts
import Testing

@testable import Store

@Suite("Files of posts for servers elsewhere")
struct MediaElsewhereTests {
  private struct Wrong: Error {}

  private let fixture: Fixture
  private var store: PostStore { fixture.store }
  private let media = [
    Media(kind: .image, url: "https://a.example/1.png", altText: "A cat", uploadID: "1142"),
    Media(kind: .image, url: "", altText: "", uploadID: "1143"),
  ]

  init() throws {
    fixture = try Fixture(upstreams: ["fake"])
    try greet(takesMedia: true)
    try signIn("ann@a.example")
  }

  private func greet(takesMedia: Bool) throws {
    var hello = UpstreamHello(commands: [.post, .delete], signsIn: true)
    (hello.takesMedia, hello.takesDirectPosts) = (takesMedia, true)
    _ = try store.commit([.greetProgram(UpstreamGreeting(source: "fake", hello: hello, account: fixture.ann))])
  }

  private func signIn(_ login: String) throws {
    _ = try store.commit([.openLogin(AccountLogin(source: "fake", name: login, account: fixture.ann))])
  }

  private func compose(_ source: String, by login: String = "ann@a.example", to parent: PostID? = nil) throws -> Outcome
  {
    var composition = fixture.composition("look")
    (composition.source, composition.body.media, composition.mediaLogins) = (source, media, [login])
    composition.inReplyTo = parent
    if parent != nil { composition.body.visibility = .direct }
    return try store.commit([.compose(composition)]).outcomes[0]
  }

  private func commands(again: Bool = false) throws -> [UpstreamCommand] {
    let outcome = try store.commit([.takeOutgoing(source: "fake", limit: 9, again: again)]).outcomes[0]
    guard case .outgoing(let commands) = outcome else { throw Wrong() }
    return commands
  }

  @Test("the command names them, also when it comes again") func command() throws {
    guard case .composed(let composed) = try compose("fake") else { throw Wrong() }
    #expect(composed.post.body.unpacked()?.media == media)
    #expect(try commands().map { $0.writing?.media ?? [] } == [["1142", "1143"]])
    #expect(try commands(again: true).map { $0.writing?.media ?? [] } == [["1142", "1143"]])
  }

  @Test("a post that stays here has none") func here() throws {
    #expect(try compose("") == .refused(.mediaHere) && compose("stack") == .refused(.mediaHere))
    #expect(try store.integrity() == [])
  }

  @Test("a program that takes none gets none, also if it was another one when the post was written") func without()
    throws
  {
    try greet(takesMedia: false)
    #expect(try compose("fake") == .refused(.mediaElsewhere(source: "fake")))
    try greet(takesMedia: true)
    guard case .composed(let composed) = try compose("fake") else { throw Wrong() }
    try greet(takesMedia: false)
    #expect(try commands() == [])
    let shown = try #require(try store.post(composed.post.id, visibleTo: fixture.ann))
    #expect(shown.mark(of: fixture.ann).contains(.failed) && !shown.mark(of: fixture.ann).contains(.pending))
    #expect(try store.integrity() == [])
  }

  @Test("they go by the login of the post, and a post by another one is refused") func login() throws {
    try signIn("work@a.example")
    let mention = Span(kind: .mention, range: 0..<5, target: "work")
    let post = ImportedPost(
      source: "fake", nativeID: "https://a.example/1",
      author: ImportedAuthor(nativeID: "https://a.example/bea", handle: "bea", displayName: "bea"),
      createdAt: Instant(seconds: 1), body: PostBody(text: "@work Hello", spans: [mention], visibility: .direct))
    let batch = UpstreamBatch(
      number: "1", subject: .login("work@a.example"), items: [.post(post, in: .messages, unfiled: [])])
    _ = try store.commit([.takeBatches(source: "fake", [batch])])
    let parent = try #require(try store.resolve(reference: "fake:https://a.example/1", visibleTo: fixture.ann))
    #expect(
      try store.uploadDestination(source: "", parent: "\(parent.rawValue)", for: fixture.ann)
        == .login("work@a.example", source: "fake"))
    #expect(try compose("fake", to: parent) == .refused(.mediaOfOtherLogin))
    #expect(try compose("fake", by: "work@a.example") == .refused(.mediaOfOtherLogin))
    guard case .composed = try compose("fake", by: "work@a.example", to: parent) else { throw Wrong() }
    #expect(try commands().map(\.login) == ["work@a.example"])
  }

  @Test("they go where their post goes") func destination() throws {
    let here = try fixture.write("here")
    func destination(_ source: String, _ account: AccountID, to parent: String = "") throws -> UploadDestination {
      try store.uploadDestination(source: source, parent: parent, for: account)
    }
    #expect(try destination("fake", fixture.ann) == .login("ann@a.example", source: "fake"))
    #expect(try destination("fake", fixture.bob) == .noLogin(source: "fake"))
    #expect(try destination("", fixture.ann) == .here && destination("stack", fixture.ann) == .here)
    #expect(try destination("nowhere", fixture.ann) == .unknown && destination("", fixture.ann, to: "77") == .unknown)
    #expect(try destination("", fixture.ann, to: "\(here.id.rawValue)") == .here)
    guard case .composed(let parent) = try compose("fake") else { throw Wrong() }
    #expect(
      try destination("", fixture.ann, to: "\(parent.post.id.rawValue)") == .login("ann@a.example", source: "fake"))
  }
}

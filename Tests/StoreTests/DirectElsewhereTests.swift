import Dates
import Posts
import Testing

@testable import Store

@Suite("Direct conversations at servers elsewhere")
struct DirectElsewhereTests {
  private let fixture: Fixture
  private var store: PostStore { fixture.store }

  init() throws {
    fixture = try Fixture()
    fixture.store.upstreams = ["fake"]
    var hello = UpstreamHello(commands: [.post], signsIn: true)
    hello.postsDirectly = true
    try greet(hello)
    let own = ImportedAuthor(nativeID: "https://a.example/ann", handle: "ann", displayName: "Ann")
    let login = AccountLogin(source: "fake", name: "ann@a.example", account: fixture.ann, identity: own)
    _ = try store.commit([.openLogin(login)])
  }

  private func greet(_ hello: UpstreamHello) throws {
    _ = try store.commit([.greetProgram(UpstreamGreeting(source: "fake", hello: hello, account: fixture.ann))])
  }

  private struct Surprise: Error {
    let what: String
  }

  /// Brings a direct post by somebody at a.example that names others there.
  private func bring(
    _ id: String, by author: String, to names: [String], at seconds: Int64, in lists: UpstreamLists = .messages
  ) throws {
    var text = ""
    var spans: [Span] = []
    for name in names {
      spans.append(
        Span(kind: .mention, range: text.utf8.count..<text.utf8.count + name.utf8.count + 1, target: SafeText(name)))
      text += "@\(name) "
    }
    let post = ImportedPost(
      source: "fake", nativeID: "https://a.example/\(id)",
      author: ImportedAuthor(
        nativeID: "https://a.example/\(author)", handle: SafeText(author), displayName: SafeText(author)),
      createdAt: Instant(seconds: seconds), body: PostBody(text: SafeText(text + id), spans: spans, visibility: .direct)
    )
    let batch = UpstreamBatch(
      number: "1", subject: .login("ann@a.example"), items: [.post(post, in: lists, unfiled: [])])
    _ = try store.commit([.takeBatches(source: "fake", [batch])])
  }

  private func messages() throws -> [String] {
    try store.page(of: .messages(fixture.ann), for: fixture.ann, limit: 9)?.posts.map(\.text) ?? []
  }

  private func group(of reference: String) throws -> AudienceGroupID {
    let id = try #require(try store.resolve(reference: reference, visibleTo: fixture.ann))
    guard case .group(let group)? = try store.post(id, visibleTo: fixture.ann)?.audience else {
      throw Surprise(what: "no group")
    }
    return group
  }

  private func texts(of group: AudienceGroupID) throws -> [String] {
    try store.page(of: .direct(group), for: fixture.ann, limit: 9)?.posts.map(\.text) ?? []
  }

  @Test("posts of the same people are one conversation, of which the messages have the newest") func grouping() throws {
    try bring("1", by: "bea", to: ["ann"], at: 1)
    try bring("2", by: "ann", to: ["bea"], at: 2)
    try bring("3", by: "bea", to: ["ann", "cat@c.example"], at: 3)
    try bring("4", by: "cat@c.example", to: ["Bea", "ann"], at: 4, in: .mentions)
    #expect(try messages() == ["@Bea @ann 4", "@bea 2"])
    let pair = try group(of: "fake:https://a.example/1")
    #expect(try texts(of: pair) == ["@bea 2", "@ann 1"])
    #expect(try store.remoteAuthors(of: pair).map(\.handle) == ["bea"])
    let three = try group(of: "fake:https://a.example/3")
    #expect(try store.remoteAuthors(of: three).map(\.handle) == ["bea", "cat@c.example"])
    #expect(try store.resolve(reference: "fake:https://a.example/1", visibleTo: fixture.bob) == nil)
    let problems = try store.integrity()
    #expect(try store.home(fixture.ann).map(\.text) == ["@bea 2"] && problems == [])
  }

  @Test("a direct post written for the server joins its conversation once the server has it") func writing() throws {
    try bring("1", by: "bea", to: ["ann"], at: 1)
    let conversation = try group(of: "fake:https://a.example/1")
    let text = SafeText("@bea@a.example Hello")
    let body = PostBody(text: text, spans: TextSpans.find(in: text), visibility: .direct)
    let composition = Composition(
      account: fixture.ann, body: body, recipients: body.recipients.map(\.string), createdAt: Instant(seconds: 5),
      source: "fake")
    guard case .composed(let written) = try store.commit([.compose(composition)]).outcomes[0],
      case .outgoing(let commands) = try store.commit([.takeOutgoing(source: "fake", limit: 9, again: false)]).outcomes[
        0]
    else { throw Surprise(what: "no command") }
    #expect(commands.map(\.writing?.visibility) == [.direct] && commands[0].login == "ann@a.example")
    #expect(try texts(of: conversation).count == 1)
    let answer = UpstreamAnswer(id: commands[0].id, .done(nativeID: "https://a.example/5", permalink: .empty))
    _ = try store.commit([.takeAnswer(source: "fake", answer)])
    #expect(try texts(of: conversation) == ["@bea@a.example Hello", "@ann 1"])
    try bring("5", by: "ann", to: ["bea"], at: 5)
    let problems = try store.integrity()
    #expect(try texts(of: conversation).count == 2 && problems == [])
    #expect(try store.resolve(reference: "fake:https://a.example/5", visibleTo: fixture.ann) == written.post.id)
  }

  @Test("a reply to a direct post goes where that is, and names somebody; a program without direct posts gets none")
  func replies() throws {
    try bring("1", by: "bea", to: ["ann"], at: 1)
    let parent = try #require(try store.resolve(reference: "fake:https://a.example/1", visibleTo: fixture.ann))
    func reply(_ text: SafeText, source: String = "") throws -> Outcome {
      let body = PostBody(text: text, spans: TextSpans.find(in: text), visibility: .direct)
      return try store.commit([
        .compose(
          Composition(
            account: fixture.ann, body: body, recipients: body.recipients.map(\.string), inReplyTo: parent,
            createdAt: Instant(seconds: 6), source: source))
      ]).outcomes[0]
    }
    guard case .refused(.namesNobody) = try reply("Hello") else { throw Surprise(what: "not refused") }
    guard case .composed = try reply("@bea hello"),
      case .outgoing(let commands) = try store.commit([.takeOutgoing(source: "fake", limit: 9, again: false)]).outcomes[
        0]
    else { throw Surprise(what: "no reply") }
    #expect(commands.map(\.writing?.inReplyTo) == ["https://a.example/1"])
    try greet(UpstreamHello(commands: [.post], signsIn: true))
    guard case .refused(.directElsewhere) = try reply("@bea hello", source: "fake") else {
      throw Surprise(what: "not refused")
    }
    guard case .composed = try reply("@bea hello"),
      case .outgoing(let none) = try store.commit([.takeOutgoing(source: "fake", limit: 9, again: false)]).outcomes[0]
    else { throw Surprise(what: "no reply") }
    let problems = try store.integrity()
    #expect(none.isEmpty && problems == [])
  }
}

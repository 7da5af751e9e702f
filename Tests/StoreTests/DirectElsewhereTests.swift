import Dates
import Posts
import Testing

@testable import Store

@Suite("Direct conversations at servers elsewhere")
struct DirectElsewhereTests {
  private let fixture: Fixture
  private var store: PostStore { fixture.store }

  init() throws {
    fixture = try Fixture(upstreams: ["fake"])
    var hello = UpstreamHello(commands: [.post], signsIn: true)
    hello.takesDirectPosts = true
    try greet(hello)
    try signIn("ann@a.example")
  }

  /// Signs a login of Ann in.
  private func signIn(_ name: String) throws {
    let parts = name.split(separator: "@").map(String.init)
    let own = ImportedAuthor(
      nativeID: "https://\(parts[1])/\(parts[0])", handle: SafeText(parts[0]), displayName: SafeText(parts[0]))
    _ = try store.commit([
      .openLogin(AccountLogin(source: "fake", name: name, account: fixture.ann, identity: own))
    ])
  }

  private func greet(_ hello: UpstreamHello) throws {
    _ = try store.commit([.greetProgram(UpstreamGreeting(source: "fake", hello: hello, account: fixture.ann))])
  }

  /// Brings a direct post by an author of a server that names others there.
  private func bring(
    _ id: String, by author: String, to names: [String], at seconds: Int64, in lists: UpstreamLists = .messages,
    for login: String = "ann@a.example", aliases: [String] = [], recipients: [SafeText]? = nil
  ) throws {
    let server = String(login.split(separator: "@")[1])
    var text = ""
    var spans: [Span] = []
    for name in names {
      spans.append(
        Span(kind: .mention, range: text.utf8.count..<text.utf8.count + name.utf8.count + 1, target: SafeText(name)))
      text += "@\(name) "
    }
    var post = ImportedPost(
      source: "fake", nativeID: "https://\(server)/\(id)",
      author: ImportedAuthor(
        nativeID: "https://\(author.split(separator: "@").dropFirst().first.map(String.init) ?? server)/"
          + author.split(separator: "@")[0], handle: SafeText(author), displayName: SafeText(author)),
      createdAt: Instant(seconds: seconds), body: PostBody(text: SafeText(text + id), spans: spans, visibility: .direct)
    )
    (post.aliases, post.recipients) = (aliases, recipients)
    let batch = UpstreamBatch(
      number: "1", subject: .login(login), items: [.post(post, in: lists, unfiled: [])])
    _ = try store.commit([.takeBatches(source: "fake", [batch])])
  }

  private func messages() throws -> [String] {
    try store.page(of: .messages(fixture.ann), for: fixture.ann, limit: 9)?.posts.map(\.text) ?? []
  }

  private func group(of reference: String) throws -> AudienceGroupID {
    let id = try #require(try store.resolve(reference: reference, visibleTo: fixture.ann))
    guard case .group(let group)? = try store.post(id, visibleTo: fixture.ann)?.audience else {
      throw Unexpected("no group")
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
    #expect(try store.remoteAuthors(of: pair).known.map(\.handle) == ["bea"])
    let three = try group(of: "fake:https://a.example/3")
    #expect(try store.remoteAuthors(of: three).known.map(\.handle) == ["bea", "cat@c.example"])
    #expect(try store.resolve(reference: "fake:https://a.example/1", visibleTo: fixture.bob) == nil)
    let problems = try store.integrity()
    #expect(try store.home(fixture.ann).map(\.text) == ["@bea 2"] && problems == [])
  }

  @Test("a direct post is for those whom its server names, whoever stands in its text") func recipients() throws {
    try bring("1", by: "bea", to: ["ann"], at: 1, recipients: ["ann", "cat@c.example"])
    try bring("2", by: "ann", to: [], at: 2, recipients: ["cat@c.example", "bea"])
    try bring("3", by: "ann", to: ["bea", "cat@c.example"], at: 3, recipients: ["bea"])
    let groups = try ["1", "2", "3"].map { try group(of: "fake:https://a.example/\($0)") }
    #expect(groups[0] == groups[1] && groups[1] != groups[2])
    #expect(try texts(of: groups[2]) == ["@bea @cat@c.example 3"])
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
    else { throw Unexpected("no command") }
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

  @Test("who has no login can send no direct post") func noLogin() throws {
    let text = SafeText("@bea hello")
    let body = PostBody(text: text, spans: TextSpans.find(in: text), visibility: .direct)
    let composition = Composition(
      account: fixture.bob, body: body, recipients: ["bea"], createdAt: Instant(seconds: 5), source: "fake")
    #expect(try store.commit([.compose(composition)]).outcomes[0] == .refused(.noLogin(source: "fake")))
  }

  @Test("a reply to a direct post goes where that is; a program without direct posts gets none")
  func replies() throws {
    try bring("1", by: "bea", to: ["ann"], at: 1)
    let parent = try #require(try store.resolve(reference: "fake:https://a.example/1", visibleTo: fixture.ann))
    guard case .composed = try reply(to: parent, "hello @BEA@a.example") else { throw Unexpected("no reply") }
    let commands = try outgoing()
    #expect(commands.map(\.writing?.inReplyTo) == ["https://a.example/1"])
    #expect(commands.map(\.writing?.text) == ["hello @BEA@a.example"])
    try greet(UpstreamHello(commands: [.post], signsIn: true))
    guard case .refused(.directElsewhere) = try reply(to: parent, "@bea hello", source: "fake") else {
      throw Unexpected("not refused")
    }
    guard case .composed(let local) = try reply(to: parent, "@bea hello") else { throw Unexpected("no reply") }
    #expect(local.post.audience == .only(fixture.ann), "nobody else has it, so it is not in the conversation")
    let problems = try store.integrity()
    #expect(try outgoing().isEmpty && problems == [])
  }

  @Test("the people of a conversation are read as they were stored") func keys() {
    for names in [[], ["bea"], ["a b", "bea@b.example", ",", "a,b"]] {
      let people = RemotePeople(server: 3, login: "ann@a.example", names: names)
      #expect(RemotePeople(key: people.key(for: AccountID(7))) == people)
    }
    #expect(RemotePeople(key: "7,8") == nil && RemotePeople.storable(#"a"b\c"#) == "abc")
  }

  private func reply(to parent: PostID, _ text: SafeText, source: String = "") throws -> Outcome {
    let body = PostBody(text: text, spans: TextSpans.find(in: text), visibility: .direct)
    return try store.commit([
      .compose(
        Composition(
          account: fixture.ann, body: body, recipients: body.recipients.map(\.string), inReplyTo: parent,
          createdAt: Instant(seconds: 6), source: source))
    ]).outcomes[0]
  }

  private func outgoing() throws -> [UpstreamCommand] {
    let outcome = try store.commit([.takeOutgoing(source: "fake", limit: 9, again: false)]).outcomes[0]
    guard case .outgoing(let commands) = outcome else { throw Unexpected("no commands") }
    return commands
  }

  private func post(_ reference: String) throws -> PostID {
    try #require(try store.resolve(reference: reference, visibleTo: fixture.ann))
  }

  @Test("a reply names all in its conversation, and anyone else is refused") func sameAudience() throws {
    try bring("1", by: "bea@b.example", to: ["ann", "cat"], at: 1)
    let parent = try post("fake:https://a.example/1")
    guard case .refused(.answersFewer("dan")) = try reply(to: parent, "@cat do you know @dan?"),
      case .refused(.answersFewer("bea")) = try reply(to: parent, "@bea hi")
    else { throw Unexpected("sent to someone outside of the conversation") }
    guard case .composed(let answer) = try reply(to: parent, "hello @cat") else { throw Unexpected("no reply") }
    let command = try #require(try outgoing().first)
    #expect(command.writing?.text == "@bea@b.example hello @cat")
    _ = try store.commit([
      .takeAnswer(source: "fake", UpstreamAnswer(id: command.id, .done(nativeID: "https://a.example/2", permalink: "")))
    ])
    let talk = try group(of: "fake:https://a.example/1")
    #expect(try texts(of: talk).first == "@bea@b.example hello @cat")
    #expect(try store.post(answer.post.id, visibleTo: fixture.ann)?.body.mentions == ["bea@b.example", "cat"])
  }

  @Test("a command has at most 16 other names of a post, the shortest first") func aliases() throws {
    for part in 0..<3 {
      let names = (0..<10).map { "a.example#notification/\(part)\($0)" }
      try bring("1", by: "bea", to: ["ann"], at: 1, aliases: names + (part == 2 ? ["a.example#1"] : []))
    }
    guard case .composed = try reply(to: post("fake:https://a.example/1"), "hello") else {
      throw Unexpected("no reply")
    }
    let aliases = try #require(try outgoing().first?.writing?.parentAliases)
    #expect(aliases.count == 16 && aliases[0] == "a.example#1")
  }

  @Test("an edit of a direct post adds no one") func editing() throws {
    var hello = UpstreamHello(commands: [.post, .edit], signsIn: true)
    hello.takesDirectPosts = true
    try greet(hello)
    try bring("1", by: "bea", to: ["ann"], at: 1)
    guard case .composed(let answer) = try reply(to: post("fake:https://a.example/1"), "hello") else {
      throw Unexpected("no reply")
    }
    func edit(_ text: SafeText) throws -> Outcome {
      let edition = Edition(account: fixture.ann, post: answer.post.id, text: text, spans: TextSpans.find(in: text))
      return try store.commit([.edit(edition)]).outcomes[0]
    }
    guard case .refused(.answersFewer("cat")) = try edit("@bea hello, and @cat"), case .edited = try edit("@bea hello!")
    else { throw Unexpected("the edit adds someone") }
  }

  @Test("another person of the same name is one of the conversation") func names() throws {
    try signIn("nina@b.example")
    try bring("1", by: "bob", to: ["nina", "ann"], at: 1, for: "nina@b.example")
    try bring("2", by: "ann", to: ["nina"], at: 2, for: "nina@b.example")
    let people = try ["1", "2"].map { try store.remoteAuthors(of: group(of: "fake:https://b.example/\($0)")).known }
    #expect(people.map { $0.map(\.handle) } == [["ann", "bob"], ["ann"]])
  }

  @Test("a reply is sent by the login that has the conversation") func logins() throws {
    try signIn("nina@b.example")
    try signIn("zoe@b.example")
    for (id, login) in [("1", "ann@a.example"), ("2", "nina@b.example"), ("3", "zoe@b.example")] {
      try bring(id, by: "bob", to: [String(login.split(separator: "@")[0])], at: 1, for: login)
      let server = login.split(separator: "@")[1]
      guard case .composed = try reply(to: post("fake:https://\(server)/\(id)"), "hello") else {
        throw Unexpected("no reply")
      }
      #expect(try outgoing().map(\.login) == [login])
    }
    // A post for two logins stays in the conversation of the first that brought it.
    try bring("9", by: "bob", to: ["nina", "zoe"], at: 2, for: "nina@b.example")
    let first = try group(of: "fake:https://b.example/9")
    try bring("9", by: "bob", to: ["nina", "zoe"], at: 2, for: "zoe@b.example")
    #expect(try group(of: "fake:https://b.example/9") == first)
  }

  @Test("people are found by name and server") func people() throws {
    try signIn("nina@b.example")
    try bring("1", by: "bob", to: ["ann"], at: 1)
    try bring("2", by: "bob", to: ["nina"], at: 2, for: "nina@b.example")
    try bring("3", by: "bob@b.example", to: ["ann"], at: 3)
    let authors = try ["a.example/1", "b.example/2", "a.example/3"].map {
      try store.remoteAuthors(of: group(of: "fake:https://\($0)")).known.map(\.id)
    }
    #expect(authors.map(\.count) == [1, 1, 1] && authors[0] != authors[1] && authors[1] == authors[2])
  }

  @Test("a person of whom nothing has come is called as the server does") func unknown() throws {
    try bring("1", by: "ann", to: ["zoe@z.example", "bea"], at: 1)
    try bring("2", by: "bea", to: ["ann"], at: 2)
    let people = try store.remoteAuthors(of: group(of: "fake:https://a.example/1"))
    #expect(people.known.map(\.handle) == ["bea"] && people.unknown == ["zoe@z.example"])
  }

  @Test("a post for more than a conversation holds is for the account alone") func crowd() throws {
    try bring("1", by: "bea", to: (0...StoreLimits.people).map { "p\($0)" }, at: 1)
    #expect(try store.post(post("fake:https://a.example/1"), visibleTo: fixture.ann)?.audience == .only(fixture.ann))
  }
}

import Dates
import Posts
import Testing

@testable import Store

/// A source with a login of ann's and one of bob's at a.example, and one of bob's at b.example.
@Suite("Several logins at a source: lists of each, and whose word counts")
struct LoginTests {
  let fixture: Fixture
  var store: PostStore { fixture.store }
  var ann: AccountID { fixture.ann }
  var bob: AccountID { fixture.bob }

  init() throws {
    fixture = try Fixture(upstreams: ["fake"])
    let greeting = UpstreamGreeting(source: "fake", hello: UpstreamHello(), account: fixture.ann)
    _ = try fixture.store.commit([.greetProgram(greeting)])
    try addLogin("ann@a.example", of: ann)
    try addLogin("bob@a.example", of: bob)
    try addLogin("bob@b.example", of: bob)
  }

  func addLogin(_ name: String, of account: AccountID) throws {
    let login = AccountLogin(source: "fake", name: name, account: account)
    let outcome = try store.commit([.openLogin(login)]).outcomes[0]
    guard case .loginOpened = outcome else { throw Unexpected(outcome) }
  }

  static func post(
    _ id: String, _ text: SafeText = "Otter.", by author: String = "https://a.example/cat",
    named name: SafeText = "Cat",
    to parent: String? = nil, flags: PostFlags = []
  ) -> ImportedPost {
    ImportedPost(
      source: "fake", nativeID: id, author: ImportedAuthor(nativeID: author, handle: "cat", displayName: name),
      createdAt: Instant(seconds: 5), body: PostBody(text: text, flags: flags), inReplyTo: parent)
  }

  @discardableResult
  func bring(_ items: [UpstreamItem], by login: String) throws -> TakenBatch {
    let batch = UpstreamBatch(number: "1", subject: .login(login), items: items)
    let outcome = try store.commit([.takeBatches(source: "fake", [batch])]).outcomes[0]
    guard case .batchesTaken(let taken) = outcome, taken.count == 1 else { throw Unexpected(outcome) }
    #expect(try store.integrity() == [])
    return taken[0]
  }

  @discardableResult
  func bring(_ post: ImportedPost, in lists: UpstreamLists = .home, by login: String) throws -> TakenBatch {
    try bring([.post(post, in: lists, unfiled: [])], by: login)
  }

  func texts(of list: ListName, _ account: AccountID) throws -> [String] {
    try store.page(of: list, for: account, limit: 99)?.posts.map(\.text) ?? []
  }
  func homeTexts(_ account: AccountID) throws -> [String] { try texts(of: .home(account), account) }
  func mentionTexts(_ account: AccountID) throws -> [String] { try texts(of: .mentions(account), account) }

  func claim(_ author: String, for account: AccountID) throws {
    let claim = Write.claimIdentity(account, source: "fake", authorNativeID: author)
    guard case .identityClaimed = try store.commit([claim]).outcomes[0] else { return #expect(Bool(false)) }
  }

  func id(_ reference: String, for account: AccountID) throws -> PostID {
    try #require(try store.resolve(reference: "fake:\(reference)", visibleTo: account))
  }

  // MARK: Lists

  @Test("each login has its own lists: context of one may be in the timeline of another") func lists() throws {
    try bring(Self.post("n1"), in: [], by: "ann@a.example")
    try bring(Self.post("n1"), by: "bob@a.example")
    #expect(try homeTexts(ann) == [] && homeTexts(bob) == ["Otter."])
    try bring(Self.post("n1"), in: .mentions, by: "ann@a.example")
    #expect(try homeTexts(ann) == [] && mentionTexts(ann) == ["Otter."] && mentionTexts(bob) == [])
    #expect(try bring(Self.post("n1"), in: .mentions, by: "ann@a.example").report.same == 1)
  }

  @Test("mentions by a server's word stay when the account's names change, and when posts are edited") func mentions()
    throws
  {
    try bring(Self.post("n1"), in: .mentions, by: "ann@a.example")
    try bring(Self.post("n2", "Mine.", by: "https://a.example/ann"), by: "ann@a.example")
    try claim("https://a.example/ann", for: ann)
    try bring(Self.post("n1", "Edited."), in: [], by: "ann@a.example")
    #expect(try mentionTexts(ann) == ["Edited."] && homeTexts(ann) == ["Mine."])
    #expect(try store.integrity() == [])
  }

  @Test("a post that has left a list is gone from that list of that login alone, and can come back") func left() throws
  {
    for login in ["ann@a.example", "bob@a.example"] { try bring(Self.post("n1"), in: [.home, .mentions], by: login) }
    try bring([.left("n1", .home), .left("unknown", .timelines)], by: "ann@a.example")
    #expect(try homeTexts(ann) == [] && mentionTexts(ann) == ["Otter."] && homeTexts(bob) == ["Otter."])
    try bring([.left("n1", .timelines)], by: "ann@a.example")
    #expect(try mentionTexts(ann) == [])
    let id = try id("n1", for: ann)
    #expect(try store.post(id, visibleTo: ann)?.text == "Otter.")
    try bring(Self.post("n1"), by: "ann@a.example")
    #expect(try homeTexts(ann) == ["Otter."])
  }

  @Test("one's own posts, and those of authors that one follows here, stay when the source takes them out of a list")
  func stays() throws {
    try bring(Self.post("n1", "Mine.", by: "https://a.example/ann"), by: "ann@a.example")
    try claim("https://a.example/ann", for: ann)
    try bring([.left("n1", .home)], by: "ann@a.example")
    #expect(try homeTexts(ann) == ["Mine."])
  }

  @Test("a post of an archive stays in its owner's timeline when a server's word about it comes") func archive() throws
  {
    try fixture.load([Self.post("n1", "Old.")], as: bob)
    try bring(Self.post("n1", "New."), in: [], by: "ann@a.example")
    #expect(try homeTexts(bob) == ["New."] && homeTexts(ann) == [])
  }

  @Test("saved is each account's own: that of one login changes nothing of another's") func saved() throws {
    try bring(Self.post("n1", flags: .saved), in: .saved, by: "ann@a.example")
    try bring(Self.post("n1", flags: .favourited), by: "bob@a.example")
    func marks(_ account: AccountID) throws -> Mark? {
      try store.post(id("n1", for: account), visibleTo: account)?.mark(of: account)
    }
    #expect(try marks(ann) == .saved && marks(bob) == .favourited)
    try bring([.left("n1", .timelines)], by: "ann@a.example")
    #expect(try marks(ann) == .saved)
    try bring([.left("n1", .saved)], by: "ann@a.example")
    #expect(try marks(ann) == [] && marks(bob) == .favourited)
  }

  // MARK: Whose word counts

  @Test("a post is the word of the server that publishes it, else of the first that brought it") func word() throws {
    let own = "https://b.example/1"
    let other = "https://c.example/1"
    for id in [own, other] { try bring(Self.post(id, "First."), by: "ann@a.example") }
    func text(_ id: String) throws -> String? { try store.post(self.id(id, for: ann), visibleTo: ann)?.text }
    for id in [own, other] { try bring(Self.post(id, "Same server."), by: "bob@a.example") }
    #expect(try text(own) == "Same server." && text(other) == "Same server.")
    for id in [own, other] { try bring(Self.post(id, "Its own server?"), by: "bob@b.example") }
    #expect(try text(own) == "Its own server?" && text(other) == "Same server.")
    for id in [own, other] { try bring(Self.post(id, "Again."), by: "ann@a.example") }
    #expect(try text(own) == "Its own server?" && text(other) == "Again.")
    #expect(try homeTexts(bob).sorted() == ["Again.", "Its own server?"])
  }

  @Test("what another server says is gone has only left the lists of that login") func gone() throws {
    let id = "https://a.example/1"
    try bring(Self.post(id), by: "ann@a.example")
    try bring(Self.post(id), by: "bob@b.example")
    try bring([.gone(id)], by: "bob@b.example")
    #expect(try homeTexts(ann) == ["Otter."] && homeTexts(bob) == [])
    try bring([.gone(id)], by: "bob@a.example")
    #expect(try homeTexts(ann) == [])
  }

  @Test("a server does not rename the authors of another one that is here") func names() throws {
    try bring(Self.post("n1"), by: "ann@a.example")
    try bring(Self.post("n2", named: "Dog"), by: "bob@b.example")
    let dog = ImportedAuthor(nativeID: "https://a.example/cat", handle: "cat", displayName: "Dog")
    #expect(try bring([.person(dog, unkept: [])], by: "bob@b.example").report.authors == [])
    #expect(try bring([.person(dog, unkept: [])], by: "bob@a.example").report.authors.map(\.displayName) == ["Dog"])
  }

  @Test("a command is for the login at the post's server, else for the account's first") func commands() throws {
    let hello = UpstreamHello(commands: [.favourite, .unfavourite, .post])
    _ = try store.commit([.greetProgram(UpstreamGreeting(source: "fake", hello: hello, account: ann))])
    let post = Self.post("https://b.example/1")
    try bring(post, by: "bob@b.example")
    try bring(post, by: "ann@a.example")
    for account in [ann, bob] {
      let marking = Marking(
        account: account, post: try id(post.nativeID, for: account), mark: .favourited, isOn: true,
        at: Instant(seconds: 9))
      _ = try store.commit([.mark(marking)])
    }
    var composition = fixture.composition("There.", as: bob, at: 7)
    composition.source = "fake"
    _ = try store.commit([.compose(composition)])
    func taken(again: Bool) throws -> [UpstreamCommand] {
      let write = Write.takeOutgoing(source: "fake", limit: 9, again: again)
      guard case .outgoing(let commands) = try store.commit([write]).outcomes[0] else { return [] }
      return commands
    }
    var commands = try taken(again: false)
    #expect(commands.map(\.login) == ["ann@a.example", "bob@a.example"])
    #expect(commands.map(\.isAgain) == [false, false] && commands[1].writing?.writtenAt == Instant(seconds: 7))
    commands = try taken(again: true)
    #expect(commands.map(\.isAgain) == [true, true])
    let answer = UpstreamAnswer(id: commands[0].id, .done(nativeID: "", permalink: .empty))
    _ = try store.commit([.takeAnswer(source: "fake", answer)])
    #expect(try taken(again: false).map(\.login) == ["bob@b.example"], "one of a post at a time")
  }

  // MARK: Wants

  @Test("what a program is asked for: conversations, authors, gaps with the posts beside them, and searches")
  func fetches() throws {
    try bring(Self.post("https://b.example/1"), by: "bob@b.example")
    try bring(Self.post("n2"), by: "bob@a.example")
    func found(_ wanted: WantedPosts, _ account: AccountID) throws -> FoundFetch {
      try store.fetch(wanted, for: account)
    }
    func expected(_ fetch: UpstreamFetch, _ login: String = "bob@a.example") -> FoundFetch {
      .found(fetch, source: "fake", login: login)
    }
    let first = UpstreamFetch.conversation(post: "https://b.example/1")
    #expect(try found(.conversation("fake:https://b.example/1"), bob) == expected(first, "bob@b.example"))
    #expect(try found(.conversation("fake:n2"), bob) == expected(.conversation(post: "n2")))
    #expect(try found(.author("fake:https://a.example/cat"), bob) == expected(.author("https://a.example/cat")))
    #expect(try found(.search("otters", source: "fake"), bob) == expected(.search("otters")))
    #expect(try found(.search("otters", source: "nowhere"), bob) == .unknown)
    #expect(try found(.conversation("99"), bob) == .unknown && found(.author("@nobody"), bob) == .unknown)
    let here = try fixture.write("Here.", as: bob)
    #expect(try found(.conversation("\(here.id.rawValue)"), bob) == .noLogin(source: "stack"))

    let (newer, older) = (Instant(seconds: 5), Instant(seconds: 2))
    func noteGap(isLost: Bool) throws -> PostID {
      let note = try #require(GapNote(.missing(0), source: "fake", newer: newer, older: older, isLost: isLost))
      try bring([.gap(note)], by: "bob@a.example")
      return try #require(try store.gaps(of: bob).first).id
    }
    let gap = try noteGap(isLost: false)
    let fetch = UpstreamFetch.gap(newer: newer, older: older, above: "https://b.example/1", below: "")
    #expect(try found(.gap(gap), bob) == expected(fetch) && found(.gap(gap), ann) == .unknown)
    #expect(try found(.gap(noteGap(isLost: true)), bob) == .lost(source: "fake"))
  }

  // MARK: Limits

  @Test("a post for a login is limited as its source says, a reply to its posts too, and others as before")
  func limits()
    throws
  {
    let hello = UpstreamHello(commands: [.post])
    _ = try store.commit([.greetProgram(UpstreamGreeting(source: "fake", hello: hello, account: ann))])
    try bring(Self.post("n1"), by: "bob@a.example")
    func written(_ count: Int, for source: String = "", to parent: PostID? = nil) throws -> Refusal? {
      var composition = fixture.composition(String(repeating: "漁", count: count), as: bob, to: parent)
      composition.source = source
      guard case .refused(let refusal) = try store.commit([.compose(composition)]).outcomes[0] else { return nil }
      return refusal
    }
    let parent = try id("n1", for: bob)
    #expect(try written(500, for: "fake") == nil && written(501, for: "fake") == .postTooLong(501, limit: 500))
    try bring([.limits(PostLimits(characters: 60, linkCharacters: 9))], by: "bob@a.example")
    #expect(try written(60, to: parent) == nil && written(61, to: parent) == .postTooLong(61, limit: 60))
    #expect(try written(140) == nil && written(141) == .postTooLong(282, limit: 280))
    func limits(_ source: String, _ reference: String, _ upstreams: Set<String> = ["fake"]) throws -> PostLimits? {
      try store.postLimits(of: bob, for: source, replyingTo: reference, upstreams: upstreams)
    }
    let known = PostLimits(characters: 60, linkCharacters: 9)
    #expect(try limits("fake", "") == known && limits("", "fake:n1") == known)
    #expect(try limits("", "") == nil && limits("stack", "fake:n1") == nil && limits("", "fake:n1", []) == nil)
    #expect(try limits("nowhere", "") == nil && limits("", "fake:unknown") == nil)
    #expect(try store.postLimits(of: ann, for: "fake", replyingTo: "", upstreams: ["fake"]) == .standard)
    try bring(Self.post("n2", by: "https://a.example/bob"), by: "bob@a.example")
    try claim("https://a.example/bob", for: bob)
    #expect(try store.editLimits(of: bob, for: "fake:n2").get().limits == known, "an edit goes to the post's source")
    let local = try fixture.write("here", as: bob).id
    #expect(try store.editLimits(of: bob, for: String(local.rawValue)).get().limits == nil)
    #expect(throws: Refusal.notOwnText(local)) { try store.editLimits(of: ann, for: String(local.rawValue)).get() }
    #expect(throws: Refusal.notOwnText(parent)) { try store.editLimits(of: bob, for: "fake:n1").get() }
  }

  // MARK: Claimed authors

  @Test("a post by an author whom another account has claimed is for the login's account alone until its own brings it")
  func claimed() throws {
    let author = "https://a.example/bob"
    try bring(Self.post("n0", "Before.", by: author), by: "bob@a.example")
    try claim(author, for: bob)
    let carol = try store.account(uid: nil, name: "carol").id
    try addLogin("carol@a.example", of: carol)
    for login in ["ann@a.example", "carol@a.example"] {
      try bring(Self.post("n1", "Said so.", by: author), in: [.home, .mentions], by: login)
    }
    #expect(try homeTexts(ann) == ["Said so."] && homeTexts(carol) == ["Said so."] && homeTexts(bob) == ["Before."])
    let copy = try id("n1", for: ann)
    let marking = Marking(account: ann, post: copy, mark: .favourited, isOn: true, at: Instant(seconds: 9))
    _ = try store.commit([.mark(marking)])
    try bring(Self.post("n2", "Reply.", to: "n1"), by: "carol@a.example")

    try bring(Self.post("n1", "Said.", by: author), by: "bob@a.example")
    #expect(try homeTexts(bob) == ["Said.", "Before."])
    for account in [ann, carol] {
      #expect(try id("n1", for: account) == copy)
      #expect(try mentionTexts(account) == ["Said."])
    }
    #expect(try homeTexts(ann) == ["Said."] && homeTexts(carol).sorted() == ["Reply.", "Said."])
    #expect(try store.post(copy, visibleTo: ann)?.mark(of: ann) == .favourited)
    #expect(try store.post(copy, visibleTo: bob)?.mark(of: bob) == [])
    #expect(try store.post(id("n2", for: carol), visibleTo: carol)?.inReplyTo == copy)
    try bring(Self.post("n1", "Forged.", by: author), by: "ann@a.example")
    try bring([.gone("n1")], by: "ann@a.example")
    #expect(try homeTexts(bob) == ["Said.", "Before."] && homeTexts(ann) == [])
  }

  @Test("nobody takes over a shared post in the name of a claimed author") func takeover() throws {
    try bring(Self.post("n1", "Theirs."), by: "ann@a.example")
    try bring(Self.post("n0", by: "https://a.example/bob"), by: "bob@a.example")
    try claim("https://a.example/bob", for: bob)
    let taken = try bring(Self.post("n1", "Forged.", by: "https://a.example/bob"), by: "ann@a.example")
    guard case .stored(let report) = taken.result else { return #expect(Bool(false)) }
    #expect(report.refused.map(\.index) == [0])
    #expect(try homeTexts(ann) == ["Theirs."])
  }

  // MARK: - Signing in and out

  @Test("a login is one account's, which has at most 16; its program is told of it, with its cursors") func opening()
    throws
  {
    func open(_ name: String, _ account: AccountID) throws -> Outcome {
      try store.commit([.openLogin(AccountLogin(source: "fake", name: name, account: account))]).outcomes[0]
    }
    let batch = UpstreamBatch(number: "1", subject: .login("ann@a.example"), cursors: ["home": "7"])
    _ = try store.commit([.takeBatches(source: "fake", [batch])])
    let name = try #require(try store.accounts().first { $0.id == ann }).name
    #expect(
      try open("ann@a.example", ann)
        == .loginOpened(.login("ann@a.example", account: name, cursors: ["home": "7"]), nil))
    #expect(try open("ann@a.example", bob) == .refused(.loginTaken("ann@a.example")))
    // One is called as its source, for an account of a program by which nobody signs in.
    for number in 0..<14 { try addLogin("ann@\(number).example", of: ann) }
    #expect(try open("ann@more.example", ann) == .refused(.tooMany("logins", limit: 16)))
    #expect(try store.integrity() == [])
  }

  @Test("an account is the author of its login: it claims them, unless another account has") func identity() throws {
    let author = ImportedAuthor(nativeID: "https://a.example/ann", handle: "ann", displayName: "Ann")
    func open(_ name: String, _ account: AccountID) throws -> Outcome {
      try store.commit([.openLogin(AccountLogin(source: "fake", name: name, account: account, identity: author))])
        .outcomes[0]
    }
    try bring(Self.post("n1", "Mine.", by: author.nativeID), by: "bob@b.example")
    guard case .loginOpened(_, let claimed?) = try open("ann@new.example", ann) else { return #expect(Bool(false)) }
    #expect(claimed.handle == "ann" && claimed.displayName == "Ann")
    #expect(try homeTexts(ann) == ["Mine."])
    #expect(try open("ann@new.example", ann) == open("ann@new.example", ann))
    let logins = try store.logins().count
    guard case .refused(.claimed) = try open("bob@new.example", bob) else { return #expect(Bool(false)) }
    #expect(try store.logins().count == logins && store.integrity() == [])
  }

  @Test("a login that is signed out has its posts and its place still, and only its account may do it") func closing()
    throws
  {
    func close(_ name: String, _ account: AccountID) throws -> Outcome {
      try store.commit([
        .closeLogin(AccountLogin(source: "fake", name: name, account: account), forgets: false, isKnown: true)
      ])
      .outcomes[0]
    }
    try bring(Self.post("https://a.example/1"), by: "ann@a.example")
    #expect(try close("ann@a.example", bob) == .refused(.unknownSubject(.login("ann@a.example"))))
    #expect(try close("ann@a.example", ann) == .programTold([.signedOut(login: "ann@a.example")]))
    #expect(try close("ann@a.example", ann) == .refused(.unknownSubject(.login("ann@a.example"))))
    #expect(try homeTexts(ann) == ["Otter."] && store.logins().count == 3)
  }

  @Test("where a login was, and what is missing of its timeline, can be forgotten; another's stays") func forgetting()
    throws
  {
    let gap = try #require(
      GapNote(.missing(0), source: "fake", newer: Instant(seconds: 9), older: Instant(seconds: 3)))
    for login in ["ann@a.example", "ann@b.example"] {
      if login == "ann@b.example" { try addLogin(login, of: ann) }
      let batch = UpstreamBatch(number: "1", subject: .login(login), items: [.gap(gap)], cursors: ["home": "7"])
      _ = try store.commit([.takeBatches(source: "fake", [batch])])
    }
    let login = AccountLogin(source: "fake", name: "ann@a.example", account: ann)
    _ = try store.commit([.closeLogin(login, forgets: true, isKnown: true)])
    #expect(try store.gaps(of: ann).map(\.login) == ["ann@b.example"])
    let name = try #require(try store.accounts().first { $0.id == ann }).name
    #expect(
      try store.commit([.openLogin(login)]).outcomes
        == [.loginOpened(.login("ann@a.example", account: name, cursors: [:]), nil)])
  }

  @Test("a program that was away is told of a login that was signed out, until somebody signs in by it") func ended()
    throws
  {
    func told() throws -> [UpstreamNotice] {
      let greeting = UpstreamGreeting(source: "fake", hello: UpstreamHello(signsIn: true), account: ann)
      guard case .programTold(let notices) = try store.commit([.greetProgram(greeting)]).outcomes[0] else { return [] }
      return notices
    }
    let login = AccountLogin(source: "fake", name: "ann@a.example", account: ann)
    for _ in 0..<2 {
      _ = try store.commit([.closeLogin(login, forgets: false, isKnown: false)])
      #expect(try told().first == .signedOut(login: "ann@a.example") && told().count == 4)
      try addLogin("ann@a.example", of: bob)
      #expect(try told().count == 4 && !told().contains(.signedOut(login: "ann@a.example")))
      let other = AccountLogin(source: "fake", name: "ann@a.example", account: bob)
      _ = try store.commit([.closeLogin(other, forgets: false, isKnown: true)])
      try addLogin("ann@a.example", of: ann)
    }
    for number in 0..<300 {
      let name = "ann@\(number).example"
      try addLogin(name, of: ann)
      let login = AccountLogin(source: "fake", name: name, account: ann)
      _ = try store.commit([.closeLogin(login, forgets: false, isKnown: false)])
    }
    #expect(try told().count == 4 + StoreLimits.endedLogins, "the oldest are forgotten")
    #expect(try store.integrity() == [])
  }

  @Test("what an account wrote before it signed a login out goes out by no other login") func outgoing() throws {
    let hello = UpstreamHello(commands: [.post], signsIn: true)
    var composition = fixture.composition("hello", at: 5)
    composition.source = "fake"
    let login = AccountLogin(source: "fake", name: "ann@a.example", account: ann)
    _ = try store.commit([
      .greetProgram(UpstreamGreeting(source: "fake", hello: hello, account: ann)), .compose(composition),
      .closeLogin(login, forgets: false, isKnown: true),
    ])
    try addLogin("ann@c.example", of: ann)
    composition.body.text = "by the next"
    _ = try store.commit([.compose(composition)])
    func taken(again: Bool) throws -> [UpstreamCommand] {
      let outcome = try store.commit([.takeOutgoing(source: "fake", limit: 9, again: again)]).outcomes[0]
      guard case .outgoing(let commands) = outcome else { throw Unexpected(outcome) }
      return commands
    }
    let commands = try taken(again: false)
    #expect(commands.map(\.login) == ["ann@a.example", "ann@c.example"])
    #expect(try taken(again: true).map(\.login) == commands.map(\.login), "also after a restart")
    let refused = UpstreamAnswer(id: commands[0].id, .refused("ann@a.example is signed out"))
    let post = try #require(try store.outbox(of: ann).first).id
    _ = try store.commit([.takeAnswer(source: "fake", refused), .retry(ann, post, requestID: "")])
    #expect(try taken(again: false).map(\.login) == ["ann@a.example"], "and when it is tried again")
    #expect(try store.integrity() == [])
  }

  @Test("when the posts of a source are forgotten its logins start anew") func startingAnew() throws {
    let gap = try #require(
      GapNote(.missing(0), source: "fake", newer: Instant(seconds: 9), older: Instant(seconds: 3)))
    for login in ["ann@a.example", "bob@a.example"] {
      let batch = UpstreamBatch(number: "1", subject: .login(login), items: [.gap(gap)], cursors: ["home": "7"])
      _ = try store.commit([.takeBatches(source: "fake", [batch])])
    }
    try bring(Self.post("https://a.example/1"), by: "ann@a.example")
    let outcome = try store.commit([.forget(Forgetting(.source("fake"), of: ann))]).outcomes[0]
    guard case .forgotten(let forgotten) = outcome else { throw Unexpected(outcome) }
    let name = try #require(try store.accounts().first { $0.id == ann }).name
    let anew = UpstreamNotice.login("ann@a.example", account: name, cursors: [:])
    #expect(forgotten.removed == 1 && forgotten.restarted.contains(anew))
    #expect(!forgotten.restarted.contains { if case .login("bob@a.example", _, _, _) = $0 { true } else { false } })
    #expect(try store.gaps(of: ann).isEmpty && store.gaps(of: bob).count == 1)
    #expect(try store.integrity() == [])
  }

  @Test("a program by which people sign in has no login of its own") func noOwnLogin() throws {
    let greeting = UpstreamGreeting(source: "elsewhere", hello: UpstreamHello(signsIn: true), account: ann)
    #expect(try store.commit([.greetProgram(greeting)]).outcomes == [.programTold([])])
  }

  @Test("an item names a post by its ID or by an alias") func aliases() throws {
    var post = Self.post("https://a.example/1")
    post.aliases = ["a.example#1"]
    try bring(post, by: "ann@a.example")
    let report = try bring([.doubt("a.example#1"), .doubt("a.example#2"), .gone("a.example#1")], by: "ann@a.example")
    guard case .stored(let answer) = report.result else { return #expect(Bool(false)) }
    #expect(answer.present == ["a.example#1"])
    #expect(try homeTexts(ann) == [])
  }
}

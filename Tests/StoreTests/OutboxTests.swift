import Dates
import Posts
import TestSupport
import Testing

@testable import Store

@Suite("Actions on posts of a source wait in the outbox until the source confirms them")
struct OutboxTests {
  /// Returns a store whose source "twitter" has an upstream program, with one post of it: ID 1, native ID 1.
  private func fixture() throws -> Fixture {
    let fixture = try Fixture()
    fixture.store.upstreams = ["twitter"]
    try fixture.load([tweet("1", "one", at: 1)])
    return fixture
  }

  private let post = PostID(1)

  @discardableResult
  private func mark(_ fixture: Fixture, _ mark: Mark, _ isOn: Bool, as account: AccountID, request: String = "") throws
    -> MarkedPost
  {
    let marking = Marking(
      account: account, post: post, mark: mark, isOn: isOn, at: Instant(seconds: 50), requestID: request)
    guard case .marked(let marked) = try fixture.store.commit([.mark(marking)]).outcomes[0] else { throw Wrong() }
    return marked
  }

  private func takeCommands(_ fixture: Fixture, again: Bool = false, limit: Int = 9) throws -> [UpstreamCommand] {
    let outcome = try fixture.store.commit([.takeOutgoing(source: "twitter", limit: limit, again: again)]).outcomes[0]
    guard case .outgoing(let commands) = outcome else { throw Wrong() }
    return commands
  }

  @discardableResult
  private func answer(_ fixture: Fixture, _ command: UpstreamCommand, _ result: UpstreamAnswer.Result) throws -> Commit
  {
    try fixture.store.commit([.takeAnswer(source: "twitter", UpstreamAnswer(id: command.id, result))])
  }

  private let done = UpstreamAnswer.Result.done(nativeID: "", permalink: .empty)

  private func shown(_ fixture: Fixture, _ account: AccountID) throws -> (
    mark: Mark, failure: SafeText?, counts: Counts
  ) {
    let post = try #require(try fixture.store.post(post, visibleTo: account))
    return (
      post.mark(of: account), post.marks.failure(of: account), post.marks.counts(beside: post.body.unpacked()!.counts)
    )
  }

  @Test("a mark is visible at once, enters the outbox in the same commit, and is sent once, with the source's post ID")
  func mark() throws {
    let fixture = try fixture()
    let commit = try fixture.store.commit([
      .mark(Marking(account: fixture.bob, post: post, mark: .favourited, isOn: true, at: Instant(seconds: 50)))
    ])
    #expect(commit.changes.outgoing == ["twitter": []] && commit.changes.changed.map(\.id) == [post])
    #expect(
      try shown(fixture, fixture.bob).mark == [.favourited, .pending]
        && shown(fixture, fixture.bob).counts.favourites == 1)
    #expect(try shown(fixture, fixture.ann).mark == [], "the delivery state is private")
    let commands = try takeCommands(fixture)
    #expect(commands == [UpstreamCommand(id: "7-1", account: "bob", action: .favourite, post: "1")])
    #expect(try takeCommands(fixture) == [])
    var again = commands[0]
    again.isAgain = true
    #expect(try takeCommands(fixture, again: true) == [again], "as after a crash")
    #expect(try answer(fixture, commands[0], done).changes.changed.map(\.id) == [post])
    #expect(try shown(fixture, fixture.bob).mark.subtracting(.favouriteAhead) == .favourited)
    #expect(try fixture.store.outbox(of: fixture.bob) == [] && takeCommands(fixture, again: true) == [])
    #expect(try fixture.store.integrity() == [])
  }

  @Test("saved posts and marks on posts of other sources are not sent") func local() throws {
    let fixture = try fixture()
    try mark(fixture, .saved, true, as: fixture.ann)
    let here = try fixture.write("here", at: 2)
    _ = try fixture.store.commit([
      .mark(Marking(account: fixture.bob, post: here.id, mark: .favourited, isOn: true, at: Instant(seconds: 3)))
    ])
    #expect(try takeCommands(fixture) == [])
  }

  @Test("a refused repost is removed; a refused unrepost restores it in place") func reposts() throws {
    let fixture = try fixture()
    let repost = try #require(try mark(fixture, .reposted, true, as: fixture.bob).repost)
    try answer(fixture, try takeCommands(fixture)[0], .refused("no"))
    #expect(try fixture.store.post(repost.post.id, visibleTo: fixture.ann) == nil)
    #expect(try shown(fixture, fixture.bob).counts.reposts == 0 && shown(fixture, fixture.bob).failure == "no")
    guard case .settled(let again) = try fixture.store.commit([.retry(fixture.bob, post, requestID: "")]).outcomes[0]
    else { throw Wrong() }
    #expect(again.map(\.post.createdAt) == [Instant(seconds: 50)])
    try answer(fixture, try takeCommands(fixture)[0], .done(nativeID: "r1", permalink: .empty))
    // Its echo is the same post.
    try fixture.load([tweet("r1", at: 50, by: "9", of: tweet("1", "one", at: 1))], as: fixture.bob)
    #expect(try fixture.texts() == ["one", "one"])
    try mark(fixture, .reposted, false, as: fixture.bob)
    #expect(try fixture.texts() == ["one"])
    guard case .settled(let back) = try answer(fixture, try takeCommands(fixture)[0], .refused("it stays")).outcomes[0]
    else {
      throw Wrong()
    }
    #expect(back.map(\.post.createdAt) == [Instant(seconds: 50)])
    #expect(try fixture.texts().count == 2)
    #expect(try fixture.store.integrity() == [])
  }

  @Test("an edit of one's own post goes to its source, and is undone here if that refuses it") func edits() throws {
    let fixture = try fixture()
    _ = try fixture.store.commit([
      .claimIdentity(fixture.ann, source: "twitter", authorNativeID: "1"),
      .greetProgram(
        UpstreamGreeting(source: "twitter", hello: UpstreamHello(commands: [.edit]), account: fixture.ann)),
    ])
    func edit(_ text: SafeText) throws -> Outcome {
      let edition = Edition(account: fixture.ann, post: post, text: text, spans: [])
      return try fixture.store.commit([.edit(edition)]).outcomes[0]
    }
    func text() throws -> String? { try fixture.store.post(post, visibleTo: fixture.ann)?.body.unpacked()?.text.string }
    _ = try edit("two")
    let first = try takeCommands(fixture)[0]
    #expect(first.action == .edit && first.post == "1" && first.writing?.text == "two")
    _ = try edit("three")
    let echo = UpstreamItem.post(tweet("1", "two", at: 1), in: .home, unfiled: [])
    let batch = UpstreamBatch(number: "1", subject: .login("twitter"), items: [echo])
    _ = try fixture.store.commit([.takeBatches(source: "twitter", [batch])])
    #expect(try text() == "three", "the source's word waits for the answer")
    #expect(try takeCommands(fixture, again: true).map(\.writing?.text) == ["two"])
    try answer(fixture, first, done)
    let second = try takeCommands(fixture)[0]
    #expect(second.writing?.text == "three")
    try answer(fixture, second, .refused("too many edits"))
    #expect(try text() == "two" && shown(fixture, fixture.ann).failure == "too many edits")
    _ = try fixture.store.commit([.retry(fixture.ann, post, requestID: "")])
    #expect(try text() == "three")
    try answer(fixture, try takeCommands(fixture)[0], done)
    #expect(try text() == "three" && takeCommands(fixture).isEmpty && shown(fixture, fixture.ann).failure == nil)
    _ = try fixture.store.commit([.undo(Undo(account: fixture.ann, at: Instant(seconds: 60)))])
    #expect(try text() == "two" && takeCommands(fixture).map(\.writing?.text) == ["two"])
    #expect(try fixture.store.integrity() == [])
  }

  @Test("a pending edit, and undoing one, changes the text alone: the rest is what the source says meanwhile")
  func editsOfTextAlone() throws {
    let fixture = try fixture()
    _ = try fixture.store.commit([
      .claimIdentity(fixture.ann, source: "twitter", authorNativeID: "1"),
      .greetProgram(
        UpstreamGreeting(source: "twitter", hello: UpstreamHello(commands: [.edit]), account: fixture.ann)),
    ])
    func bring(_ text: String, warning: SafeText, favourites: UInt32) throws {
      var brought = tweet("1", text, at: 1)
      brought.body.contentWarning = warning
      brought.body.counts.favourites = favourites
      let url = SafeText("https://x.example/\(favourites).png")
      brought.body.media = [Media(kind: .image, url: url, altText: "an otter")]
      let batch = UpstreamBatch(
        number: "1", subject: .login("twitter"), items: [.post(brought, in: .home, unfiled: [])])
      _ = try fixture.store.commit([.takeBatches(source: "twitter", [batch])])
    }
    func shown() throws -> [String] {
      let body = try #require(try fixture.store.post(post, visibleTo: fixture.ann)?.body.unpacked())
      return [
        body.text.string, body.contentWarning.string, "\(body.counts.favourites)", "\(body.media.count)",
        body.flags.contains(.edited) ? "edited" : "",
      ]
    }
    func commit(_ write: Write) throws { _ = try fixture.store.commit([write]) }
    let edition = Edition(account: fixture.ann, post: post, text: "two", spans: [])
    try commit(.edit(edition))
    try bring("one", warning: "sea", favourites: 3)
    #expect(try shown() == ["two", "sea", "3", "1", "edited"], "the source's word of all but the text is shown")
    let command = try takeCommands(fixture)[0]
    #expect(command.writing?.text == "two" && command.writing?.contentWarning == "sea")
    try answer(fixture, command, .refused("no"))
    #expect(try shown() == ["one", "sea", "3", "1", ""], "a refused edit takes the text back, and nothing else")
    try commit(.retry(fixture.ann, post, requestID: ""))
    try answer(fixture, try takeCommands(fixture)[0], done)
    try bring("two", warning: "", favourites: 4)
    try commit(.undo(Undo(account: fixture.ann, at: Instant(seconds: 60))))
    #expect(try shown() == ["one", "", "4", "1", ""], "so does undoing one")
    try commit(.undo(Undo(account: fixture.ann, isRedo: true, at: Instant(seconds: 61))))
    #expect(try shown() == ["two", "", "4", "1", "edited"])
    #expect(try fixture.store.integrity() == [])
  }

  @Test("only the author sees a post until its source confirms it; then it has the source's name and its audience")
  func compose()
    throws
  {
    let fixture = try fixture()
    var composition = fixture.composition("@bob mine", at: 5, to: post)
    composition.source = "twitter"
    (composition.body.contentWarning, composition.body.language) = ("mine", "en")
    guard case .composed(let composed) = try fixture.store.commit([.compose(composition)]).outcomes[0] else {
      throw Wrong()
    }
    #expect(composed.post.mark(of: fixture.ann) == .pending && composed.post.audience == .only(fixture.ann))
    #expect(try fixture.texts(fixture.bob) == ["one"])
    #expect(
      try fixture.store.exportPage(limit: 9, visibleTo: fixture.ann).posts.map(\.nativeID) == ["1"],
      "it has no name there yet")
    let command = try takeCommands(fixture)[0]
    #expect(
      command.writing
        == UpstreamCommand.Writing(
          text: "@bob mine", contentWarning: "mine", language: "en", visibility: .public, inReplyTo: "1",
          writtenAt: Instant(seconds: 5)))
    // The echo arrives before the answer.
    try fixture.load([tweet("2", "@bob mine", at: 5, answers: "1")], as: fixture.bob)
    try answer(fixture, command, .done(nativeID: "2", permalink: "https://x.example/2"))
    let all = try fixture.visible(fixture.bob)
    #expect(all.map(\.id) == [composed.post.id, post] && all[0].body.unpacked()?.permalink == "https://x.example/2")
    #expect(try fixture.load([tweet("2", "@bob mine", at: 5, answers: "1")]).new == 0)
    #expect(try fixture.store.exportPage(limit: 9, visibleTo: fixture.ann).posts.map(\.nativeID) == ["1", "2"])
    #expect(
      try fixture.store.count(of: .home(fixture.bob), for: fixture.bob) == 1,
      "he keeps his import, and only ann imported the rest")
    #expect(try fixture.store.integrity() == [])
  }

  @Test("a command has the source's other names of its post and of the parent; a confirmed post takes over its echo's")
  func aliases() throws {
    let fixture = try fixture()
    let long = String(repeating: "x", count: UpstreamCommand.aliasLimit + 1)
    try fixture.load([tweet("1", "one", at: 1, aliases: ["a#1", long])])
    try mark(fixture, .favourited, true, as: fixture.bob)
    let marking = try takeCommands(fixture)[0]
    #expect(marking.post == "1" && marking.aliases == ["a#1"])
    try answer(fixture, marking, done)
    var composition = fixture.composition("mine", at: 5, to: post)
    composition.source = "twitter"
    guard case .composed(let made) = try fixture.store.commit([.compose(composition)]).outcomes[0] else {
      throw Wrong()
    }
    let composed = made.post.id
    let command = try takeCommands(fixture)[0]
    #expect(command.writing?.inReplyTo == "1" && command.writing?.parentAliases == ["a#1"] && command.aliases == [])
    try fixture.load([tweet("2", "mine", at: 5, answers: "1", aliases: ["a#2"])], as: fixture.bob)
    try answer(fixture, command, .done(nativeID: "2", permalink: .empty))
    #expect(try fixture.store.resolve(reference: "twitter:a#2", visibleTo: fixture.ann) == composed)
    #expect(try fixture.store.integrity() == [])
  }

  @Test("waiting actions stay in the outbox while the source has no upstream program") func withoutProgram()
    throws
  {
    let fixture = try fixture()
    try mark(fixture, .favourited, true, as: fixture.ann)
    let asked = try takeCommands(fixture)
    #expect(asked.map(\.action) == [.favourite])
    fixture.store.upstreams = []
    try mark(fixture, .favourited, false, as: fixture.ann)
    fixture.store.upstreams = ["twitter"]
    try answer(fixture, asked[0], .done(nativeID: "", permalink: ""))
    let next = try takeCommands(fixture)
    #expect(next.map(\.action) == [.unfavourite])
    try answer(fixture, next[0], .done(nativeID: "", permalink: ""))
    // A post whose answer was lost is deleted meanwhile.
    var composition = fixture.composition("mine", at: 5)
    composition.source = "twitter"
    guard case .composed(let composed) = try fixture.store.commit([.compose(composition)]).outcomes[0] else {
      throw Wrong()
    }
    let writing = try takeCommands(fixture)
    fixture.store.upstreams = []
    _ = try fixture.store.commit([.deletePost(fixture.ann, composed.post.id, requestID: "")])
    fixture.store.upstreams = ["twitter"]
    #expect(try takeCommands(fixture, again: true).map(\.id) == writing.map(\.id))
    try answer(fixture, writing[0], .done(nativeID: "n9", permalink: ""))
    #expect(try takeCommands(fixture).map(\.post) == ["n9"])
    #expect(try fixture.store.integrity() == [])
  }

  @Test("undoing a post of the source is reported as irrevocable and cannot be redone")
  func irrevocable() throws {
    let fixture = try fixture()
    var composition = fixture.composition("mine", at: 5)
    composition.source = "twitter"
    _ = try fixture.store.commit([.compose(fixture.composition("here", at: 4)), .compose(composition)])
    try answer(fixture, try takeCommands(fixture)[0], .done(nativeID: "n1", permalink: ""))
    func undo(redo: Bool = false) throws -> Outcome {
      try fixture.store.commit([.undo(Undo(account: fixture.ann, isRedo: redo, at: Instant(seconds: 9)))]).outcomes[0]
    }
    guard case .undone(let first) = try undo(), case .undone(let second) = try undo() else { throw Wrong() }
    #expect(first.isIrrevocable && first.redoable == 0 && !second.isIrrevocable && second.redoable == 1)
    #expect(try takeCommands(fixture).map(\.post) == ["n1"])
    guard case .undone(let again) = try undo(redo: true) else { throw Wrong() }
    #expect(again.obstacle == nil && again.redoable == 0)
    #expect(try undo(redo: true) == .refused(.nothingToUndo(isRedo: true)))
  }

  @Test("a reply to a post that its source never got is not sent, with the reason") func orphan() throws {
    let fixture = try fixture()
    func send(_ text: String, to parent: PostID? = nil) throws -> PostID {
      var composition = fixture.composition(text, at: 5, to: parent)
      composition.source = "twitter"
      guard case .composed(let composed) = try fixture.store.commit([.compose(composition)]).outcomes[0] else {
        throw Wrong()
      }
      return composed.post.id
    }
    let parent = try send("parent")
    let child = try send("child", to: parent)
    try answer(fixture, try takeCommands(fixture)[0], .refused("no"))
    #expect(try takeCommands(fixture).isEmpty, "it waits for its parent")
    _ = try fixture.store.commit([.discard(fixture.ann, parent, requestID: "")])
    #expect(try takeCommands(fixture).isEmpty)
    func failure() throws -> String? {
      try fixture.store.outbox(of: fixture.ann).first { $0.id == child }?.entry.failure?.string
    }
    #expect(try failure() == "the post it replies to was not sent")
    _ = try fixture.store.commit([.retry(fixture.ann, child, requestID: "")])
    #expect(try takeCommands(fixture).isEmpty && failure() == "the post it replies to was not sent")
    _ = try fixture.store.commit([.discard(fixture.ann, child, requestID: "")])
    #expect(try fixture.store.post(child) == nil && fixture.store.outbox(of: fixture.ann).isEmpty)
    #expect(try fixture.store.integrity() == [])
  }

  @Test("a wish that its source puts off for ever can be given up; the source need not be asked again")
  func givenUp() throws {
    let fixture = try fixture()
    var composition = fixture.composition("later", at: 5)
    composition.source = "twitter"
    guard case .composed(let composed) = try fixture.store.commit([.compose(composition)]).outcomes[0] else {
      throw Wrong()
    }
    let (post, ann) = (composed.post.id, fixture.ann)
    let command = try #require(try takeCommands(fixture).first)
    try answer(fixture, command, .later("not now"))
    _ = try fixture.store.commit([.deletePost(ann, post, requestID: "")])
    #expect(try fixture.store.post(post, visibleTo: ann) == nil && !fixture.store.outbox(of: ann).isEmpty)
    let waiting = try fixture.store.commit([.discard(ann, post, requestID: "")]).outcomes[0]
    #expect(waiting == .refused(.nothingFailed(post)))
    let others = try fixture.store.commit([.discard(fixture.bob, post, givingUp: true, requestID: "")]).outcomes[0]
    #expect(others == .refused(.noSuchPost(post)))
    let commit = try fixture.store.commit([.discard(ann, post, givingUp: true, requestID: "d")])
    #expect(commit.changes.outgoing == ["twitter": [command.id]])
    #expect(try fixture.store.post(post) == nil && fixture.store.outbox(of: ann).isEmpty)
    #expect(try takeCommands(fixture).isEmpty && fixture.store.integrity() == [])
    try answer(fixture, command, .done(nativeID: "n1", permalink: ""))
    #expect(try fixture.store.post(post) == nil)
  }

  @Test("a reply goes to the parent's source unless it is not public or stays local by request") func answers() throws {
    let fixture = try fixture()
    try fixture.load([tweet("8", "for few", at: 2, .followers)])
    let few = try #require(try fixture.store.resolve(reference: "twitter:8", visibleTo: fixture.ann))
    func send(_ text: String, to parent: PostID, source: String = "", _ visibility: Visibility = .public) throws
      -> Outcome
    {
      var composition = fixture.composition(text, at: 5, to: parent, visibility)
      composition.source = source
      return try fixture.store.commit([.compose(composition)]).outcomes[0]
    }
    _ = try send("there", to: post)
    #expect(try takeCommands(fixture).map { $0.writing?.inReplyTo } == ["1"])
    guard case .composed(let here) = try send("here", to: post, source: "stack") else { throw Wrong() }
    #expect(here.post.audience == .everyone && here.post.inReplyTo == post)
    _ = try send("@bob between us", to: post, .direct)
    _ = try send("for those who follow me here", to: post, .followers)
    _ = try send("for few too", to: few)
    _ = try send("to what stayed here", to: here.post.id)
    fixture.store.upstreams = []
    _ = try send("no program", to: post)
    fixture.store.upstreams = ["twitter"]
    #expect(try takeCommands(fixture).isEmpty)
    #expect(try fixture.store.integrity() == [])
  }

  @Test("a deleted post is hidden everywhere until the source confirms or refuses") func delete()
    throws
  {
    let fixture = try fixture()
    _ = try fixture.store.commit([.claimIdentity(fixture.ann, source: "twitter", authorNativeID: "1")])
    var answering = fixture.composition("an answer", as: fixture.bob, at: 3, to: post)
    answering.source = LocalSource.name
    guard case .composed(let composed) = try fixture.store.commit([.compose(answering)]).outcomes[0] else {
      throw Wrong()
    }
    let reply = composed.post
    _ = try fixture.store.commit([.deletePost(fixture.ann, post, requestID: "d")])
    #expect(try fixture.texts() == ["an answer"] && fixture.store.post(post, visibleTo: fixture.ann) == nil)
    #expect(try fixture.store.integrity() == [])
    // The same import again does not bring it back.
    try fixture.load([tweet("1", "one!", at: 1)])
    #expect(try fixture.texts() == ["an answer"])
    try answer(fixture, try takeCommands(fixture)[0], .refused("locked"))
    #expect(try fixture.texts(fixture.bob) == ["an answer", "one!"] && shown(fixture, fixture.ann).failure == "locked")
    #expect(try fixture.store.post(reply.id, visibleTo: fixture.bob)?.inReplyTo == post)
    _ = try fixture.store.commit([.retry(fixture.ann, post, requestID: "")])
    try answer(fixture, try takeCommands(fixture)[0], done)
    #expect(
      try fixture.texts() == ["an answer"] && fixture.store.post(reply.id, visibleTo: fixture.bob)?.inReplyTo == nil)
    #expect(try fixture.store.integrity() == [])
  }

  @Test("a command with the same request ID is done once, even after it was reversed") func requests() throws {
    let fixture = try fixture()
    #expect(try mark(fixture, .favourited, true, as: fixture.bob, request: "a").hasChanged)
    #expect(try mark(fixture, .favourited, false, as: fixture.bob, request: "b").hasChanged)
    fixture.store = try PostStore(path: fixture.folder.file("posts.db"), epoch: 8)
    fixture.store.upstreams = ["twitter"]
    #expect(try !mark(fixture, .favourited, true, as: fixture.bob, request: "a").hasChanged)
    #expect(try shown(fixture, fixture.bob).counts.favourites == 0 && takeCommands(fixture) == [])
    let refusal = try fixture.store.commit([.discard(fixture.bob, post, requestID: "c")]).outcomes[0]
    #expect(refusal == .refused(.nothingFailed(post)))
  }

  @Test("a restored backup repeats requests under their original names") func restored() throws {
    let fixture = try fixture()
    try mark(fixture, .favourited, true, as: fixture.bob)
    var command = try takeCommands(fixture)[0]
    try fixture.store.backup(to: fixture.folder.file("copy.db"))
    fixture.store = try PostStore(path: fixture.folder.file("copy.db"), epoch: 9)
    fixture.store.upstreams = ["twitter"]
    command.isAgain = true
    #expect(try takeCommands(fixture, again: true) == [command])
    try mark(fixture, .favourited, false, as: fixture.bob)
    try answer(fixture, command, done)
    #expect(try takeCommands(fixture).map(\.id) == ["9-2"])
  }

  @Test("the outbox of an account is limited, but reversing an action is always possible") func limit() throws {
    let fixture = try fixture()
    try fixture.load((2...StoreLimits.outboxEntries + 1).map { tweet("\($0)", "x", at: Int64($0)) })
    let all = try fixture.visible()
    let writes = all.map {
      Write.mark(Marking(account: fixture.bob, post: $0.id, mark: .favourited, isOn: true, at: Instant(seconds: 0)))
    }
    let outcomes = try fixture.store.commit(writes).outcomes
    #expect(
      outcomes.last == .refused(.tooMany("actions waiting for their source", limit: StoreLimits.outboxEntries)))
    #expect(outcomes.dropLast().allSatisfy { if case .marked = $0 { true } else { false } })
    let undo = Marking(account: fixture.bob, post: all[0].id, mark: .favourited, isOn: false, at: Instant(seconds: 0))
    _ = try fixture.store.commit([.mark(undo)])
    #expect(try fixture.store.commit([writes.last!]).outcomes != [outcomes.last!])
  }

  @Test("an action refused by a full outbox leaves no undo entry, and a retry succeeds once there is room")
  func refused() throws {
    let fixture = try fixture()
    try fixture.load((2...StoreLimits.outboxEntries + 1).map { tweet("\($0)", "x", at: Int64($0), by: "2") })
    _ = try fixture.store.commit([.claimIdentity(fixture.ann, source: "twitter", authorNativeID: "1")])
    let others = try fixture.visible().map(\.id).filter { $0 != post }
    let marks = others.map {
      Write.mark(Marking(account: fixture.ann, post: $0, mark: .favourited, isOn: true, at: Instant(seconds: 0)))
    }
    _ = try fixture.store.commit(marks)
    let full = Outcome.refused(.tooMany("actions waiting for their source", limit: StoreLimits.outboxEntries))
    let favourite = Marking(
      account: fixture.ann, post: post, mark: .favourited, isOn: true, at: Instant(seconds: 0), requestID: "f")
    #expect(
      try fixture.store.commit([.mark(favourite), .deletePost(fixture.ann, post, requestID: "d")]).outcomes == [
        full, full,
      ])
    let undo = Write.undo(Undo(account: fixture.ann, at: Instant(seconds: 9)))
    guard case .undone(let undone) = try fixture.store.commit([undo]).outcomes[0] else { throw Wrong() }
    #expect(undone.post == others.last && undone.obstacle == nil)
    guard case .marked(let marked) = try fixture.store.commit([.mark(favourite)]).outcomes[0] else { throw Wrong() }
    #expect(marked.hasChanged)
  }

  @Test("an undo that finds the outbox full is refused, and succeeds once there is room") func undoLater() throws {
    let fixture = try fixture()
    try fixture.load((2...StoreLimits.outboxEntries + 1).map { tweet("\($0)", "x", at: Int64($0)) })
    let others = try fixture.visible().map(\.id).filter { $0 != post }
    func mark(_ posts: some Sequence<PostID>) throws {
      let marks = posts.map {
        Write.mark(Marking(account: fixture.bob, post: $0, mark: .favourited, isOn: true, at: Instant(seconds: 0)))
      }
      _ = try fixture.store.commit(marks)
    }
    let undo = Write.undo(Undo(account: fixture.bob, at: Instant(seconds: 9)))
    try mark(others.dropLast(40) + [post])
    let commands = try takeCommands(fixture, limit: 2 * StoreLimits.outboxEntries)
    try answer(fixture, try #require(commands.first { $0.post == "1" }), done)
    // The source has been asked for these already: undoing them needs entries too, and the outbox is full.
    try mark(others.suffix(40))
    _ = try takeCommands(fixture, limit: 2 * StoreLimits.outboxEntries)
    for _ in 0..<40 { _ = try fixture.store.commit([undo]) }
    #expect(
      try fixture.store.commit([undo]).outcomes == [
        .refused(.tooMany("actions waiting for their source", limit: StoreLimits.outboxEntries))
      ])
    try answer(fixture, try #require(commands.first { $0.post != "1" }), done)
    guard case .undone(let undone) = try fixture.store.commit([undo]).outcomes[0] else { throw Wrong() }
    #expect(undone.post == post && undone.obstacle == nil)
  }

  private struct Wrong: Error {}
}

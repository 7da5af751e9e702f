import Dates
import Posts
import TestSupport
import Testing

@testable import Store

/// What happens where several logins bring the same post.
extension LoginTests {
  private static let author = "https://a.example/ann"

  /// Posts of ann, whose author she has claimed; bob and carol have logins at a.example too.
  private func claimAnn() throws -> AccountID {
    try bring(Self.post("n0", "Before.", by: Self.author), by: "ann@a.example")
    try claim(Self.author, for: ann)
    let carol = try store.account(uid: nil, name: "carol").id
    try addLogin("carol@a.example", of: carol)
    return carol
  }

  private func rowCount(_ nativeID: String) throws -> Int64 {
    try store.database.integer("SELECT count(*) FROM posts WHERE native_id = '\(nativeID)'")
  }

  @Test("a repost that logins brought before the author's own login stands in all their timelines, once") func reposts()
    throws
  {
    let carol = try claimAnn()
    let repost = ImportedPost(
      source: "fake", nativeID: "r1",
      author: ImportedAuthor(nativeID: "https://a.example/dave", handle: "dave", displayName: "Dave"),
      createdAt: Instant(seconds: 7), body: PostBody(text: .empty), original: Self.post("n1", "Said.", by: Self.author))
    for login in ["bob@a.example", "carol@a.example"] { try bring(repost, by: login) }
    #expect(try homeTexts(bob) == ["Said."] && homeTexts(carol) == ["Said."])
    try bring(Self.post("n1", "Said.", by: Self.author), by: "ann@a.example")
    #expect(try homeTexts(bob) == ["Said."] && homeTexts(carol) == ["Said."])
    #expect(try rowCount("n1") == 1 && rowCount("r1") == 1)
    try bring(repost, by: "carol@a.example")
    try bring(repost, by: "ann@a.example")
    #expect(try rowCount("r1") == 1)
    #expect(try store.database.integer("SELECT scope FROM posts WHERE native_id = 'r1'") == 0)
    #expect(try homeTexts(ann) == ["Said.", "Said.", "Before."])
  }

  @Test("what each account did to its copy is a mark of the shared post, also what its source has still to be told")
  func copiedMarks() throws {
    let hello = UpstreamHello(commands: [.favourite, .unfavourite])
    _ = try store.commit([.greetProgram(UpstreamGreeting(source: "fake", hello: hello, account: ann))])
    let carol = try claimAnn()
    var post = Self.post("n1", "Said.", by: Self.author)
    post.body.counts.favourites = 5
    for login in ["bob@a.example", "carol@a.example"] { try bring(post, by: login) }
    for mark in [Mark.favourited, .saved] {
      let marking = Marking(
        account: carol, post: try id("n1", for: carol), mark: mark, isOn: true, at: Instant(seconds: 9))
      _ = try store.commit([.mark(marking)])
    }
    try bring(post, by: "ann@a.example")
    let shared = try id("n1", for: ann)
    let stored = try #require(try store.post(shared, visibleTo: carol))
    #expect(stored.mark(of: carol) == [.favourited, .saved, .pending] && stored.mark(of: bob) == [])
    #expect(stored.marks.counts(beside: post.body.counts).favourites == 6)
    let write = Write.takeOutgoing(source: "fake", limit: 9, again: false)
    guard case .outgoing(let commands) = try store.commit([write]).outcomes[0] else { return #expect(Bool(false)) }
    #expect(commands.map(\.account) == ["carol"] && commands.map(\.post) == ["n1"])
  }

  @Test("the source's marks of a copy's account are in the counts, and are no mark of the author's") func countedMarks()
    throws
  {
    _ = try claimAnn()
    var post = Self.post("n1", "Said.", by: Self.author, flags: [.favourited, .saved])
    post.body.counts.favourites = 5
    try bring(post, in: [.home, .saved], by: "bob@a.example")
    post.body.flags = []
    try bring(post, by: "ann@a.example")
    let stored = try #require(try store.post(id("n1", for: ann), visibleTo: ann))
    #expect(stored.mark(of: bob) == [.favourited, .saved] && stored.mark(of: ann) == [])
    #expect(stored.marks.counts(beside: post.body.counts).favourites == 5)
  }

  @Test("a post of one's own is one's own login's word, whichever server brought it first") func ownPosts() throws {
    try bring(Self.post("early", "Early.", by: Self.author), by: "bob@b.example")
    _ = try claimAnn()
    try bring(Self.post("n1", "There.", by: Self.author), by: "bob@b.example")
    try bring(Self.post("n1", "Here.", by: Self.author), by: "ann@a.example")
    #expect(try homeTexts(ann).contains("Here.") && homeTexts(bob).contains("Here."))
    try bring(Self.post("n1", "There.", by: Self.author), by: "bob@b.example")
    #expect(try rowCount("n1") == 1 && homeTexts(bob).contains("Here."))
    try bring([.gone("early")], by: "ann@a.example")
    #expect(try rowCount("early") == 0)
  }

  @Test("what is saved stays so when it comes again without that list, until it has left, and can come back")
  func stillSaved()
    throws
  {
    func isSaved() throws -> Bool? {
      try store.post(id("n1", for: ann), visibleTo: ann)?.mark(of: ann).contains(.saved)
    }
    try bring(Self.post("n1", flags: .saved), in: .saved, by: "ann@a.example")
    try bring(Self.post("n1", "Edited."), by: "ann@a.example")
    #expect(try isSaved() == true && homeTexts(ann) == ["Edited."])
    try bring([.left("n1", .saved)], by: "ann@a.example")
    try bring(Self.post("n1"), by: "ann@a.example")
    #expect(try isSaved() == false)
    try bring(Self.post("n1", flags: .saved), in: .saved, by: "ann@a.example")
    #expect(try isSaved() == true)
  }

  @Test("a favourite that the source reports is in its counts already, whoever brought the post first") func counts()
    throws
  {
    var post = Self.post("n1")
    post.body.counts.favourites = 10
    try bring(post, by: "ann@a.example")
    post.body.flags = .favourited
    try bring(post, by: "bob@a.example")
    let stored = try #require(try store.post(id("n1", for: bob), visibleTo: bob))
    #expect(stored.mark(of: bob) == .favourited)
    #expect(stored.marks.counts(beside: post.body.counts).favourites == 10)
  }

  @Test("a post of an archive is the word of the server that publishes it alone, if a login is there") func publisher()
    throws
  {
    let post = "https://a.example/1"
    try fixture.load([Self.post(post, "Old.")], as: bob)
    try bring(Self.post("n1"), by: "ann@a.example")
    try bring(Self.post(post, "Forged."), by: "bob@b.example")
    try bring([.gone(post)], by: "bob@b.example")
    #expect(try homeTexts(bob) == ["Old."])
    try bring(Self.post(post, "New."), in: [], by: "ann@a.example")
    #expect(try homeTexts(bob) == ["New."])
  }

  @Test("a reader finds what to ask a server whose login has brought nothing yet") func readOnly() throws {
    for login in ["ann@0.example", "ann@b.example"] { try addLogin(login, of: ann) }
    try bring(Self.post("https://b.example/1"), by: "bob@b.example")
    let reader = try StoreReader(path: fixture.folder.file("posts.db"))
    let expected = FoundFetch.found(.conversation(post: "https://b.example/1"), source: "fake", login: "ann@b.example")
    #expect(try reader.fetch(.conversation("fake:https://b.example/1"), for: ann) == expected)
  }

  @Test("a post that came before its confirmation stays where each login has it, and nowhere else") func confirmed()
    throws
  {
    let hello = UpstreamHello(commands: [.post])
    _ = try store.commit([.greetProgram(UpstreamGreeting(source: "fake", hello: hello, account: ann))])
    let carol = try store.account(uid: nil, name: "carol").id
    try addLogin("carol@a.example", of: carol)
    let author = try #require(try store.localAuthor(of: ann)).id
    _ = try store.commit([.unfollow(bob, author), .unfollow(carol, author)])
    var composition = fixture.composition("There.", as: ann, at: 7)
    composition.source = "fake"
    _ = try store.commit([.compose(composition)])
    let write = Write.takeOutgoing(source: "fake", limit: 9, again: false)
    guard case .outgoing(let commands) = try store.commit([write]).outcomes[0] else { return #expect(Bool(false)) }
    try bring(Self.post("n1", "There."), in: [], by: "bob@a.example")
    try bring(Self.post("n1", "There."), in: .mentions, by: "carol@a.example")
    let answer = UpstreamAnswer(id: commands[0].id, .done(nativeID: "n1", permalink: .empty))
    _ = try store.commit([.takeAnswer(source: "fake", answer)])
    #expect(try homeTexts(ann) == ["There."])
    for account in [bob, carol] { #expect(try homeTexts(account) == []) }
    #expect(try mentionTexts(bob) == [])
    #expect(try mentionTexts(carol) == ["There."])
    #expect(try store.integrity() == [])
  }

  @Test("an undone deletion brings a post back as its server's word, into the lists that it was in") func undone()
    throws
  {
    let carol = try claimAnn()
    try bring(Self.post("n1", "Said.", by: Self.author), in: [], by: "ann@a.example")
    let repost = ImportedPost(
      source: "fake", nativeID: "r1",
      author: ImportedAuthor(nativeID: "https://a.example/dave", handle: "dave", displayName: "Dave"),
      createdAt: Instant(seconds: 7), body: PostBody(text: .empty), original: Self.post("n1", "Said.", by: Self.author))
    try bring(repost, in: .mentions, by: "bob@a.example")
    try bring(repost, in: .home, by: "carol@a.example")
    fixture.store.upstreams = []
    _ = try store.commit([.deletePost(ann, try id("n1", for: ann), requestID: "")])
    #expect(try rowCount("r1") == 0)
    _ = try store.commit([.undo(Undo(account: ann, at: Instant(seconds: 99)))])
    #expect(try homeTexts(bob) == [] && mentionTexts(bob) == ["Said."] && homeTexts(carol) == ["Said."])
    #expect(try store.integrity() == [])
  }

  @Test("a gap is its login's: what another login has in full does not fill it, and its own is asked for it")
  func gaps()
    throws
  {
    let (newer, older) = (Instant(seconds: 12), Instant(seconds: 10))
    func note(_ kind: GapNote.Kind, by login: String) throws {
      try bring([.gap(try #require(GapNote(kind, source: "fake", newer: newer, older: older)))], by: login)
    }
    try note(.missing(0), by: "bob@b.example")
    try note(.complete, by: "bob@a.example")
    let gap = try #require(try store.gaps(of: bob).first)
    let fetch = UpstreamFetch.gap(newer: newer, older: older, above: "", below: "")
    #expect(
      try store.fetch(.gap(gap.id), for: bob) == .found(fetch, source: "fake", login: "bob@b.example"))
    try note(.complete, by: "bob@b.example")
    #expect(try store.gaps(of: bob) == [])
  }

  @Test("a favourite at the source counts for an account that has marked the post as read here") func readBefore()
    throws
  {
    try bring(Self.post("n1"), by: "ann@a.example")
    try bring(Self.post("n1"), by: "bob@a.example")
    let post = try id("n1", for: bob)
    _ = try store.commit([.markRead(ReadMarking(account: bob, posts: [post], isRead: true))])
    try bring(Self.post("n1", flags: .favourited), by: "bob@a.example")
    #expect(try store.post(post, visibleTo: bob)?.mark(of: bob) == [.favourited, .read])
  }
}

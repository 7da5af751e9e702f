import Dates
import Posts
import Search
import TestSupport
import Testing

@testable import Store

@Suite("Mutes and blocks")
struct MuteTests {
  private func muted(
    _ fixture: Fixture, _ subject: MuteChange.Subject, _ isOn: Bool = true, as account: AccountID? = nil
  ) throws -> MuteOutcome {
    let outcome = try outcome(fixture, subject, isOn, as: account)
    guard case .muted(let muted) = outcome else { throw Unexpected(outcome) }
    return muted
  }

  private func outcome(
    _ fixture: Fixture, _ subject: MuteChange.Subject, _ isOn: Bool = true, as account: AccountID? = nil
  ) throws -> Outcome {
    try fixture.store.commit([.mute(MuteChange(account: account ?? fixture.ann, subject: subject, isOn: isOn))])
      .outcomes[0]
  }

  private func author(_ fixture: Fixture, of account: AccountID) throws -> AuthorID {
    try fixture.store.localAuthor(of: account)!.id
  }

  @Test("mutes are stored once, reversed, reported by the commit and kept over a restart") func stored() throws {
    let fixture = try Fixture()
    let bob = try author(fixture, of: fixture.bob)
    let word = try MutedWord(parsing: "Otter")
    for subject in [MuteChange.Subject.muted(bob), .blocked(bob), .word(word)] {
      let commit = try fixture.store.commit([.mute(MuteChange(account: fixture.ann, subject: subject, isOn: true))])
      #expect(commit.changes.muteLists == [fixture.ann: try fixture.store.muteList(of: fixture.ann)])
      let revision = fixture.store.revision
      #expect(try !muted(fixture, subject).hasChanged)
      #expect(fixture.store.revision == revision, "nothing is stored twice")
    }
    try fixture.store.close()
    fixture.store = try PostStore(path: fixture.folder.file("posts.db"), epoch: 7)
    var expected = MuteList()
    (expected.muted, expected.blocked, expected.words, expected.own) = (
      [bob], [bob], ["otter"], [try author(fixture, of: fixture.ann)]
    )
    #expect(try fixture.store.muteList(of: fixture.ann) == expected)
    #expect(try fixture.store.muteList(of: fixture.bob) == MuteList())
    let profile = try fixture.store.profile(of: bob, for: fixture.ann)!
    #expect(profile.isMuted && profile.isBlocked)
    let mine = try fixture.store.profile(of: try author(fixture, of: fixture.ann), for: fixture.bob)!
    #expect(!mine.isMuted && !mine.isBlocked)
    for subject in [MuteChange.Subject.muted(bob), .blocked(bob), .word(word)] {
      #expect(try muted(fixture, subject, false).hasChanged)
      #expect(try !muted(fixture, subject, false).hasChanged)
    }
    #expect(try fixture.store.muteList(of: fixture.ann) == MuteList())
  }

  @Test("a block ends and prevents follows both ways; unblocking allows them but restores none") func block()
    throws
  {
    let fixture = try Fixture()
    let (ann, bob) = (try author(fixture, of: fixture.ann), try author(fixture, of: fixture.bob))
    let early = try fixture.write("for followers", at: 1, .followers)
    #expect(try fixture.store.home(fixture.bob).map(\.id) == [early.id])
    let blocked = try muted(fixture, .blocked(bob))
    #expect(blocked == MuteOutcome(hasChanged: true, hasUnfollowed: true))
    _ = try fixture.write("for the remaining followers", at: 2, .followers)
    #expect(try fixture.store.home(fixture.bob).isEmpty, "a blocked account is not a follower")
    #expect(try fixture.store.visible(fixture.bob, "for").isEmpty)
    #expect(try fixture.store.commit([.follow(fixture.ann, bob)]).outcomes == [.refused(.blocked)])
    #expect(try fixture.store.commit([.follow(fixture.bob, ann)]).outcomes == [.refused(.notToBeFollowed)])
    #expect(try muted(fixture, .blocked(bob), false) == MuteOutcome(hasChanged: true))
    let profile = try fixture.store.profile(of: bob, for: fixture.ann)!
    #expect(!profile.isFollowed && !profile.followsMe)
    #expect(
      try fixture.store.commit([.follow(fixture.ann, bob), .follow(fixture.bob, ann)]).outcomes == [
        .followed(bob), .followed(ann),
      ])
    #expect(try fixture.store.home(fixture.bob).count == 2)
    #expect(try fixture.store.integrity() == [])
  }

  /// The texts in an account's messages, newest first.
  private func messages(_ fixture: Fixture, _ account: AccountID) throws -> [String] {
    let page = try #require(try fixture.store.page(of: .messages(account), for: account, limit: 99))
    #expect(page.total == page.posts.count)
    return page.posts.map(\.text)
  }

  @Test("messages have nothing of a blocked account: not before, while or after it wrote, until it is unblocked")
  func messages() throws {
    let fixture = try Fixture()
    let bob = try author(fixture, of: fixture.bob)
    _ = try fixture.write("@ann before", as: fixture.bob, at: 1, .direct)
    #expect(try muted(fixture, .blocked(bob)).hasChanged)
    #expect(try messages(fixture, fixture.ann) == [] && fixture.store.unseen(.messages, of: fixture.ann) == 0)
    let commit = try fixture.store.commit([
      .compose(fixture.composition("@ann while", as: fixture.bob, at: 2, .direct))
    ])
    #expect(commit.changes.entered[.messages(fixture.ann)] == nil && commit.changes.left[.messages(fixture.ann)] == nil)
    #expect(try messages(fixture, fixture.ann) == [] && fixture.store.unseen(.messages, of: fixture.ann) == 0)
    #expect(try messages(fixture, fixture.bob) == ["@ann while"], "the blocked account is not notified")
    _ = try fixture.write("@bob mine", at: 3, .direct)
    _ = try fixture.write("@ann after", as: fixture.bob, at: 4, .direct)
    #expect(try messages(fixture, fixture.ann) == ["@bob mine"] && messages(fixture, fixture.bob) == ["@ann after"])
    #expect(try fixture.store.integrity() == [])
    #expect(try muted(fixture, .blocked(bob), false).hasChanged)
    #expect(
      try messages(fixture, fixture.ann) == ["@ann after"] && fixture.store.unseen(.messages, of: fixture.ann) == 1)
    #expect(try fixture.store.integrity() == [])
  }

  @Test("a conversation with a blocked account and others shows what the others wrote last") func group() throws {
    let fixture = try Fixture()
    let bob = try author(fixture, of: fixture.bob)
    let carol = try fixture.store.account(uid: 1002, name: "carol").id
    _ = try fixture.write("@bob @carol first", at: 1, .direct)
    let second = try fixture.write("@ann @bob second", as: carol, at: 2, .direct)
    #expect(try muted(fixture, .blocked(bob)).hasChanged)
    for number in 3..<40 { _ = try fixture.write("@ann @carol \(number)", as: fixture.bob, at: Int64(number), .direct) }
    #expect(
      try messages(fixture, fixture.ann) == ["@ann @bob second"] && messages(fixture, carol) == ["@ann @carol 39"])
    _ = try fixture.store.commit([.deletePost(carol, second.id, requestID: "")])
    #expect(try messages(fixture, fixture.ann) == ["@bob @carol first"])
    _ = try fixture.store.commit([.undo(Undo(account: carol, at: Instant(seconds: 50)))])
    #expect(try messages(fixture, fixture.ann) == ["@ann @bob second"])
    #expect(try fixture.store.integrity() == [])
    _ = try fixture.store.commit([.undo(Undo(account: fixture.ann, at: Instant(seconds: 51)))])
    #expect(try messages(fixture, fixture.ann) == ["@ann @carol 39"], "undo unblocks")
    #expect(try fixture.store.integrity() == [])
  }

  @Test("a block applies to all identities that the other account has claimed") func claims() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "mine", by: "7")], as: fixture.bob)
    let other = try fixture.store.resolve(author: "twitter:7", for: fixture.ann)!
    _ = try fixture.store.commit([.claimIdentity(fixture.bob, source: "twitter", authorNativeID: "7")])
    #expect(try muted(fixture, .blocked(other)).hasUnfollowed, "bob by another name")
    #expect(
      try fixture.store.commit([.follow(fixture.ann, author(fixture, of: fixture.bob))]).outcomes == [
        .refused(.blocked)
      ])
  }

  @Test("an account can mute or block neither its own identities nor authors it cannot know") func refused() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "mine", by: "7"), tweet("2", "private", by: "8", .followers)], as: fixture.bob)
    let (seven, eight) = (
      try fixture.store.resolve(author: "twitter:7", for: fixture.bob)!,
      try fixture.store.resolve(author: "twitter:8", for: fixture.bob)!
    )
    #expect(try outcome(fixture, .muted(author(fixture, of: fixture.ann))) == .refused(.quietAboutOneself))
    #expect(try outcome(fixture, .blocked(author(fixture, of: fixture.ann))) == .refused(.quietAboutOneself))
    #expect(try outcome(fixture, .muted(eight)) == .refused(.noAuthor(eight)))
    #expect(try muted(fixture, .muted(seven), as: fixture.bob).hasChanged)
    let commit = try fixture.store.commit([.claimIdentity(fixture.bob, source: "twitter", authorNativeID: "7")])
    #expect(commit.changes.muteLists[fixture.bob] == MuteList(), "claiming an author unmutes it")
    #expect(try outcome(fixture, .muted(seven), as: fixture.bob) == .refused(.quietAboutOneself))
  }

  @Test("at most 200 words") func limits() throws {
    let fixture = try Fixture()
    for number in 0..<200 { #expect(try muted(fixture, .word(MutedWord(parsing: "w\(number)"))).hasChanged) }
    #expect(try outcome(fixture, .word(MutedWord(parsing: "more"))) == .refused(.tooMany("muted words", limit: 200)))
    #expect(try !muted(fixture, .word(MutedWord(parsing: "W7"))).hasChanged, "a known word does not count twice")
    #expect(try muted(fixture, .word(MutedWord(parsing: "w7")), false).hasChanged)
    #expect(try muted(fixture, .word(MutedWord(parsing: "more"))).hasChanged)
  }

  @Test("hidden posts do not count as unseen, except messages") func unseen() throws {
    let fixture = try Fixture()
    let bob = try author(fixture, of: fixture.bob)
    for number in 0..<300 {
      _ = try fixture.write(number % 3 == 0 ? "@ann otter" : "@ann hello", as: fixture.bob, at: Int64(number))
    }
    _ = try fixture.write("@ann a word", as: fixture.bob, at: 1_000, .direct)
    func counts() throws -> [Int] { try SeenSection.allCases.map { try fixture.store.unseen($0, of: fixture.ann) } }
    let all = try counts()
    #expect(all.max() == 301 || all.max() == 300)
    _ = try muted(fixture, .word(MutedWord(parsing: "otter")))
    let (home, mentions, messages) = (
      try fixture.store.unseen(.home, of: fixture.ann), try fixture.store.unseen(.mentions, of: fixture.ann),
      try fixture.store.unseen(.messages, of: fixture.ann)
    )
    #expect(home == 201 || home == 200)
    #expect(mentions == home && messages == 1)
    _ = try muted(fixture, .muted(bob))
    #expect(
      try fixture.store.unseen(.home, of: fixture.ann) == 0 && fixture.store.unseen(.messages, of: fixture.ann) == 1)
  }
}

extension StoreReader {
  /// Returns the posts that an account finds by a word.
  fileprivate func visible(_ account: AccountID, _ word: String) throws -> [StoredPost] {
    try search(SearchQuery(parsing: word), for: account, limit: 100).posts
  }
}

import Dates
import Posts
import Search
import TestSupport
import Testing

@testable import Store

@Suite("What accounts do not want to see")
struct QuietTests {
  private func quieted(
    _ fixture: Fixture, _ subject: Quieting.Subject, _ isOn: Bool = true, as account: AccountID? = nil
  ) throws -> Quieted {
    let outcome = try outcome(fixture, subject, isOn, as: account)
    guard case .quieted(let quieted) = outcome else { throw Unexpected(outcome) }
    return quieted
  }

  private func outcome(
    _ fixture: Fixture, _ subject: Quieting.Subject, _ isOn: Bool = true, as account: AccountID? = nil
  ) throws -> Outcome {
    try fixture.store.commit([.quiet(Quieting(account: account ?? fixture.ann, subject: subject, isOn: isOn))])
      .outcomes[0]
  }

  private func author(_ fixture: Fixture, of account: AccountID) throws -> AuthorID {
    try fixture.store.localAuthor(of: account)!.id
  }

  @Test("each is stored once and taken back, told with the commit, and there after a restart") func stored() throws {
    let fixture = try Fixture()
    let bob = try author(fixture, of: fixture.bob)
    let word = try MutedWord(parsing: "Otter")
    for subject in [Quieting.Subject.muted(bob), .blocked(bob), .word(word)] {
      let commit = try fixture.store.commit([.quiet(Quieting(account: fixture.ann, subject: subject, isOn: true))])
      #expect(commit.changes.quiet == [fixture.ann: try fixture.store.quiet(of: fixture.ann)])
      let revision = fixture.store.revision
      #expect(try !quieted(fixture, subject).hasChanged)
      #expect(fixture.store.revision == revision, "nothing is stored twice")
    }
    try fixture.store.close()
    fixture.store = try PostStore(path: fixture.folder.file("posts.db"), epoch: 7)
    var expected = Quiet()
    (expected.muted, expected.blocked, expected.words, expected.own) = (
      [bob], [bob], ["otter"], [try author(fixture, of: fixture.ann)]
    )
    #expect(try fixture.store.quiet(of: fixture.ann) == expected)
    #expect(try fixture.store.quiet(of: fixture.bob) == Quiet())
    let profile = try fixture.store.profile(of: bob, for: fixture.ann)!
    #expect(profile.isMuted && profile.isBlocked)
    let mine = try fixture.store.profile(of: try author(fixture, of: fixture.ann), for: fixture.bob)!
    #expect(!mine.isMuted && !mine.isBlocked)
    for subject in [Quieting.Subject.muted(bob), .blocked(bob), .word(word)] {
      #expect(try quieted(fixture, subject, false).hasChanged)
      #expect(try !quieted(fixture, subject, false).hasChanged)
    }
    #expect(try fixture.store.quiet(of: fixture.ann) == Quiet())
  }

  @Test("a block ends follows both ways and lets none begin; the end of it lets them, and begins none") func block()
    throws
  {
    let fixture = try Fixture()
    let (ann, bob) = (try author(fixture, of: fixture.ann), try author(fixture, of: fixture.bob))
    let early = try fixture.write("for followers", at: 1, .followers)
    #expect(try fixture.store.home(fixture.bob).map(\.id) == [early.id])
    let blocked = try quieted(fixture, .blocked(bob))
    #expect(blocked == Quieted(hasChanged: true, hasUnfollowed: true))
    _ = try fixture.write("for those who are left", at: 2, .followers)
    #expect(try fixture.store.home(fixture.bob).isEmpty, "who is blocked is no follower")
    #expect(try fixture.store.visible(fixture.bob, "for").isEmpty)
    #expect(try fixture.store.commit([.follow(fixture.ann, bob)]).outcomes == [.refused(.blocked)])
    #expect(try fixture.store.commit([.follow(fixture.bob, ann)]).outcomes == [.refused(.notToBeFollowed)])
    #expect(try quieted(fixture, .blocked(bob), false) == Quieted(hasChanged: true))
    let profile = try fixture.store.profile(of: bob, for: fixture.ann)!
    #expect(!profile.isFollowed && !profile.followsMe)
    #expect(
      try fixture.store.commit([.follow(fixture.ann, bob), .follow(fixture.bob, ann)]).outcomes == [
        .followed(bob), .followed(ann),
      ])
    #expect(try fixture.store.home(fixture.bob).count == 2)
    #expect(try fixture.store.integrity() == [])
  }

  @Test("a block is of the person: by any name that somebody has claimed to have") func claims() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "mine", by: "7")], as: fixture.bob)
    let other = try fixture.store.resolve(author: "twitter:7", for: fixture.ann)!
    _ = try fixture.store.commit([.claimIdentity(fixture.bob, source: "twitter", authorNativeID: "7")])
    #expect(try quieted(fixture, .blocked(other)).hasUnfollowed, "bob by another name")
    #expect(
      try fixture.store.commit([.follow(fixture.ann, author(fixture, of: fixture.bob))]).outcomes == [
        .refused(.blocked)
      ])
  }

  @Test("nobody mutes or blocks themselves, by any name, nor whom they cannot know") func refused() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "mine", by: "7"), tweet("2", "private", by: "8", .followers)], as: fixture.bob)
    let (seven, eight) = (
      try fixture.store.resolve(author: "twitter:7", for: fixture.bob)!,
      try fixture.store.resolve(author: "twitter:8", for: fixture.bob)!
    )
    #expect(try outcome(fixture, .muted(author(fixture, of: fixture.ann))) == .refused(.quietAboutOneself))
    #expect(try outcome(fixture, .blocked(author(fixture, of: fixture.ann))) == .refused(.quietAboutOneself))
    #expect(try outcome(fixture, .muted(eight)) == .refused(.noAuthor(eight)))
    #expect(try quieted(fixture, .muted(seven), as: fixture.bob).hasChanged)
    let commit = try fixture.store.commit([.claimIdentity(fixture.bob, source: "twitter", authorNativeID: "7")])
    #expect(commit.changes.quiet[fixture.bob] == Quiet(), "who claims to be somebody has not muted them any more")
    #expect(try outcome(fixture, .muted(seven), as: fixture.bob) == .refused(.quietAboutOneself))
  }

  @Test("at most 200 words") func limits() throws {
    let fixture = try Fixture()
    for number in 0..<200 { #expect(try quieted(fixture, .word(MutedWord(parsing: "w\(number)"))).hasChanged) }
    #expect(try outcome(fixture, .word(MutedWord(parsing: "more"))) == .refused(.tooMany("muted words", limit: 200)))
    #expect(try !quieted(fixture, .word(MutedWord(parsing: "W7"))).hasChanged, "what is there is not one more")
    #expect(try quieted(fixture, .word(MutedWord(parsing: "w7")), false).hasChanged)
    #expect(try quieted(fixture, .word(MutedWord(parsing: "more"))).hasChanged)
  }

  @Test("what is hidden is not counted as unseen, but in messages") func unseen() throws {
    let fixture = try Fixture()
    let bob = try author(fixture, of: fixture.bob)
    for number in 0..<300 {
      _ = try fixture.write(number % 3 == 0 ? "@ann otter" : "@ann hello", as: fixture.bob, at: Int64(number))
    }
    _ = try fixture.write("@ann a word", as: fixture.bob, at: 1_000, .direct)
    func counts() throws -> [Int] { try SeenSection.allCases.map { try fixture.store.unseen($0, of: fixture.ann) } }
    let all = try counts()
    #expect(all.max() == 301 || all.max() == 300)
    _ = try quieted(fixture, .word(MutedWord(parsing: "otter")))
    let (home, mentions, messages) = (
      try fixture.store.unseen(.home, of: fixture.ann), try fixture.store.unseen(.mentions, of: fixture.ann),
      try fixture.store.unseen(.messages, of: fixture.ann)
    )
    #expect(home == 201 || home == 200)
    #expect(mentions == home && messages == 1)
    _ = try quieted(fixture, .muted(bob))
    #expect(
      try fixture.store.unseen(.home, of: fixture.ann) == 0 && fixture.store.unseen(.messages, of: fixture.ann) == 1)
  }
}

extension StoreReader {
  /// What an account finds by a word.
  fileprivate func visible(_ account: AccountID, _ word: String) throws -> [StoredPost] {
    try search(SearchQuery(parsing: word), for: account, limit: 100).posts
  }
}

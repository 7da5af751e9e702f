import Dates
import Posts
import TestSupport
import Testing
import ViewState

@testable import Store

@Suite("Requests to follow, and the setting that makes them necessary")
struct FollowRequestTests {
  /// A store in which accounts are asked, with two accounts, and their authors.
  private struct Asking {
    let fixture: Fixture
    let ann: AuthorID
    let bob: AuthorID

    init(_ follows: FollowPolicy = .ask) throws {
      fixture = try Fixture(follows: follows)
      ann = try fixture.author(of: fixture.ann)
      bob = try fixture.author(of: fixture.bob)
    }

    func commit(_ write: Write) throws -> Outcome { try fixture.store.commit([write]).outcomes[0] }

    /// The names of those who ask to follow Ann, newest first.
    func requests() throws -> [String] { try fixture.store.followRequests(to: fixture.ann).map(\.name.string) }

    /// True if Bob reads what Ann writes for followers.
    func bobReads() throws -> Bool { try fixture.texts(fixture.bob).contains("for followers") }
  }

  @Test("accounts of an ask store follow nobody; those of an open one follow each other") func begin() throws {
    #expect(try Fixture(follows: .ask).follows().isEmpty)
    #expect(try Fixture(follows: .open).follows() == ["ann-bob", "bob-ann"])
  }

  @Test("the setting survives a restart and a backup, and a change leaves follows and requests") func setting() throws {
    let asking = try Asking()
    let store = asking.fixture.store
    _ = try asking.commit(.follow(asking.fixture.bob, asking.ann))
    let revision = store.revision
    #expect(try asking.commit(.setFollows(.open)) == .followsSet(.open))
    #expect(store.revision == revision, "no frame shows it")
    #expect(try asking.requests() == ["bob"] && asking.fixture.follows().isEmpty)
    _ = try store.account(uid: nil, name: "cyd")
    #expect(try asking.fixture.follows().count == 4, "only the new account and each of the others")
    try store.backup(to: asking.fixture.folder.file("copy.db"))
    let copy = try PostStore(path: asking.fixture.folder.file("copy.db"), epoch: 9, follows: .ask)
    #expect(try copy.followPolicy() == .open)
    #expect(try asking.commit(.follow(asking.fixture.bob, asking.ann)) == .followed(asking.ann))
    #expect(try asking.requests() == [], "following at once settles the request")
    #expect(try store.integrity() == [])
    try store.close()
    #expect(
      try PostStore(path: asking.fixture.folder.file("posts.db"), epoch: 9, follows: .ask).followPolicy() == .open)
  }

  @Test("a follow asks once, approval lets past and future posts be read, and removal ends that") func approval() throws
  {
    let asking = try Asking()
    let (ann, bob) = (asking.fixture.ann, asking.fixture.bob)
    _ = try asking.fixture.write("for followers", as: ann, .followers)
    let first = try asking.fixture.store.commit([.follow(bob, asking.ann, at: Instant(seconds: 5))])
    #expect(first.outcomes == [.followAsked(asking.ann)])
    #expect(first.changes.followRequests[ann]?.map(\.askedAt) == [Instant(seconds: 5)])
    let again = try asking.fixture.store.commit([.follow(bob, asking.ann, at: Instant(seconds: 6))])
    #expect(again.outcomes == [.followAsked(asking.ann)] && again.revision == first.revision)
    #expect(try asking.requests() == ["bob"] && !asking.bobReads())
    let approved = try asking.fixture.store.commit([.approveFollow(ann, asking.bob)])
    #expect(approved.outcomes == [.followerChanged(asking.bob)] && approved.changes.followRequests == [ann: []])
    #expect(try asking.bobReads() && asking.requests() == [])
    #expect(try asking.commit(.approveFollow(ann, asking.bob)) == .followerChanged(asking.bob), "twice is once")
    #expect(try asking.commit(.follow(bob, asking.ann)) == .followed(asking.ann))
    #expect(try asking.commit(.removeFollower(ann, asking.bob)) == .followerChanged(asking.bob))
    #expect(try !asking.bobReads())
    #expect(try asking.commit(.removeFollower(ann, asking.bob)) == .refused(.notFollower("@bob")))
    #expect(try asking.commit(.follow(bob, asking.ann)) == .followAsked(asking.ann), "and has to ask again")
    #expect(try asking.fixture.store.integrity() == [])
  }

  @Test("without a request there is nothing to approve or to refuse") func nothing() throws {
    let asking = try Asking()
    let ann = asking.fixture.ann
    for write in [Write.approveFollow(ann, asking.bob), .refuseFollow(ann, asking.bob)] {
      #expect(try asking.commit(write) == .refused(.notAsked("@bob")))
    }
    #expect(try asking.commit(.approveFollow(ann, asking.ann)) == .refused(.notAsked("@ann")))
    _ = try asking.commit(.follow(asking.fixture.bob, asking.ann))
    #expect(try asking.commit(.refuseFollow(ann, asking.bob)) == .followerChanged(asking.bob))
    #expect(try asking.requests() == [] && asking.fixture.follows().isEmpty)
    #expect(try asking.commit(.approveFollow(ann, asking.bob)) == .refused(.notAsked("@bob")))
    #expect(try asking.commit(.follow(asking.fixture.bob, asking.ann)) == .followAsked(asking.ann))
    #expect(try asking.commit(.unfollow(asking.fixture.bob, asking.ann)) == .unfollowed(asking.ann))
    #expect(try asking.requests() == [], "unfollowing withdraws")
  }

  @Test("imported authors are followed at once") func imported() throws {
    let asking = try Asking()
    try asking.fixture.load([tweet("1", "public", by: "9")])
    let author = try #require(try asking.fixture.store.resolve(author: "twitter:9", for: asking.fixture.bob))
    #expect(try asking.commit(.follow(asking.fixture.bob, author)) == .followed(author))
    #expect(try asking.commit(.refuseFollow(asking.fixture.bob, author)) == .refused(.notAsked("@h9")))
  }

  @Test("a block removes the requests of both sides, and refuses new ones") func block() throws {
    let asking = try Asking()
    let (ann, bob) = (asking.fixture.ann, asking.fixture.bob)
    _ = try asking.commit(.follow(bob, asking.ann))
    _ = try asking.commit(.follow(ann, asking.bob))
    _ = try asking.commit(.mute(MuteChange(account: ann, subject: .blocked(asking.bob), isOn: true)))
    #expect(try asking.requests() == [] && asking.fixture.store.followRequests(to: bob).isEmpty)
    #expect(try asking.commit(.follow(bob, asking.ann)) == .refused(.notToBeFollowed))
    #expect(try asking.commit(.approveFollow(ann, asking.bob)) == .refused(.notAsked("@bob")))
  }

  @Test("an account may wait for so many answers, and no more") func limit() throws {
    let asking = try Asking()
    let others = try (0...StoreLimits.followRequests).map { number in
      try asking.fixture.author(of: try asking.fixture.store.account(uid: nil, name: "other\(number)").id)
    }
    let outcomes = try asking.fixture.store.commit(others.map { .follow(asking.fixture.bob, $0) }).outcomes
    #expect(outcomes.dropLast() == others.dropLast().map { .followAsked($0) }[...])
    #expect(outcomes.last == .refused(.tooManyRequests))
    _ = try asking.commit(.unfollow(asking.fixture.bob, others[0]))
    #expect(
      try asking.commit(.follow(asking.fixture.bob, others[StoreLimits.followRequests])) != .refused(.tooManyRequests))
  }

  @Test("undoing a follow withdraws or unfollows, and undoing an unfollow asks again") func undo() throws {
    let asking = try Asking()
    let (ann, bob) = (asking.fixture.ann, asking.fixture.bob)
    func undo(isRedo: Bool = false) throws {
      guard
        case .undone(let undone) = try asking.commit(.undo(Undo(account: bob, isRedo: isRedo, at: Instant(seconds: 9))))
      else {
        Issue.record("not undone")
        return
      }
      #expect(undone.obstacle == nil)
    }
    _ = try asking.commit(.follow(bob, asking.ann))
    try undo()
    #expect(try asking.requests() == [])
    try undo(isRedo: true)
    #expect(try asking.requests() == ["bob"])
    _ = try asking.commit(.approveFollow(ann, asking.bob))
    try undo()
    #expect(try asking.fixture.follows().isEmpty)
    try undo(isRedo: true)
    #expect(try asking.requests() == ["bob"] && asking.fixture.follows().isEmpty, "redoing is no approval")
    _ = try asking.commit(.approveFollow(ann, asking.bob))
    _ = try asking.commit(.removeFollower(ann, asking.bob))
    #expect(
      try asking.commit(.undo(Undo(account: ann, at: Instant(seconds: 9)))) == .refused(.nothingToUndo(isRedo: false)))
    try undo()
    #expect(try asking.fixture.follows().isEmpty && asking.requests() == [], "it has nothing left to end")
  }

  @Test(
    "in an ask store only approved accounts read a post for followers, whatever happens",
    arguments: seeds(0..<40 as Range<UInt64>))
  func law(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let fixture = try Fixture(follows: .ask)
    let accounts =
      try [fixture.ann, fixture.bob] + ["cyd", "dee"].map { try fixture.store.account(uid: nil, name: $0).id }
    let authors = try accounts.map { try fixture.author(of: $0) }
    /// Who may read whom: the leader approved it, and neither has ended it.
    var approved: Set<[Int]> = []
    var asked: Set<[Int]> = []
    var blocked: Set<[Int]> = []
    var written: [(id: PostID, writer: Int)] = []
    for step in 0..<80 {
      let one = accounts.indices.randomElement(using: &random)!
      let other = accounts.indices.filter { $0 != one }.randomElement(using: &random)!
      let (out, back) = ([one, other], [other, one])
      let isBlocked = blocked.contains(out) || blocked.contains(back)
      var write: Write?
      switch Int.random(in: 0..<10, using: &random) {
      case 0...1:
        written.append((try fixture.write("\(step)", as: accounts[one], at: Int64(step), .followers).id, one))
      case 2...4:
        write = .follow(accounts[one], authors[other], at: Instant(seconds: Int64(step)))
        if !isBlocked, !approved.contains(out) { asked.insert(out) }
      case 5...6:
        write = .approveFollow(accounts[one], authors[other])
        if asked.remove(back) != nil { approved.insert(back) }
      case 7:
        write =
          Bool.random(using: &random)
          ? .refuseFollow(accounts[one], authors[other]) : .removeFollower(accounts[one], authors[other])
        if case .refuseFollow = write { asked.remove(back) } else { approved.remove(back) }
      case 8:
        write = .unfollow(accounts[one], authors[other])
        asked.remove(out)
        approved.remove(out)
      default:
        let isOn = Bool.random(using: &random)
        write = .mute(MuteChange(account: accounts[one], subject: .blocked(authors[other]), isOn: isOn))
        if isOn {
          blocked.insert(out)
          asked.subtract([out, back])
          approved.subtract([out, back])
        } else {
          blocked.remove(out)
        }
      }
      if let write { _ = try fixture.store.commit([write]) }
      for post in written {
        for reader in accounts.indices {
          let isSeen = try fixture.store.post(post.id, visibleTo: accounts[reader]) != nil
          let may = reader == post.writer || approved.contains([reader, post.writer])
          #expect(isSeen == may, "step \(step): \(reader) and a post of \(post.writer)")
        }
      }
      for leader in accounts.indices {
        let names = try fixture.store.followRequests(to: accounts[leader]).map(\.author.id)
        #expect(Set(names) == Set(asked.filter { $0[1] == leader }.map { authors[$0[0]] }), "step \(step)")
      }
    }
    #expect(try fixture.store.integrity() == [])
  }
}

extension Fixture {
  /// Returns an account's own author.
  func author(of account: AccountID) throws -> AuthorID {
    try #require(try store.localAuthor(of: account)).id
  }

  /// Returns who follows whom, as "follower-leader", sorted.
  fileprivate func follows() throws -> [String] {
    try store.accounts().flatMap { account in
      try store.followed(by: account.id).map { "\(account.name)-\($0.handle.string)" }
    }.sorted()
  }
}

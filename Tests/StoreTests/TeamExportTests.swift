import Dates
import Posts
import TestSupport
import Testing

@testable import Store

/// A store of three accounts with posts of several sources, filled at random.
private struct Team {
  let fixture: Fixture
  let accounts: [AccountID]
  var random: SeededGenerator
  private var second: Int64 = 0
  private var posts: [PostID] = []

  init(seed: UInt64) throws {
    fixture = try Fixture()
    accounts = [fixture.ann, fixture.bob, try fixture.store.account(uid: nil, name: "cat").id]
    random = SeededGenerator(seed: seed)
    _ = try fixture.load([tweet("0", "claimed", by: "1")])
    _ = try fixture.store.commit([
      .claimIdentity(fixture.ann, source: "twitter", authorNativeID: "1"),
      .nameAuthor(fixture.bob, handle: "bobby", displayName: "Bob the otter"),
    ])
    for _ in 0..<200 { try act() }
  }

  private mutating func act() throws {
    second += 1
    let account = accounts.randomElement(using: &random)!
    let post = posts.randomElement(using: &random) ?? PostID(1)
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<4: try compose(account, to: Bool.random(using: &random) ? post : nil)
    case 4..<7: try load(imported(by: account), account)
    case 7:
      let original = imported(by: account)
      var repost = tweet("r" + original.nativeID, at: second, by: "5", of: original)
      repost.source = original.source
      try load(repost, account)
    case 8, 9:
      let mark = [Mark.favourited, .saved, .reposted].randomElement(using: &random)!
      let marking = Marking(account: account, post: post, mark: mark, isOn: true, at: Instant(seconds: second))
      _ = try fixture.store.commit([.mark(marking)])
    case 10: _ = try fixture.store.commit([.markRead(ReadMarking(account: account, posts: [post], isRead: true))])
    default:
      let text = SafeText("edited #\(second)")
      let edition = Edition(account: account, post: post, text: text, spans: TextSpans.find(in: text))
      _ = try fixture.store.commit([.edit(edition)])
    }
  }

  private mutating func compose(_ account: AccountID, to parent: PostID?) throws {
    let visibility = Visibility.allCases.randomElement(using: &random)!
    let composition = fixture.composition(
      "@\(["ann", "bob", "cat"].randomElement(using: &random)!) #\(second)", as: account, at: second, to: parent,
      visibility)
    // Some are refused, such as a direct post to oneself.
    if case .composed(let composed) = try fixture.store.commit([.compose(composition)]).outcomes[0] {
      posts.append(composed.post.id)
    }
  }

  /// Returns a post of one of three sources, which use the same IDs. Private ones have IDs of their own.
  private mutating func imported(by account: AccountID) -> ImportedPost {
    let visibility = [Visibility.public, .public, .unlisted, .followers].randomElement(using: &random)!
    let number = Int.random(in: 0..<30, using: &random)
    let id = visibility == .followers ? "p\(account.rawValue)-\(number)" : "\(number)"
    var post = tweet(
      id, "text \(second)", at: second, by: "\(Int.random(in: 1...4, using: &random))",
      answers: Bool.random(using: &random) ? "\(number / 2)" : nil, visibility, aliases: ["a" + id],
      native: #"{"at":\#(second)}"#)
    post.source = ["twitter", "mastodon", "log"].randomElement(using: &random)!
    post.body.counts = Counts(replies: 0, reposts: 2, favourites: 3)
    return post
  }

  private mutating func load(_ post: ImportedPost, _ account: AccountID) throws {
    try fixture.load([post], as: account)
    if let id = try fixture.store.resolve(reference: "\(post.source):\(post.nativeID)", visibleTo: account) {
      posts.append(id)
    }
  }
}

@Suite("The export of a team comes into a new store whole")
struct TeamExportTests {
  private func export(_ store: PostStore, for account: AccountID) throws -> [ImportedPost] {
    var (posts, next): ([ImportedPost], OrderKey?) = ([], nil)
    repeat {
      let page = try store.exportPage(after: next, limit: 16, visibleTo: account)
      #expect(page.damaged.isEmpty)
      (posts, next) = (posts + page.posts, page.next)
    } while next != nil
    return posts
  }

  @Test(
    "every post of every author and source, imported by an account that none of them is, and exported the same",
    arguments: seeds(1...8 as ClosedRange<UInt64>))
  func law(seed: UInt64) throws {
    let team = try Team(seed: seed)
    for account in team.accounts {
      let exported = try export(team.fixture.store, for: account)
      #expect(Set(exported.map(\.source)) == ["stack", "twitter", "mastodon", "log"] && exported.count > 60)
      let authors = Set(exported.filter { $0.source == "stack" }.map(\.author.nativeID))
      #expect(authors == ["ann", "bob", "cat"])

      let folder = TemporaryFolder()
      let store = try PostStore(path: folder.file("new.db"), epoch: 99)
      let zoe = try store.account(uid: 5, name: "zoe").id
      for isAgain in [false, true] {
        var (stored, same) = (0, 0)
        for start in stride(from: 0, to: exported.count, by: 7) {
          let batch = Array(exported[start..<min(start + 7, exported.count)])
          guard case .imported(let report) = try store.commit([.importBatch(batch, owner: zoe)]).outcomes[0] else {
            throw Unexpected(.refused(.emptyName))
          }
          #expect(report.refused == [])
          (stored, same) = (stored + report.new + report.changed, same + report.same)
        }
        #expect((isAgain ? same : stored) == exported.count)
        #expect(try export(store, for: zoe) == exported)
      }
      #expect(try store.accounts().map(\.name) == ["zoe"] && store.identities(of: zoe).count == 1)
      #expect(try store.integrity() == [])
    }
  }
}

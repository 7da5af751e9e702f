import Posts
import Testing

@testable import Store

@Suite("Imports do not change posts and authors of other accounts")
struct ImportOwnershipTests {
  private func text(_ fixture: Fixture, _ name: String, for account: AccountID? = nil) throws -> String? {
    guard let id = try fixture.store.resolve(reference: "twitter:\(name)", visibleTo: account ?? fixture.ann) else {
      return nil
    }
    return try fixture.store.post(id)?.text
  }

  @Test("the first importer decides what a post says; later importers get it in their timelines") func kept() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "as it was", at: 1, by: "1")])
    var defaced = tweet("1", "defaced", at: 9, by: "1", aliases: ["other"])
    defaced.body.permalink = "https://example.org/evil"
    let report = try fixture.load([defaced], as: fixture.bob)
    #expect((report.new, report.changed, report.refused.count) == (0, 1, 0), "it came into bob's timeline")
    #expect(try text(fixture, "1") == "as it was" && text(fixture, "other") == nil)
    #expect(try fixture.store.home(fixture.bob).map(\.text) == ["as it was"])
    #expect(try fixture.load([defaced], as: fixture.bob).same == 1)
    try fixture.load([tweet("1", "edited", at: 1, by: "1")])
    #expect(try text(fixture, "1", for: fixture.bob) == "edited", "the first importer may")
    #expect(try fixture.store.integrity() == [])
  }

  @Test("the original of a repost becomes an entry when another account imports it, unchanged") func original()
    throws
  {
    let fixture = try Fixture()
    try fixture.load([tweet("r", at: 2, by: "2", of: tweet("1", "as it was", at: 1, by: "1"))])
    try fixture.load([tweet("1", "defaced", at: 1, by: "1")], as: fixture.bob)
    #expect(try text(fixture, "1") == "as it was")
    #expect(try fixture.store.home(fixture.bob).map(\.text) == ["as it was"])
    #expect(try fixture.store.integrity() == [])
  }

  @Test("other accounts can neither rename a claimed author nor add public posts by it")
  func claimed() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "mine", at: 1, by: "1")])
    _ = try fixture.store.commit([.claimIdentity(fixture.ann, source: "twitter", authorNativeID: "1")])
    var forged = tweet("2", "words put in my mouth", at: 2, by: "1")
    forged.author.handle = "evil"
    let report = try fixture.load([forged, tweet("r", at: 3, by: "2", of: forged)], as: fixture.bob)
    #expect(report.refused.map(\.reason) == [.anotherAccount, .anotherAccount])
    var private_ = tweet("3", "kept for myself", at: 4, by: "1", .followers)
    private_.author.handle = "evil"
    #expect(try fixture.load([private_], as: fixture.bob).new == 1, "only bob sees it")
    #expect(try text(fixture, "3", for: fixture.ann) == nil)
    let author = try #require(try fixture.store.resolve(author: "twitter:1", for: fixture.ann))
    #expect(try fixture.store.authors([author]).map(\.handle.string) == ["h1"])
    #expect(try fixture.load([forged]).new == 1, "the account itself may")
    #expect(try fixture.store.integrity() == [])
  }

  @Test("an author can be claimed by one account only") func twice() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "mine", at: 1, by: "1")])
    func claim(_ account: AccountID) throws -> Outcome {
      try fixture.store.commit([.claimIdentity(account, source: "twitter", authorNativeID: "1")]).outcomes[0]
    }
    guard case .identityClaimed = try claim(fixture.ann), case .identityClaimed = try claim(fixture.ann) else {
      Issue.record("ann may claim the author twice")
      return
    }
    #expect(try claim(fixture.bob) == .refused(.claimed(by: "ann")))
  }

  @Test("a repost does not reveal another account's private copy") func privateCopy() throws {
    let fixture = try Fixture()
    let secret = tweet("1", "only for me", at: 1, by: "1", .followers)
    try fixture.load([tweet("0", by: "1")])
    try fixture.load([secret], as: fixture.bob)
    _ = try fixture.store.commit([.claimIdentity(fixture.ann, source: "twitter", authorNativeID: "1")])
    try fixture.load([tweet("1", "public here", at: 1, by: "1")])
    try fixture.load([tweet("r", at: 3, by: "2", of: tweet("1", "public here", at: 1, by: "1"))], as: fixture.bob)
    #expect(try !fixture.texts(fixture.ann).contains("only for me"))
  }
}

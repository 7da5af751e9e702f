import Posts
import Testing

@testable import Store

@Suite("What others brought or claimed is not for an import to change")
struct AnothersTests {
  private func text(_ fixture: Fixture, _ name: String, for account: AccountID? = nil) throws -> String? {
    guard let id = try fixture.store.resolve(reference: "twitter:\(name)", visibleTo: account ?? fixture.ann) else {
      return nil
    }
    return try fixture.store.post(id)?.text
  }

  @Test("a post reads as who brought it said; who imports it too has it in its timeline") func kept() throws {
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
    #expect(try text(fixture, "1", for: fixture.bob) == "edited", "who brought it may")
    #expect(try fixture.store.integrity() == [])
  }

  @Test("what came inside of a repost is an entry once somebody imports it, and still reads as it did") func original()
    throws
  {
    let fixture = try Fixture()
    try fixture.load([tweet("r", at: 2, by: "2", of: tweet("1", "as it was", at: 1, by: "1"))])
    try fixture.load([tweet("1", "defaced", at: 1, by: "1")], as: fixture.bob)
    #expect(try text(fixture, "1") == "as it was")
    #expect(try fixture.store.home(fixture.bob).map(\.text) == ["as it was"])
    #expect(try fixture.store.integrity() == [])
  }

  @Test("nobody else renames a claimed author, nor says anything new in the name of one, for others to read")
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
    #expect(try fixture.load([private_], as: fixture.bob).new == 1, "which only bob sees")
    #expect(try text(fixture, "3", for: fixture.ann) == nil)
    let author = try #require(try fixture.store.resolve(author: "twitter:1", for: fixture.ann))
    #expect(try fixture.store.authors([author]).map(\.handle.string) == ["h1"])
    #expect(try fixture.load([forged]).new == 1, "the account itself may")
    #expect(try fixture.store.integrity() == [])
  }

  @Test("an author is one account's") func twice() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "mine", at: 1, by: "1")])
    func claim(_ account: AccountID) throws -> Outcome {
      try fixture.store.commit([.claimIdentity(account, source: "twitter", authorNativeID: "1")]).outcomes[0]
    }
    guard case .identityClaimed = try claim(fixture.ann), case .identityClaimed = try claim(fixture.ann) else {
      Issue.record("it is ann, also when she says so twice")
      return
    }
    #expect(try claim(fixture.bob) == .refused(.claimed(by: "ann")))
  }

  @Test("who reposts a private copy of somebody else's words shows them to nobody") func privateCopy() throws {
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

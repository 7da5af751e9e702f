import Posts
import Testing

@testable import Store

@Suite("Accounts, identities and sessions")
struct AccountTests {
  @Test("an account is made on first use, with its author") func made() throws {
    let fixture = try Fixture()
    #expect(try fixture.store.account(uid: 1000, name: "renamed").id == fixture.ann)
    #expect(try fixture.store.account(uid: nil, name: "ann").id == fixture.ann, "a token for a name is that account")
    #expect(try fixture.store.account(uid: 2000, name: "ann").name == "ann-2000", "a name is one account's")
    #expect(try fixture.store.account(uid: nil, name: "robot").uid == nil)
    #expect(throws: Refusal.emptyName) { try fixture.store.account(uid: 5, name: "") }
    let author = try #require(try fixture.store.localAuthor(of: fixture.ann))
    #expect(author.handle == "ann" && author.displayName == "ann")
    #expect(try fixture.store.identities(of: fixture.ann) == [author.id])
  }

  @Test("its author is what it names itself, in everything it wrote") func named() throws {
    let fixture = try Fixture()
    let post = try fixture.write("hello")
    _ = try fixture.store.commit([.nameAuthor(fixture.ann, handle: "annie", displayName: "Ann of Arden")])
    #expect(try fixture.store.authors([post.author]).map(\.displayName) == ["Ann of Arden"])
  }

  @Test("an identity is claimed after an import, once, and never another account's own") func claims() throws {
    let fixture = try Fixture()
    let author = try #require(try fixture.load([tweet("1", by: "33")]).authors.first)
    let claim = Write.claimIdentity(fixture.ann, source: "twitter", authorNativeID: "33")
    #expect(try fixture.store.commit([claim]).outcomes == [.identityClaimed(author)])
    #expect(try fixture.store.identities(of: fixture.ann).contains(author.id))
    let revision = fixture.store.revision
    #expect(try fixture.store.commit([claim]).revision == revision)
    let theft = try fixture.store.commit([.claimIdentity(fixture.bob, source: "stack", authorNativeID: "ann")])
    #expect(theft.outcomes == [.refused(.noSuchAuthor(source: "stack", nativeID: "ann"))])
  }

  @Test("sessions come back byte for byte, by account and name") func sessions() throws {
    let fixture = try Fixture()
    let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }
    let commit = try fixture.store.commit([
      .saveSession(fixture.ann, name: "main", bytes: bytes), .saveSession(fixture.ann, name: "empty", bytes: []),
      .saveSession(fixture.bob, name: "main", bytes: [9]),
    ])
    #expect(commit.outcomes == [.sessionSaved, .sessionSaved, .sessionSaved])
    let main = SavedSession(name: "main", bytes: bytes, revision: commit.revision)
    #expect(try fixture.store.session(fixture.ann, "main") == main)
    #expect(try fixture.store.sessions(of: fixture.ann).map(\.name) == ["empty", "main"])
    #expect(try fixture.store.session(fixture.bob, "empty") == nil)
    let again = try fixture.store.commit([.saveSession(fixture.ann, name: "main", bytes: bytes)])
    #expect(again.revision == commit.revision, "the same bytes change nothing")
    _ = try fixture.store.commit([.deleteSession(fixture.ann, name: "main")])
    #expect(try fixture.store.session(fixture.ann, "main") == nil)
    #expect(try fixture.store.session(fixture.bob, "main")?.bytes == [9])
  }
}

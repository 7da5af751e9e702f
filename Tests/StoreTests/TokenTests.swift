import Dates
import Posts
import TestSupport
import Testing

@testable import Store

@Suite("Tokens")
struct TokenTests {
  private func token(_ account: AccountID, _ name: String, _ byte: UInt8, _ scopes: TokenScopes = .view) -> NewToken {
    NewToken(
      account: account, name: SafeText(name), scopes: scopes, hash: Array(repeating: byte, count: 32),
      createdAt: Instant(seconds: Int64(byte)))
  }

  @Test("tokens are issued, listed and revoked; only the authenticator sees hashes") func life() throws {
    let fixture = try Fixture()
    let commit = try fixture.store.commit([
      .issueToken(token(fixture.ann, "laptop", 1, [.view, .post])), .issueToken(token(fixture.ann, "laptop", 2)),
      .issueToken(token(fixture.bob, "phone", 3, [.view, .post, .admin])),
    ])
    guard case .tokenIssued(let first) = commit.outcomes[0] else { throw Unexpected(commit.outcomes[0]) }
    #expect(first.name == "laptop" && first.scopes == [.view, .post] && first.createdAt == Instant(seconds: 1))
    #expect(try fixture.store.tokenHashes().map(\.hash[0]) == [1, 2, 3] && fixture.store.token(first.id) == first)
    #expect(try fixture.store.tokens(of: fixture.ann).map(\.id) == [first.id, first.id + 1])
    #expect(try fixture.store.token(first.id + 2)?.account == fixture.bob)
    let theft = try fixture.store.commit([.revokeToken(fixture.bob, first.id), .revokeToken(fixture.ann, 99)])
    #expect(theft.outcomes == [.refused(.noSuchToken(first.id)), .refused(.noSuchToken(99))])
    #expect(try fixture.store.commit([.revokeToken(fixture.ann, first.id)]).outcomes == [.tokenRevoked(first)])
    #expect(try fixture.store.tokenHashes().map(\.hash[0]) == [2, 3] && fixture.store.token(first.id) == nil)
    _ = try fixture.store.commit([.revokeToken(fixture.bob, first.id + 2), .issueToken(token(fixture.bob, "phone", 4))])
    #expect(try fixture.store.tokens(of: fixture.bob).map(\.id) == [first.id + 3], "IDs are never reused")
  }

  @Test("token names have 1 to 64 bytes, and an account has at most a hundred tokens") func limits() throws {
    let fixture = try Fixture()
    let bad = [
      token(fixture.ann, "", 1), token(fixture.ann, String(repeating: "x", count: 65), 1), token(AccountID(9), "x", 1),
    ]
    #expect(
      try fixture.store.commit(bad.map { .issueToken($0) }).outcomes == [
        .refused(.emptyName), .refused(.tooLong("the token's name", limit: 64)), .refused(.noSuchAccount(AccountID(9))),
      ])
    let outcomes = try fixture.store.commit((0...100).map { .issueToken(token(fixture.ann, "t", UInt8($0))) }).outcomes
    #expect(outcomes.last == .refused(.tooMany("tokens", limit: StoreLimits.tokens)))
    #expect(try fixture.store.tokens(of: fixture.ann).count == StoreLimits.tokens)
  }
}

@Suite("Sessions: reading positions and names")
struct SessionTests {
  @Test("reading positions are saved apart from the state, with their own revision, even before the state")
  func places()
    throws
  {
    let fixture = try Fixture()
    let saved = try fixture.store.commit([.saveSession(fixture.ann, name: "main", bytes: [1])])
    let commit = try fixture.store.commit([
      .savePlaces(fixture.ann, session: "main", bytes: [7, 8]), .savePlaces(fixture.ann, session: "none", bytes: [7]),
      .savePlaces(fixture.bob, session: "main", bytes: [7]),
    ])
    #expect(commit.outcomes == [.placesSaved, .placesSaved, .placesSaved] && commit.revision == saved.revision + 1)
    let session = SavedSession(
      name: "main", bytes: [1], revision: saved.revision, places: [7, 8], placesRevision: commit.revision)
    #expect(try fixture.store.session(fixture.ann, "main") == session)
    let unsaved = SavedSession(name: "none", bytes: [], revision: 0, places: [7], placesRevision: commit.revision)
    #expect(try fixture.store.session(fixture.ann, "none") == unsaved)
    let again = try fixture.store.commit([.savePlaces(fixture.ann, session: "main", bytes: [7, 8])])
    #expect(again.revision == commit.revision, "the same positions change nothing")
    _ = try fixture.store.commit([.deleteSession(fixture.ann, name: "none")])
    _ = try fixture.store.commit([.saveSession(fixture.ann, name: "main", bytes: [2])])
    #expect(try fixture.store.sessions(of: fixture.ann).map(\.places) == [[7, 8]], "saving the state keeps them")
    let big = Write.savePlaces(
      fixture.ann, session: "main", bytes: Array(repeating: 0, count: StoreLimits.sessionBytes + 1))
    #expect(
      try fixture.store.commit([big]).outcomes == [
        .refused(.tooLong("the session's reading positions", limit: StoreLimits.sessionBytes))
      ])
  }

  @Test("reading positions survive a kill, and the kill is reported") func killed() throws {
    let fixture = try Fixture()
    _ = try fixture.store.commit([.saveSession(fixture.ann, name: "main", bytes: [1])])
    try fixture.store.close()
    fixture.store = try PostStore(path: fixture.folder.file("posts.db"), epoch: 8)
    _ = try fixture.store.commit([.savePlaces(fixture.ann, session: "main", bytes: [9])])
    for suffix in ["", "-wal"] {
      fixture.folder.write(fixture.folder.read("posts.db" + suffix), to: "copy.db" + suffix)
    }
    let copy = try PostStore(path: fixture.folder.file("copy.db"), epoch: 8)
    #expect(try !copy.wasClosed && copy.session(fixture.ann, "main")?.places == [9])
  }

  @Test("a session gets an unused name and keeps its state") func renamed() throws {
    let fixture = try Fixture()
    let saved = try fixture.store.commit([
      .saveSession(fixture.ann, name: "main", bytes: [1]), .savePlaces(fixture.ann, session: "main", bytes: [2]),
      .saveSession(fixture.ann, name: "other", bytes: [3]),
    ])
    let commit = try fixture.store.commit([
      .renameSession(fixture.ann, name: "main", to: "other"), .renameSession(fixture.ann, name: "none", to: "x"),
      .renameSession(fixture.ann, name: "main", to: ""), .renameSession(fixture.ann, name: "main", to: "main"),
    ])
    #expect(
      commit.outcomes == [
        .refused(.nameTaken("other")), .refused(.noSuchSession("none")), .refused(.emptyName), .sessionRenamed,
      ])
    let renamed = try fixture.store.commit([.renameSession(fixture.ann, name: "main", to: "work")])
    let session = SavedSession(
      name: "work", bytes: [1], revision: renamed.revision, places: [2], placesRevision: saved.revision)
    #expect(
      try fixture.store.session(fixture.ann, "work") == session && fixture.store.session(fixture.ann, "main") == nil)
  }

  @Test("an account has at most a thousand sessions") func limit() throws {
    let fixture = try Fixture()
    let writes = (0...StoreLimits.sessions).map { Write.saveSession(fixture.ann, name: "s\($0)", bytes: [1]) }
    let outcomes = try fixture.store.commit(writes).outcomes
    #expect(outcomes.last == .refused(.tooMany("sessions", limit: StoreLimits.sessions)))
    #expect(try fixture.store.commit([.saveSession(fixture.ann, name: "s0", bytes: [2])]).outcomes == [.sessionSaved])
  }
}

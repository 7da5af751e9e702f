import Posts
import TestSupport
import Testing

@testable import Store

@Suite("The integrity check finds differences between posts and data derived from them")
struct IntegrityTests {
  /// The damage done to a sound store, and a part of the expected finding.
  static let damages: [(String, String)] = [
    ("UPDATE tallies SET entries = entries + 1 WHERE list_id = 1", "counts of entries (list, number): (1, "),
    ("DELETE FROM tallies WHERE list_id = 1", "counts of entries (list, number): (1, "),
    ("UPDATE author_tallies SET entries = 9", "counts of authors' posts"),
    ("DELETE FROM author_tallies", "counts of authors' posts"),
    (
      "DELETE FROM entries WHERE list_id = 1 AND post_id = 1",
      "entries (list, instant, post, reason): (1, 1000, 1, 1) is missing"
    ),
    ("UPDATE entries SET reason = 2 WHERE list_id = 1 AND post_id = 1", "(1, 1000, 1, 2) has the wrong reason"),
    ("UPDATE entries SET created_at = 7 WHERE list_id = 1 AND post_id = 1", "(1, 7, 1) should not be in that list"),
    (
      "INSERT INTO entries VALUES (4, 4000, 4, 4)",
      "entries (list, instant, post): (4, 4000, 4) should not be in that list"
    ),
    ("DELETE FROM entries WHERE list_id = 5", "mentions (account, post): (2, "),
    ("INSERT INTO entries VALUES (5, 1000, 1, 0)", "mentions: 1 unexpected entries"),
    ("DELETE FROM entries WHERE list_id = 6", "newest posts of conversations (list, instant, post): (6, "),
    ("DELETE FROM entries WHERE list_id IN (SELECT id FROM lists WHERE kind = 4)", "entries of conversations"),
    ("DELETE FROM members WHERE account_id = 1 AND audience = 0", "members (account, audience): (1, 0) is missing"),
    ("INSERT INTO members VALUES (2, 1)", "members (account, audience): (2, 1) is wrong"),
    ("DELETE FROM members WHERE account_id = 2 AND audience < -1", "members (account, audience): (2, -2) is missing"),
    ("DELETE FROM lists WHERE kind = 3", "lists of accounts (account, kind): (1, 3) is missing"),
    ("DELETE FROM lists WHERE kind = 4", "lists of conversations (audience_group): (2) is missing"),
    ("DELETE FROM search_posts WHERE post_id = 1", "searchable posts (post): (1) is missing"),
    ("DELETE FROM search_posts WHERE post_id = 1", "search index: 1 entries without a post"),
    ("INSERT INTO search_posts VALUES (5, 1)", "search index (post): (1) is wrong"),
    ("UPDATE search_posts SET post_id = 3 - post_id WHERE post_id < 3", "search index (post): (1) is wrong"),
    ("DELETE FROM search_data WHERE id > 10", "search index: cannot be read"),
    ("UPDATE posts SET reply_to = 77 WHERE id = 1", "refers to a missing row of posts"),
  ]

  @Test("a sound store has no findings") func sound() throws { #expect(try store().store.integrity() == []) }

  @Test("damage is found", arguments: damages)
  func damaged(sql: String, finding: String) throws {
    let fixture = try store()
    try fixture.store.database.execute(sql)
    let findings = try fixture.store.integrity()
    #expect(findings.contains { $0.contains(finding) }, "\(findings)")
    #expect(findings.count <= 100 && findings.allSatisfy { !$0.contains("\n") })
    let reader = try StoreReader(path: fixture.folder.file("posts.db"))
    #expect(try reader.integrity() == findings, "a reader finds the same")
  }

  /// Returns a store with posts of every kind: imported, private, for followers (audience group 1), direct (audience
  /// group 2), mentions.
  private func store() throws -> Fixture {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "one", at: 1), tweet("2", "two", at: 2, .followers)])
    _ = try fixture.write("for followers", at: 3, .followers)
    try fixture.load([tweet("4", "four", at: 4, .direct)])
    _ = try fixture.write("@bob hello", at: 5, .direct)
    return fixture
  }
}

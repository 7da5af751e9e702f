/// A table that follows from others, and how: what the check of a store compares. Written without a look at how the writer
/// keeps it, so that the two can disagree.
struct Derivation {
  /// What one row says, to be followed by the row itself.
  var what: String
  /// What there should be.
  var expected: String
  /// What there is.
  var found: String

  /// All of them but mentions, which are not for SQL to find.
  static let all = [
    members, ownLists, conversationLists, entries, strayEntries, conversations, messages, tallies, authorTallies, authors, searchedPosts,
  ]

  private static let local = "(SELECT id FROM sources WHERE name = 'stack')"
  private static let visible = "EXISTS (SELECT 1 FROM members m WHERE m.account_id = l.account_id AND m.audience = p.audience)"

  private static let members = Derivation(
    what: "members (account, audience)",
    expected: """
      SELECT id, 0 FROM accounts UNION SELECT id, id FROM accounts
      UNION SELECT j.value, -1 - c.id FROM circles c, json_each('[' || c.people || ']') j WHERE c.people IS NOT NULL
      UNION SELECT account_id, -1 - id FROM circles WHERE account_id IS NOT NULL
      UNION SELECT l.account_id, -1 - c.id FROM circles c JOIN accounts a ON a.id = c.account_id
        JOIN authors u ON u.source_id = \(local) AND u.native_id = a.name
        JOIN list_authors f ON f.author_id = u.id JOIN lists l ON l.id = f.list_id AND l.kind = 1
      """,
    found: "SELECT account_id, audience FROM members")

  private static let ownLists = Derivation(
    what: "lists of accounts (account, kind)",
    expected: "SELECT id, kind FROM accounts, (SELECT 1 AS kind UNION ALL SELECT 2 UNION ALL SELECT 3)",
    found: "SELECT account_id, kind FROM lists WHERE kind IN (1, 2, 3)")

  private static let conversationLists = Derivation(
    what: "lists of conversations (circle)", expected: "SELECT id FROM circles WHERE people IS NOT NULL",
    found: "SELECT circle FROM lists WHERE kind = 4")

  /// Home lists and made ones; that an account imported what was there already is known to the entry alone.
  private static let entries = Derivation(
    what: "entries (list, instant, post, reason)",
    expected: """
      SELECT list, created_at, id, sum(reason) FROM (
        SELECT l.id AS list, p.created_at, p.id, 1 AS reason
          FROM posts p JOIN lists l ON l.kind = 1 AND l.account_id = p.owner_id WHERE p.is_entry = 1 AND \(visible)
        UNION SELECT l.id, p.created_at, p.id, 1
          FROM identities i JOIN lists l ON l.kind = 1 AND l.account_id = i.account_id
          JOIN posts p ON p.author_id = i.author_id WHERE p.is_entry = 1 AND \(visible)
        UNION SELECT l.id, p.created_at, p.id, 2
          FROM list_authors f JOIN lists l ON l.id = f.list_id
          JOIN posts p ON p.author_id = f.author_id WHERE p.is_entry = 1 AND \(visible))
      GROUP BY list, created_at, id
      """,
    found: """
      SELECT e.list_id, e.created_at, e.post_id, e.reason & 3
      FROM entries e JOIN lists l ON l.id = e.list_id WHERE l.kind IN (1, 5) AND e.reason <> 4
      """)

  private static let strayEntries = Derivation(
    what: "entries of what is not to be seen there (list, instant, post)", expected: "SELECT 0, 0, 0 WHERE 0",
    found: """
      SELECT e.list_id, e.created_at, e.post_id
      FROM entries e LEFT JOIN lists l ON l.id = e.list_id LEFT JOIN posts p ON p.id = e.post_id
      WHERE l.id IS NULL OR p.id IS NULL OR p.is_entry = 0 OR p.created_at <> e.created_at
        OR (l.kind <> 4 AND NOT \(visible))
      """)

  private static let conversations = Derivation(
    what: "entries of conversations (list, instant, post)",
    expected: """
      SELECT l.id, p.created_at, p.id FROM posts p JOIN lists l ON l.circle = -1 - p.audience
      WHERE p.audience < -1 AND p.is_entry = 1
      """,
    found: "SELECT e.list_id, e.created_at, e.post_id FROM lists l JOIN entries e ON e.list_id = l.id WHERE l.kind = 4")

  private static let messages = Derivation(
    what: "newest posts of conversations (list, instant, post)",
    expected: """
      SELECT o.id, e.created_at, e.post_id FROM lists l
      JOIN members m ON m.audience = -1 - l.circle JOIN lists o ON o.kind = 3 AND o.account_id = m.account_id
      JOIN entries e ON e.list_id = l.id
      WHERE l.kind = 4 AND e.post_id = (
        SELECT post_id FROM entries WHERE list_id = l.id ORDER BY created_at DESC, post_id DESC LIMIT 1)
      """,
    found: "SELECT e.list_id, e.created_at, e.post_id FROM lists l JOIN entries e ON e.list_id = l.id WHERE l.kind = 3")

  private static let tallies = Derivation(
    what: "counts of entries (list, number)", expected: "SELECT list_id, count(*) FROM entries GROUP BY list_id",
    found: "SELECT list_id, entries FROM tallies WHERE entries <> 0")

  private static let authorTallies = Derivation(
    what: "counts of authors' entries (author, audience, number)",
    expected: "SELECT author_id, audience, count(*) FROM posts WHERE is_entry = 1 GROUP BY author_id, audience",
    found: "SELECT author_id, audience, entries FROM author_tallies WHERE entries <> 0")

  /// Rows of 0 may stay when posts go; they may not be missing.
  private static let authors = Derivation(
    what: "authors that nobody would know of (author, audience)", expected: "SELECT 0, 0 WHERE 0",
    found: "SELECT author_id, audience FROM posts EXCEPT SELECT author_id, audience FROM author_tallies")

  private static let searchedPosts = Derivation(
    what: "posts that can be found (post)", expected: "SELECT id FROM posts WHERE repost_of IS NULL AND audience <> -1",
    found: "SELECT post_id FROM search_posts")
}

/// Something that can be wrong with what follows from the posts, and the query that finds it. Written without a look at
/// how the writer keeps it, so that the two can disagree.
struct Flaw {
  /// What the columns of a found row are, and what is the matter with them: "what (columns): … is missing".
  var what: String
  var verdict: String
  /// Finds the wrong rows; all columns are numbers.
  var sql: String

  /// All but mentions, which are not for SQL to find.
  static let all =
    members + ownLists + conversationLists + entries + conversations + messages + tallies + authorTallies
    + searchedPosts

  /// One table should be another.
  private static func differences(in what: String, expected: String, found: String) -> [Flaw] {
    [
      Flaw(what: what, verdict: "is missing", sql: "SELECT * FROM (\(expected)) EXCEPT SELECT * FROM (\(found))"),
      Flaw(what: what, verdict: "is wrong", sql: "SELECT * FROM (\(found)) EXCEPT SELECT * FROM (\(expected))"),
    ]
  }

  private static let local = "(SELECT id FROM sources WHERE name = 'stack')"
  private static let visible =
    "EXISTS (SELECT 1 FROM members m WHERE m.account_id = l.account_id AND m.audience = p.audience)"

  private static let members = differences(
    in: "members (account, audience)",
    expected: """
      SELECT id, 0 FROM accounts UNION SELECT id, id FROM accounts
      UNION SELECT j.value, -1 - c.id FROM circles c, json_each('[' || c.people || ']') j WHERE c.people IS NOT NULL
      UNION SELECT account_id, -1 - id FROM circles WHERE account_id IS NOT NULL
      UNION SELECT keeper_id, -1 - id FROM circles WHERE account_id IS NOT NULL
      UNION SELECT l.account_id, -1 - c.id FROM circles c JOIN accounts a ON a.id = c.account_id
        JOIN authors u ON u.source_id = \(local) AND u.native_id = a.name
        JOIN list_authors f ON f.author_id = u.id JOIN lists l ON l.id = f.list_id AND l.kind = 1
      """,
    found: "SELECT account_id, audience FROM members")

  private static let ownLists = differences(
    in: "lists of accounts (account, kind)",
    expected: "SELECT id, kind FROM accounts, (SELECT 1 AS kind UNION ALL SELECT 2 UNION ALL SELECT 3)",
    found: "SELECT account_id, kind FROM lists WHERE kind IN (1, 2, 3)")

  private static let conversationLists = differences(
    in: "lists of conversations (circle)", expected: "SELECT id FROM circles WHERE people IS NOT NULL",
    found: "SELECT circle FROM lists WHERE kind = 4")

  /// Home lists and made ones. That an account imported what was there already is known to the entry alone.
  private static let entries = [
    Flaw(
      what: "entries (list, instant, post, reason)", verdict: "is missing",
      sql: """
        SELECT w.list, p.created_at, p.id, w.reason FROM (
          SELECT l.id AS list, l.account_id, i.author_id, 1 AS reason
            FROM identities i JOIN lists l ON l.kind = 1 AND l.account_id = i.account_id
          UNION ALL SELECT l.id, l.account_id, f.author_id, 2 FROM list_authors f JOIN lists l ON l.id = f.list_id) w
        CROSS JOIN posts p ON p.author_id = w.author_id AND p.is_entry = 1
        WHERE EXISTS (SELECT 1 FROM members m WHERE m.account_id = w.account_id AND m.audience = p.audience)
          AND NOT EXISTS (SELECT 1 FROM entries e
            WHERE e.list_id = w.list AND e.created_at = p.created_at AND e.post_id = p.id AND e.reason & w.reason <> 0)
        """),
    Flaw(
      what: "entries (list, instant, post, reason)", verdict: "is missing",
      sql: """
        SELECT l.id, p.created_at, p.id, 1 FROM posts p NOT INDEXED CROSS JOIN lists l ON l.kind = 1 AND l.account_id = p.owner_id
        WHERE p.is_entry = 1 AND \(visible)
          AND NOT EXISTS (SELECT 1 FROM entries e
            WHERE e.list_id = l.id AND e.created_at = p.created_at AND e.post_id = p.id AND e.reason & 1 <> 0)
        """),
    Flaw(
      what: "entries (list, instant, post, reason)", verdict: "has another reason",
      sql: """
        SELECT e.list_id, e.created_at, e.post_id, e.reason
        FROM entries e CROSS JOIN lists l ON l.id = e.list_id CROSS JOIN posts p ON p.id = e.post_id
        WHERE e.reason & 3 <> CASE WHEN l.kind IN (1, 5) THEN
            (l.kind = 1 AND (p.owner_id = l.account_id OR EXISTS (
              SELECT 1 FROM identities i WHERE i.account_id = l.account_id AND i.author_id = p.author_id)))
            + 2 * EXISTS (SELECT 1 FROM list_authors f WHERE f.list_id = l.id AND f.author_id = p.author_id)
          ELSE 0 END
          OR (l.kind IN (1, 5)) <> (e.reason <> 0)
        """),
    Flaw(
      what: "entries (list, instant, post)", verdict: "is not to be seen there",
      sql: """
        SELECT e.list_id, e.created_at, e.post_id
        FROM entries e LEFT JOIN lists l ON l.id = e.list_id LEFT JOIN posts p ON p.id = e.post_id
        WHERE l.id IS NULL OR p.id IS NULL OR p.is_entry = 0 OR p.created_at <> e.created_at
          OR (l.kind <> 4 AND NOT \(visible))
        """),
  ]

  private static let conversations = differences(
    in: "entries of conversations (list, instant, post)",
    expected: """
      SELECT l.id, p.created_at, p.id FROM posts p JOIN lists l ON l.circle = -1 - p.audience
      WHERE p.audience < -1 AND p.is_entry = 1
      """,
    found: "SELECT e.list_id, e.created_at, e.post_id FROM lists l JOIN entries e ON e.list_id = l.id WHERE l.kind = 4")

  private static let messages = differences(
    in: "newest posts of conversations (list, instant, post)",
    expected: """
      SELECT o.id, e.created_at, e.post_id FROM lists l
      JOIN members m ON m.audience = -1 - l.circle JOIN lists o ON o.kind = 3 AND o.account_id = m.account_id
      JOIN entries e ON e.list_id = l.id
      WHERE l.kind = 4 AND e.post_id = (
        SELECT post_id FROM entries WHERE list_id = l.id ORDER BY created_at DESC, post_id DESC LIMIT 1)
      """,
    found: "SELECT e.list_id, e.created_at, e.post_id FROM lists l JOIN entries e ON e.list_id = l.id WHERE l.kind = 3")

  private static let tallies = differences(
    in: "counts of entries (list, number)", expected: "SELECT list_id, count(*) FROM entries GROUP BY list_id",
    found: "SELECT list_id, entries FROM tallies WHERE entries <> 0")

  private static let authorTallies =
    differences(
      in: "counts of authors' posts (author, audience, entries, others)",
      expected: "SELECT author_id, audience, sum(is_entry), sum(1 - is_entry) FROM posts GROUP BY author_id, audience",
      found: "SELECT author_id, audience, entries, others FROM author_tallies WHERE entries <> 0 OR others <> 0")

  private static let searchedPosts = differences(
    in: "posts that can be found (post)", expected: "SELECT id FROM posts WHERE repost_of IS NULL AND audience <> -1",
    found: "SELECT post_id FROM search_posts")
}

/// A rule about data derived from posts, and the query that finds violations. The queries are written independently of
/// the writer, so that the two can disagree.
struct ConsistencyRule {
  /// Describes the columns of a violating row, and the problem: "what (columns): … is missing".
  var what: String
  var verdict: String
  /// Finds the violating rows; all columns are numbers.
  var sql: String

  /// All rules except those for mentions, which SQL cannot check.
  static let all =
    members + ownLists + conversationLists + entries + conversations + messages + tallies + authorTallies
    + searchedPosts

  /// Returns the rules that one table equals another.
  private static func differences(in what: String, expected: String, found: String) -> [ConsistencyRule] {
    [
      ConsistencyRule(
        what: what, verdict: "is missing", sql: "SELECT * FROM (\(expected)) EXCEPT SELECT * FROM (\(found))"),
      ConsistencyRule(
        what: what, verdict: "is wrong", sql: "SELECT * FROM (\(found)) EXCEPT SELECT * FROM (\(expected))"),
    ]
  }

  private static let local = "(SELECT id FROM sources WHERE name = 'stack')"
  private static let visible =
    "EXISTS (SELECT 1 FROM members m WHERE m.account_id = l.account_id AND m.audience = p.audience)"

  private static let members = differences(
    in: "members (account, audience)",
    expected: """
      SELECT id, 0 FROM accounts UNION SELECT id, id FROM accounts
      UNION SELECT j.value, -1 - c.id FROM audience_groups c, json_each('[' || c.people || ']') j
        WHERE c.people IS NOT NULL AND j.type = 'integer'
      UNION SELECT account_id, -1 - id FROM audience_groups WHERE account_id IS NOT NULL
      UNION SELECT writer_id, -1 - id FROM audience_groups WHERE account_id IS NOT NULL
      UNION SELECT l.account_id, -1 - c.id FROM audience_groups c JOIN accounts a ON a.id = c.account_id
        JOIN authors u ON u.source_id = \(local) AND u.native_id = a.name
        JOIN list_authors f ON f.author_id = u.id JOIN lists l ON l.id = f.list_id AND l.kind = 1
      """,
    found: "SELECT account_id, audience FROM members")

  private static let ownLists = differences(
    in: "lists of accounts (account, kind)",
    expected: "SELECT id, kind FROM accounts, (SELECT 1 AS kind UNION ALL SELECT 2 UNION ALL SELECT 3)",
    found: "SELECT account_id, kind FROM lists WHERE kind IN (1, 2, 3)")

  private static let conversationLists = differences(
    in: "lists of conversations (audience_group)", expected: "SELECT id FROM audience_groups WHERE people IS NOT NULL",
    found: "SELECT audience_group FROM lists WHERE kind = 4")

  /// Home lists and user-made ones. Only the entry knows that an account imported a post that existed already, or that
  /// a server has it in a list.
  private static let entries = [
    ConsistencyRule(
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
          AND NOT (w.reason = 2 AND EXISTS (
            SELECT 1 FROM feed_links s JOIN feed_links o ON o.link = s.link JOIN posts q ON q.id = o.post_id
            JOIN entries e ON e.list_id = w.list AND e.created_at = q.created_at AND e.post_id = q.id
            WHERE s.post_id = p.id AND q.author_id <> p.author_id AND (o.is_own <> 0 OR o.item = s.item)
              AND q.created_at BETWEEN p.created_at - 604800000 AND p.created_at + 604800000))
        """),
    ConsistencyRule(
      what: "entries (list, instant, post)", verdict: "stands beside another feed's post with the same link",
      sql: """
        SELECT e.list_id, e.created_at, e.post_id FROM feed_links s JOIN feed_links o ON o.link = s.link
          AND (s.is_own + o.is_own = 2 OR s.item = o.item)
        JOIN posts p ON p.id = s.post_id JOIN posts q ON q.id = o.post_id AND q.author_id <> p.author_id
          AND q.created_at BETWEEN p.created_at - 604800000 AND p.created_at + 604800000
        JOIN entries e ON e.created_at = p.created_at AND e.post_id = p.id
        JOIN entries f ON f.list_id = e.list_id AND f.created_at = q.created_at AND f.post_id = q.id
        JOIN lists l ON l.id = e.list_id AND l.kind IN (1, 5)
        """),
    ConsistencyRule(
      what: "entries (list, instant, post, reason)", verdict: "is missing",
      sql: """
        SELECT l.id, p.created_at, p.id, 1 FROM posts p NOT INDEXED CROSS JOIN lists l ON l.kind = 1 AND l.account_id = p.owner_id
        WHERE p.is_entry = 1 AND p.server_id = 0 AND \(visible) AND NOT EXISTS (SELECT 1 FROM feeds d WHERE d.author_id = p.author_id)
          AND NOT EXISTS (SELECT 1 FROM entries e
            WHERE e.list_id = l.id AND e.created_at = p.created_at AND e.post_id = p.id AND e.reason & 1 <> 0)
        """),
    ConsistencyRule(
      what: "entries (list, instant, post, reason)", verdict: "has the wrong reason",
      sql: """
        SELECT e.list_id, e.created_at, e.post_id, e.reason
        FROM entries e CROSS JOIN lists l ON l.id = e.list_id CROSS JOIN posts p ON p.id = e.post_id
        WHERE e.reason & 3 <> CASE WHEN l.kind IN (1, 5) THEN
            (l.kind = 1 AND (
              (p.owner_id = l.account_id AND p.server_id = 0
                AND NOT EXISTS (SELECT 1 FROM feeds d WHERE d.author_id = p.author_id))
              OR EXISTS (SELECT 1 FROM identities i WHERE i.account_id = l.account_id AND i.author_id = p.author_id)))
            + 2 * EXISTS (SELECT 1 FROM list_authors f WHERE f.list_id = l.id AND f.author_id = p.author_id)
          ELSE 0 END
          OR (l.kind IN (1, 5) AND e.reason = 0) OR (l.kind NOT IN (1, 2, 5) AND e.reason <> 0)
        """),
    ConsistencyRule(
      what: "entries (list, instant, post)", verdict: "should not be in that list",
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
      SELECT l.id, p.created_at, p.id FROM posts p JOIN lists l ON l.audience_group = -1 - p.audience
      WHERE p.audience < -1 AND p.is_entry = 1
      """,
    found: "SELECT e.list_id, e.created_at, e.post_id FROM lists l JOIN entries e ON e.list_id = l.id WHERE l.kind = 4")

  private static let messages = differences(
    in: "newest posts of conversations (list, instant, post)",
    expected: """
      SELECT o.id, e.created_at, e.post_id FROM lists l
      JOIN members m ON m.audience = -1 - l.audience_group JOIN lists o ON o.kind = 3 AND o.account_id = m.account_id
      JOIN entries e ON e.list_id = l.id
      WHERE l.kind = 4 AND e.post_id = (
        SELECT n.post_id FROM entries n JOIN posts p ON p.id = n.post_id WHERE n.list_id = l.id AND NOT EXISTS (
          SELECT 1 FROM muted_authors b WHERE b.account_id = m.account_id AND b.kind = 2 AND b.author_id = p.author_id)
        ORDER BY n.created_at DESC, n.post_id DESC LIMIT 1)
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
    in: "searchable posts (post)", expected: "SELECT id FROM posts WHERE repost_of IS NULL AND audience <> -1",
    found: "SELECT post_id FROM search_posts")
}

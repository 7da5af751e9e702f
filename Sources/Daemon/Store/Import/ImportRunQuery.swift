/// SQL about imports, and about the posts that they brought.
enum ImportRunQuery {
  private static let listed = "SELECT id, account_id, name, started_at, new, changed FROM imports"
  /// Columns of a ``ForgettablePost``.
  private static let post = """
    SELECT p.id, p.owner_id, a.source_id, p.body, p.marks, p.source_id, p.created_at, p.native_id, p.scope
    FROM posts p CROSS JOIN authors a ON a.id = p.author_id
    """

  static let insert = Query(
    "INSERT INTO imports (account_id, name, started_at, new, changed) VALUES (?1, ?2, ?3, 0, 0) RETURNING id")
  static let count = Query("UPDATE imports SET new = new + ?2, changed = changed + ?3 WHERE id = ?1")
  static let insertRange = Query(
    """
    INSERT INTO import_ranges VALUES (?1, ?2, ?3)
    ON CONFLICT (import_id, first_post) DO UPDATE SET last_post = excluded.last_post
    """)
  static let lastRange = Query(
    "SELECT first_post, last_post FROM import_ranges WHERE import_id = ?1 ORDER BY first_post DESC LIMIT 1")
  static let rangeBefore = Query(
    """
    SELECT first_post, last_post FROM import_ranges WHERE import_id = ?1 AND first_post < ?2
    ORDER BY first_post DESC LIMIT 1
    """)
  static let isInRun = Query(
    "SELECT 1 FROM import_ranges WHERE import_id = ?1 AND first_post <= ?2 AND last_post >= ?2 LIMIT 1")
  /// The import that brought a post first.
  static let ofPost = Query(
    """
    SELECT i.id, i.account_id, i.name, i.started_at, i.new, i.changed
    FROM import_ranges r CROSS JOIN imports i ON i.id = r.import_id
    WHERE r.first_post = (SELECT max(first_post) FROM import_ranges WHERE first_post <= ?1) AND r.last_post >= ?1
    """)
  static let byNumber = Query("\(listed) WHERE id = ?1")
  static let ofAccount = Query("\(listed) WHERE account_id = ?1 ORDER BY id DESC")
  static let all = Query("\(listed) WHERE id > 0 ORDER BY id DESC")
  static let surplus = Query(
    "SELECT id FROM imports WHERE account_id = ?1 ORDER BY id DESC LIMIT -1 OFFSET ?2")
  static let deleteRanges = Query("DELETE FROM import_ranges WHERE import_id = ?1")
  static let delete = Query("DELETE FROM imports WHERE id = ?1")

  static let inRange = Query("\(post) WHERE p.id BETWEEN ?1 AND ?2 ORDER BY p.id DESC LIMIT ?3")
  static let ofSource = Query(
    """
    \(post) WHERE p.source_id = ?1 AND (p.native_id, p.scope) > (?2, ?3) ORDER BY p.native_id, p.scope LIMIT ?4
    """)
  static let postByNumber = Query("\(post) WHERE p.id = ?1")
  static let isAnswered = Query("SELECT 1 FROM posts WHERE reply_to = ?1 AND owner_id <> ?2 LIMIT 1")
  static let reposts = Query("SELECT id FROM posts WHERE repost_of = ?1")
  /// True if an account beside ?3 has imported the post after its owner had.
  static let isShared = Query(
    """
    SELECT 1 FROM lists l CROSS JOIN entries e ON e.list_id = l.id AND e.created_at = ?1 AND e.post_id = ?2
      AND e.reason & 4
    WHERE l.kind = 1 AND l.account_id <> ?3 LIMIT 1
    """)

  static let queries = [
    insert, count, insertRange, lastRange, rangeBefore, isInRun, ofPost, byNumber, ofAccount, all, surplus,
    deleteRanges, delete, inRange, ofSource, postByNumber, isAnswered, reposts, isShared,
  ]
}

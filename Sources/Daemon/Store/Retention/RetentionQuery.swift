/// SQL about what is kept of sources, and about the posts that may go.
enum RetentionQuery {
  /// Columns of a ``PrunablePost``: marks are those of the original of a repost.
  private static let post = """
    SELECT p.id, p.created_at, p.author_id, p.source_id, p.repost_of, coalesce(o.owner_id, p.owner_id),
      coalesce(o.body, p.body), coalesce(o.marks, p.marks)
    """

  static let rules = Query(
    """
    SELECT s.name, r.feed, r.keep_days, r.keep_posts, r.removed FROM retention r
    CROSS JOIN sources s ON s.id = r.source_id WHERE r.source_id > 0
    """)
  static let rule = Query("SELECT keep_days, keep_posts, removed FROM retention WHERE source_id = ?1 AND feed = ?2")
  static let hasRule = Query("SELECT 1 FROM retention WHERE source_id > 0 AND keep_days + keep_posts > 0 LIMIT 1")
  static let setRule = Query(
    """
    INSERT INTO retention VALUES (?1, ?2, ?3, ?4, 0)
    ON CONFLICT (source_id, feed) DO UPDATE SET keep_days = excluded.keep_days, keep_posts = excluded.keep_posts
    """)
  static let count = Query(
    """
    INSERT INTO retention VALUES (?1, ?2, NULL, NULL, ?3)
    ON CONFLICT (source_id, feed) DO UPDATE SET removed = removed + excluded.removed
    """)
  static let limit = Query("SELECT size_limit FROM meta WHERE id = 1")
  static let setLimit = Query("UPDATE meta SET size_limit = ?1 WHERE id = 1")

  static let feeds = Query("SELECT id, author_id FROM feeds WHERE id > 0")
  static let feedOfAuthor = Query("SELECT id FROM feeds WHERE author_id = ?1")
  static let entriesOfAuthor = Query("SELECT coalesce(sum(entries), 0) FROM author_tallies WHERE author_id = ?1")
  static let entriesOfSource = Query(
    """
    SELECT coalesce(sum(t.entries), 0) FROM authors a CROSS JOIN author_tallies t ON t.author_id = a.id
    WHERE a.source_id = ?1
    """)
  static let entries = Query("SELECT coalesce(sum(entries), 0) FROM author_tallies WHERE author_id > 0")
  static let hasOlder = Query(
    "SELECT 1 FROM posts WHERE author_id = ?1 AND is_entry = 1 AND created_at < ?2 LIMIT 1")

  static let ofAuthor = Query(
    """
    \(post) FROM posts p LEFT JOIN posts o ON o.id = p.repost_of
    WHERE p.author_id = ?1 AND p.is_entry = 1 AND (p.created_at, p.id) > (?2, ?3) AND p.created_at < ?4
    ORDER BY p.created_at, p.id LIMIT ?5
    """)
  static let byTime = Query(
    """
    \(post) FROM posts p INDEXED BY posts_time LEFT JOIN posts o ON o.id = p.repost_of
    WHERE p.is_entry = 1 AND (p.created_at, p.id) > (?1, ?2) AND p.created_at < ?3
    ORDER BY p.created_at, p.id LIMIT ?4
    """)
  /// A post that only came inside reposts which are gone.
  static let orphan = Query(
    """
    \(post) FROM posts p LEFT JOIN posts o ON o.id = p.repost_of
    WHERE p.id = ?1 AND p.is_entry = 0 AND NOT EXISTS (SELECT 1 FROM posts r WHERE r.repost_of = p.id)
    """)
  /// True if an account here has answered or reposted a post.
  static let isAnswered = Query(
    """
    SELECT 1 FROM posts r CROSS JOIN identities i ON i.author_id = r.author_id WHERE r.reply_to = ?1
    UNION ALL SELECT 1 FROM posts r CROSS JOIN identities i ON i.author_id = r.author_id WHERE r.repost_of = ?1
    LIMIT 1
    """)

  static let queries = [
    rules, rule, hasRule, setRule, count, limit, setLimit, feeds, feedOfAuthor, entriesOfAuthor, entriesOfSource,
    entries, hasOlder, ofAuthor, byTime, orphan, isAnswered,
  ]
}

/// SQL about ``FeedTwins``.
enum TwinQuery {
  private static let limitMilliseconds = 7 * 86_400_000
  /// The posts `q` that are twins of the posts `p`.
  private static let twins = """
    CROSS JOIN feed_links s ON s.post_id = p.id CROSS JOIN feed_links o ON o.link = s.link
    CROSS JOIN posts q ON q.id = o.post_id AND q.author_id <> p.author_id
      AND abs(q.created_at - p.created_at) <= \(limitMilliseconds)
    """
  /// The entries `f` of these twins.
  private static let entries = "CROSS JOIN entries f ON f.created_at = q.created_at AND f.post_id = q.id"
  /// True if the twin hides the post, and if the post hides the twin as well.
  private static let hiding = "(o.is_own = 1 OR o.item = s.item)"
  private static let hidingEach = "(o.is_own = 1 AND s.is_own = 1 OR o.item = s.item)"

  /// Returns a condition: a twin in a list hides the post in a column.
  static func isHidden(in list: String, _ post: String) -> String {
    "EXISTS (SELECT 1 FROM posts p \(twins) AND \(hiding) \(entries) AND f.list_id = \(list) WHERE p.id = \(post))"
  }

  static let urlIfShownOnce = Query("SELECT url FROM feeds WHERE author_id = ?1 AND shows_twice = 0")
  static let link = Query("SELECT link, is_own, item FROM feed_links WHERE post_id = ?1")
  static let saveLink = Query(
    """
    INSERT INTO feed_links VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT (post_id) DO UPDATE SET link = excluded.link, is_own = excluded.is_own, item = excluded.item
    """)
  static let deleteLink = Query("DELETE FROM feed_links WHERE post_id = ?1")
  static let bodies = Query("SELECT id, body, native_id FROM posts WHERE author_id = ?1 AND is_entry = 1")
  static let deleteLinksOfAuthor = Query(
    "DELETE FROM feed_links WHERE post_id IN (SELECT id FROM posts WHERE author_id = ?1 AND is_entry = 1)")
  static let ofPost = Query("SELECT q.id, o.is_own FROM posts p \(twins) WHERE p.id = ?1")
  static let ofAuthor = Query(
    "SELECT p.id, q.id FROM posts p \(twins) WHERE p.author_id = ?1 AND p.is_entry = 1 ORDER BY p.created_at, p.id")
  static let hides = Query(
    "SELECT 1 FROM posts p \(twins) AND \(hiding) \(entries) AND f.list_id = ?2 WHERE p.id = ?1 LIMIT 1")
  static let hidesEach = Query(
    "SELECT 1 FROM posts p \(twins) AND \(hidingEach) \(entries) AND f.list_id = ?2 WHERE p.id = ?1 LIMIT 1")

  static let queries = [
    urlIfShownOnce, link, saveLink, deleteLink, bodies, deleteLinksOfAuthor, ofPost, ofAuthor, hides, hidesEach,
  ]
}

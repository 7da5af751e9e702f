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

  /// Returns a condition: a list has a twin of the post in a column.
  static func isInList(_ list: String, of post: String) -> String {
    "EXISTS (SELECT 1 FROM posts p \(twins) \(entries) AND f.list_id = \(list) WHERE p.id = \(post))"
  }

  static let isShownOnce = Query("SELECT 1 FROM feeds WHERE author_id = ?1 AND shows_twice = 0")
  static let link = Query("SELECT link FROM feed_links WHERE post_id = ?1")
  static let saveLink = Query(
    "INSERT INTO feed_links VALUES (?1, ?2) ON CONFLICT (post_id) DO UPDATE SET link = excluded.link")
  static let deleteLink = Query("DELETE FROM feed_links WHERE post_id = ?1")
  static let bodies = Query("SELECT id, body FROM posts WHERE author_id = ?1 AND is_entry = 1")
  static let deleteLinksOfAuthor = Query(
    "DELETE FROM feed_links WHERE post_id IN (SELECT id FROM posts WHERE author_id = ?1 AND is_entry = 1)")
  static let ofPost = Query("SELECT q.id FROM posts p \(twins) WHERE p.id = ?1")
  static let ofAuthor = Query(
    "SELECT p.id, q.id FROM posts p \(twins) WHERE p.author_id = ?1 AND p.is_entry = 1 ORDER BY p.created_at, p.id")
  static let inList = Query("SELECT 1 FROM posts p \(twins) \(entries) AND f.list_id = ?2 WHERE p.id = ?1 LIMIT 1")

  static let queries = [
    isShownOnce, link, saveLink, deleteLink, bodies, deleteLinksOfAuthor, ofPost, ofAuthor, inList,
  ]
}

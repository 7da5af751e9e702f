/// SQL about feeds.
enum FeedQuery {
  private static let columns = """
    f.id, f.url, f.account_id, f.author_id, f.scope, f.title, f.interval_minutes, f.lifts_edited, f.shows_twice
    """
  /// Whoever else follows the author of a private feed sees nothing of it.
  private static let isFollowed = """
    EXISTS (SELECT 1 FROM list_authors m CROSS JOIN lists l ON l.id = m.list_id AND l.kind = 1
      WHERE m.author_id = f.author_id AND f.scope IN (0, l.account_id))
    """

  static let last = Query("SELECT max(id) FROM feeds")
  static let insert = Query("INSERT INTO feeds VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, 0, 0)")
  static let update = Query(
    """
    UPDATE feeds SET url = ?2, title = ?3, interval_minutes = ?4, lifts_edited = ?5, shows_twice = ?6 WHERE id = ?1
    """)
  static let byNumber = Query("SELECT \(columns) FROM feeds f WHERE f.id = ?1")
  static let byAddress = Query("SELECT \(columns) FROM feeds f WHERE f.url = ?1 AND f.scope = ?2")
  static let authors = Query("SELECT author_id, id FROM feeds WHERE id > 0")
  /// The feeds that anybody follows, from a number on.
  static let followed = Query(
    "SELECT \(columns) FROM feeds f WHERE f.id > ?1 AND \(isFollowed) ORDER BY f.id LIMIT ?2")
  static let ifFollowed = Query("SELECT \(columns) FROM feeds f WHERE f.id = ?1 AND \(isFollowed)")
  static let adders = Query("SELECT f.id, f.account_id FROM feeds f WHERE f.id > 0 AND \(isFollowed)")
  static let adder = Query("SELECT account_id FROM feeds WHERE id = ?1")
  static let adderIfFollowed = Query("SELECT f.account_id FROM feeds f WHERE f.id = ?1 AND \(isFollowed)")
  static let followedBy = Query(
    """
    SELECT \(columns) FROM lists l CROSS JOIN list_authors m ON m.list_id = l.id
    CROSS JOIN feeds f ON f.author_id = m.author_id WHERE l.kind = 1 AND l.account_id = ?1
      AND f.scope IN (0, ?1)
    """)
  static let ifFollowedBy = Query(
    """
    SELECT \(columns) FROM feeds f WHERE f.id = ?1 AND f.scope IN (0, ?2)
      AND EXISTS (SELECT 1 FROM list_authors m CROSS JOIN lists l ON l.id = m.list_id AND l.kind = 1
        WHERE m.author_id = f.author_id AND l.account_id = ?2)
    """)
  static let attributes = Query("SELECT attributes FROM feed_attributes WHERE account_id = ?1 AND feed_id = ?2")
  static let saveAttributes = Query(
    """
    INSERT INTO feed_attributes VALUES (?1, ?2, ?3)
    ON CONFLICT (account_id, feed_id) DO UPDATE SET attributes = excluded.attributes
    """)
  static let deleteAttributes = Query("DELETE FROM feed_attributes WHERE account_id = ?1 AND feed_id = ?2")

  /// The names of the feeds that have cursors.
  static let withCursors = Query("SELECT DISTINCT subject FROM cursors WHERE source_id = ?1")

  static let queries = [
    last, insert, update, byNumber, byAddress, authors, followed, ifFollowed, adders, adder, adderIfFollowed,
    followedBy, ifFollowedBy, attributes, saveAttributes, deleteAttributes, withCursors,
  ]
}

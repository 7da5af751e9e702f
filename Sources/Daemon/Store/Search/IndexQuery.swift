/// SQL that writes the search index.
enum IndexQuery {
  /// Columns of a ``SearchedPost``.
  private static let searched = "SELECT created_at, author_id, audience, body, owner_id, marks FROM posts"

  static let post = Query("\(searched) WHERE id = ?1 AND repost_of IS NULL AND audience <> -1")
  static let anyPost = Query("\(searched) WHERE id = ?1")
  static let key = Query(
    """
    SELECT key FROM search_posts WHERE key BETWEEN ?1 AND ?2 AND post_id = ?3
    UNION ALL SELECT key FROM search_posts WHERE key = ?4 AND post_id = ?3
    """)
  static let lastKey = Query("SELECT max(key) FROM search_posts WHERE key BETWEEN ?1 AND ?2")
  static let insertKey = Query("INSERT INTO search_posts VALUES (?1, ?2)")
  static let deleteKey = Query("DELETE FROM search_posts WHERE key = ?1")
  static let insert = Query("INSERT INTO search (rowid, words) VALUES (?1, ?2)")
  static let delete = Query("INSERT INTO search (search, rowid, words) VALUES ('delete', ?1, ?2)")
  static let merge = Query("INSERT INTO search (search, rank) VALUES ('merge', ?1)")

  static let queries = [post, anyPost, key, lastKey, insertKey, deleteKey, insert, delete, merge]
}

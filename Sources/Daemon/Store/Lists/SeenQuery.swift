/// SQL about what accounts have seen.
enum SeenQuery {
  static let mark = Query(
    """
    INSERT INTO seen VALUES (?1, ?2, ?3, ?4) ON CONFLICT (account_id, section)
    DO UPDATE SET created_at = excluded.created_at, post_id = excluded.post_id
    WHERE (excluded.created_at, excluded.post_id) > (created_at, post_id)
    """)
  static let newest = Query("SELECT created_at, post_id FROM seen WHERE account_id = ?1 AND section = ?2")
  static let unseen = Query("SELECT 1 FROM entries WHERE list_id = ?1 AND (created_at, post_id) > (?2, ?3) LIMIT ?4")

  static let queries = [mark, newest, unseen]
}

/// SQL about request ids.
enum RequestQuery {
  static let find = Query("SELECT post_id FROM requests WHERE account_id = ?1 AND request_id = ?2")
  static let insert = Query(
    """
    INSERT INTO requests (account_id, request_id, post_id) VALUES (?1, ?2, ?3)
    ON CONFLICT (account_id, request_id) DO UPDATE SET post_id = excluded.post_id RETURNING id
    """)
  static let forget = Query("DELETE FROM requests WHERE id <= ?1")

  static let queries = [find, insert, forget]
}

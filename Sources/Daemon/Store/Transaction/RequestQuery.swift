/// SQL about request IDs.
enum RequestQuery {
  static let find = Query("SELECT kind, subject FROM requests WHERE account_id = ?1 AND request_id = ?2")
  static let insert = Query(
    """
    INSERT INTO requests (account_id, request_id, kind, subject) VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT (account_id, request_id) DO UPDATE SET kind = excluded.kind, subject = excluded.subject RETURNING id
    """)
  static let forget = Query("DELETE FROM requests WHERE id <= ?1")

  static let queries = [find, insert, forget]
}

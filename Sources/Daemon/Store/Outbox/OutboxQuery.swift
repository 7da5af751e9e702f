/// SQL about the outbox.
enum OutboxQuery {
  private static let wanted =
    """
    SELECT sequence, request, account_id, operation, truth, wanted, asked, failure, kept, post_id, former_body,
      wanted_body, sent_body, login
    FROM outbox
    """

  static let ofPost = Query("\(wanted) WHERE post_id = ?1")
  static let ofAccount = Query("\(wanted) WHERE account_id = ?1 ORDER BY sequence")
  static let count = Query("SELECT count(*) FROM outbox WHERE account_id = ?1")
  static let waiting = Query(
    """
    SELECT sequence, post_id FROM outbox
    WHERE source_id = ?1 AND sequence > ?2 AND asked IS NULL AND failure IS NULL ORDER BY sequence LIMIT ?3
    """)
  static let asked = Query("\(wanted) WHERE source_id = ?1 AND asked IS NOT NULL ORDER BY sequence")
  static let post = Query("SELECT post_id FROM outbox WHERE request = ?1")
  static let insert = Query(
    "INSERT INTO outbox VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)")
  static let delete = Query("DELETE FROM outbox WHERE post_id = ?1")
  static let move = Query("UPDATE OR IGNORE outbox SET post_id = ?2 WHERE post_id = ?1 AND account_id = ?3")
  static let number = Query("SELECT last FROM outbox_numbers WHERE id = 1")
  static let saveNumber = Query("UPDATE outbox_numbers SET last = ?1 WHERE id = 1")
  static let upstreamPost = Query(
    "SELECT source_id, native_id, body, reply_key, reply_to, owner_id, created_at, server_id FROM posts WHERE id = ?1")

  static let aliases = Query(
    """
    SELECT alias FROM aliases WHERE post_id = ?1 AND source_id = ?2 AND length(CAST(alias AS BLOB)) <= ?3
    ORDER BY length(alias), alias LIMIT ?4
    """)

  static let queries = [
    ofPost, ofAccount, count, waiting, asked, post, insert, delete, move, number, saveNumber, upstreamPost, aliases,
  ]
}

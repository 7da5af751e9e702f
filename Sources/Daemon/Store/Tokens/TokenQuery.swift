/// SQL about tokens.
enum TokenQuery {
  static let byNumber = Query("SELECT id, account_id, name, scopes, created_at FROM tokens WHERE id = ?1")
  static let ofAccount = Query(
    "SELECT id, account_id, name, scopes, created_at FROM tokens WHERE account_id = ?1 ORDER BY id")
  static let insert = Query(
    """
    INSERT INTO tokens (account_id, name, scopes, hash, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
    RETURNING id, account_id, name, scopes, created_at
    """)
  static let delete = Query("DELETE FROM tokens WHERE id = ?1")

  /// All tokens. Read once when the daemon starts, so not kept prepared.
  static let hashes = "SELECT id, account_id, name, scopes, created_at, hash FROM tokens ORDER BY id"

  static let queries = [byNumber, ofAccount, insert, delete]
}

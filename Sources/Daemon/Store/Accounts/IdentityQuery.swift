/// SQL about identities: which accounts have claimed which authors.
enum IdentityQuery {
  static let claim = Query("INSERT OR IGNORE INTO identities VALUES (?1, ?2)")
  static let ofAccount = Query("SELECT author_id FROM identities WHERE account_id = ?1 ORDER BY author_id")
  static let everyIdentity = Query(
    """
    SELECT i.account_id, i.author_id, a.source_id, CASE s.name WHEN ?1 THEN a.native_id ELSE a.handle END
    FROM identities i CROSS JOIN authors a ON a.id = i.author_id CROSS JOIN sources s ON s.id = a.source_id
    WHERE i.account_id > 0
    """)
  static let sources = Query(
    "SELECT a.source_id FROM identities i CROSS JOIN authors a ON a.id = i.author_id WHERE i.account_id = ?1")
  static let authorInSource = Query(
    """
    SELECT i.author_id FROM identities i CROSS JOIN authors a ON a.id = i.author_id
    WHERE i.account_id = ?1 AND a.source_id = ?2 ORDER BY i.author_id LIMIT 1
    """)

  static let queries = [claim, ofAccount, everyIdentity, sources, authorInSource]
}

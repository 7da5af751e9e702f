/// SQL about accounts.
enum AccountQuery {
  /// The columns that ``Account/init(row:)`` reads, from `accounts` under a name.
  static func columns(_ c: String) -> String {
    "\(c).id, \(c).uid, \(c).name, \(c).post_limit, \(c).display_name, \(c).about"
  }

  static let byUID = Query("SELECT \(columns("accounts")) FROM accounts WHERE uid = ?1")
  static let byName = Query("SELECT \(columns("accounts")) FROM accounts WHERE name = ?1")
  static let byAuthor = Query(
    """
    SELECT \(columns("c")) FROM authors a CROSS JOIN sources s ON s.id = a.source_id AND s.name = ?2
    CROSS JOIN accounts c ON c.name = a.native_id WHERE a.id = ?1
    """)
  static let byNumber = Query("SELECT \(columns("accounts")) FROM accounts WHERE id = ?1")
  static let everyAccount = Query("SELECT \(columns("accounts")) FROM accounts WHERE id > 0 ORDER BY id")
  static let count = Query("SELECT count(*) FROM accounts WHERE id > 0")
  static let insert = Query("INSERT INTO accounts (uid, name) VALUES (?1, ?2) RETURNING id")
  static let setPostLimit = Query("UPDATE accounts SET post_limit = ?2 WHERE id = ?1")
  static let setProfile = Query("UPDATE accounts SET display_name = ?2, about = ?3 WHERE id = ?1")

  static let queries = [byUID, byName, byAuthor, byNumber, everyAccount, count, insert, setPostLimit, setProfile]
}

/// SQL about the lists that accounts make.
enum MadeListQuery {
  private static let made = """
    SELECT l.id, l.name, (SELECT count(*) FROM list_authors f WHERE f.list_id = l.id),
      coalesce((SELECT entries FROM tallies t WHERE t.list_id = l.id), 0)
    FROM lists l
    """

  static let byNumber = Query("\(made) WHERE l.id = ?1 AND l.kind = 5 AND l.account_id = ?2")
  static let ofAccount = Query("\(made) WHERE l.kind = 5 AND l.account_id = ?1")
  static let number = Query("SELECT id FROM lists WHERE id = ?1 AND kind = 5 AND account_id = ?2")
  static let count = Query("SELECT count(*) FROM lists WHERE kind = 5 AND account_id = ?1")
  static let byName = Query("SELECT 1 FROM lists WHERE kind = 5 AND account_id = ?1 AND name = ?2")
  static let rename = Query("UPDATE lists SET name = ?2 WHERE id = ?1")
  static let delete = Query("DELETE FROM lists WHERE id = ?1")
  static let deleteAuthors = Query("DELETE FROM list_authors WHERE list_id = ?1")
  static let name = Query("SELECT name FROM lists WHERE id = ?1")
  static let insertAgain = Query("INSERT INTO lists (id, kind, account_id, name) VALUES (?1, ?2, ?3, ?4)")

  static let queries = [byNumber, ofAccount, number, count, byName, rename, delete, deleteAuthors, name, insertAgain]
}

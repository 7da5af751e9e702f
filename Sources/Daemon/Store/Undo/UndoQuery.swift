/// SQL about undo entries.
enum UndoQuery {
  private static let columns = "id, kind, is_on, subject, object, before, after"

  static let state = Query(
    "SELECT coalesce(max(id), 0), coalesce(max(state = 1), 0) FROM undo_entries WHERE account_id = ?1")
  static let insert = Query("INSERT INTO undo_entries VALUES (?1, ?2, 0, ?3, ?4, ?5, ?6, ?7, ?8)")
  static let lastDone = Query(
    "SELECT \(columns) FROM undo_entries WHERE account_id = ?1 AND state = 0 ORDER BY id DESC LIMIT 1")
  static let firstUndone = Query(
    "SELECT \(columns) FROM undo_entries WHERE account_id = ?1 AND state = 1 ORDER BY id LIMIT 1")
  static let byNumber = Query("SELECT \(columns) FROM undo_entries WHERE account_id = ?1 AND id = ?2")
  static let setState = Query("UPDATE undo_entries SET state = ?3 WHERE account_id = ?1 AND id = ?2")
  static let count = Query("SELECT count(*) FROM undo_entries WHERE account_id = ?1 AND state = ?2")
  static let forgetUndone = Query("DELETE FROM undo_entries WHERE account_id = ?1 AND state <> 0")
  static let forget = Query("DELETE FROM undo_entries WHERE account_id = ?1 AND id <= ?2")
  static let forgetDeletedPosts = Query(
    """
    DELETE FROM deleted_posts WHERE account_id = ?1
      AND NOT EXISTS (SELECT 1 FROM undo_entries s
        WHERE s.account_id = deleted_posts.account_id AND s.id = deleted_posts.undo_entry)
    """)

  static let queries = [
    state, insert, lastDone, firstUndone, byNumber, setState, count, forgetUndone, forget, forgetDeletedPosts,
  ]
}

/// SQL about drafts.
enum DraftQuery {
  static let byNumber = Query(
    "SELECT id, kind, post_id, text, updated_at, warning, language FROM drafts WHERE id = ?1 AND account_id = ?2")
  static let byRequest = Query("SELECT id FROM drafts WHERE account_id = ?1 AND request_id = ?2")
  static let ofAccount = Query(
    "SELECT id, kind, post_id, text, updated_at, warning, language FROM drafts WHERE account_id = ?1")
  static let insert = Query(
    """
    INSERT INTO drafts (account_id, kind, post_id, text, updated_at, request_id, warning, language)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    RETURNING id
    """)
  static let update = Query(
    "UPDATE drafts SET text = ?2, updated_at = ?3, kind = (kind & 3) | ?4, warning = ?5, language = ?6 WHERE id = ?1")
  static let delete = Query("DELETE FROM drafts WHERE id = ?1 AND account_id = ?2")

  static let queries = [byNumber, byRequest, ofAccount, insert, update, delete]
}

/// SQL about the entries of lists.
enum EntryQuery {
  /// The keys of the entries of author ?2, in list order.
  private static let keysOfAuthor = "SELECT p.created_at, p.id FROM posts p WHERE p.author_id = ?2 AND p.is_entry = 1"

  static let reason = Query("SELECT reason FROM entries WHERE list_id = ?1 AND created_at = ?2 AND post_id = ?3")
  static let own = Query(
    """
    SELECT l.id, l.kind, l.account_id
    FROM lists l CROSS JOIN entries e ON e.list_id = l.id AND e.created_at = ?1 AND e.post_id = ?2 WHERE l.kind IN (1, 2)
    """)
  /// The newest entries of a list by authors that account ?2 has not blocked.
  static let newest = Query(
    """
    SELECT e.created_at, e.post_id FROM entries e
    WHERE e.list_id = ?1 AND NOT EXISTS (
      SELECT 1 FROM posts p CROSS JOIN muted_authors b
        ON b.account_id = ?2 AND b.kind = \(AuthorMuteKind.blocked.rawValue) AND b.author_id = p.author_id
      WHERE p.id = e.post_id)
    ORDER BY e.created_at DESC, e.post_id DESC LIMIT ?3
    """)
  /// The audience groups of an author's posts that account ?2 belongs to, one for each post.
  static let groupsOfAuthor = Query(
    """
    SELECT p.audience FROM posts p
    WHERE p.author_id = ?1 AND p.is_entry = 1 AND p.audience < -1 AND \(PostSQL.visible("p", to: "?2"))
    """)
  static let insert = Query("INSERT INTO entries VALUES (?1, ?2, ?3, ?4)")
  static let update = Query("UPDATE entries SET reason = ?4 WHERE list_id = ?1 AND created_at = ?2 AND post_id = ?3")
  static let delete = Query("DELETE FROM entries WHERE list_id = ?1 AND created_at = ?2 AND post_id = ?3")
  static let deleteAll = Query("DELETE FROM entries WHERE list_id = ?1")
  /// Deletes the entries that follow from the posts themselves.
  static let deleteDerived = Query(
    "DELETE FROM entries WHERE list_id = ?1 AND reason & \(Reason.imported.rawValue) = 0")
  static let insertDerived = Query("INSERT INTO entries VALUES (?1, ?2, ?3, 0) ON CONFLICT DO NOTHING")
  static let fileAuthor = Query(
    """
    INSERT INTO entries
    SELECT ?1, a.created_at, a.id, ?3 FROM posts a
    WHERE a.author_id = ?2 AND a.is_entry = 1 AND \(PostSQL.visible("a", to: "?4"))
      AND NOT \(TwinQuery.isHidden(in: "?1", "a.id"))
    ON CONFLICT DO UPDATE SET reason = reason | excluded.reason WHERE reason & excluded.reason = 0
    """)
  static let unfileAuthor = Query(
    """
    UPDATE entries SET reason = reason & ~?3
    WHERE list_id = ?1 AND reason & ?3 <> 0 AND (created_at, post_id) IN (\(keysOfAuthor))
    """)
  static let deleteUnreasoned = Query(
    "DELETE FROM entries WHERE list_id = ?1 AND reason = 0 AND (created_at, post_id) IN (\(keysOfAuthor))")
  static let countOfAuthor = Query(
    """
    SELECT count(*) FROM posts p CROSS JOIN entries e ON e.list_id = ?1 AND e.created_at = p.created_at AND e.post_id = p.id
    WHERE p.author_id = ?2 AND p.is_entry = 1
    """)

  static let queries = [
    reason, own, newest, groupsOfAuthor, insert, update, delete, deleteAll, deleteDerived, insertDerived,
    fileAuthor, unfileAuthor, deleteUnreasoned, countOfAuthor,
  ]
}

/// SQL that reads posts.
enum PostQuery {
  static let byNumber = Query("\(PostSQL.shown) FROM posts p \(PostSQL.original) WHERE p.id = ?1")
  static let visible = Query(
    "\(PostSQL.shown) FROM posts p \(PostSQL.original) WHERE p.id = ?1 AND \(PostSQL.visible("p", to: "?2"))")
  static let ancestors = Query(
    """
    WITH RECURSIVE up (id) AS (
      SELECT ?1 UNION
      SELECT q.id FROM up JOIN posts p ON p.id = up.id JOIN posts q ON q.id = p.reply_to
      WHERE \(PostSQL.visible("q", to: "?2")) LIMIT ?3)
    \(PostSQL.shown) FROM up JOIN posts p ON p.id = up.id \(PostSQL.original)
    WHERE p.id <> ?1 AND \(PostSQL.visible("p", to: "?2"))
    """)
  static let descendants = Query(
    """
    WITH RECURSIVE down (id) AS (
      SELECT ?1 UNION
      SELECT p.id FROM down JOIN posts p ON p.reply_to = down.id
      WHERE \(PostSQL.visible("p", to: "?2")) LIMIT ?3)
    \(PostSQL.shown) FROM down JOIN posts p ON p.id = down.id \(PostSQL.original) WHERE \(PostSQL.visible("p", to: "?2"))
    """)
  static let name = Query(
    "SELECT s.name, p.native_id FROM posts p JOIN sources s ON s.id = p.source_id WHERE p.id = ?1")
  static let isEntry = Query("SELECT is_entry FROM posts WHERE id = ?1")
  static let reposts = Query("SELECT id, visibility, owner_id, audience, is_entry FROM posts WHERE repost_of = ?1")
  static let author = Query("SELECT author_id FROM posts WHERE id = ?1")
  static let isByAuthorOfHere = Query(
    """
    SELECT 1 FROM posts p JOIN authors a ON a.id = p.author_id JOIN sources s ON s.id = a.source_id
    WHERE p.id = ?1 AND s.name = ?2
    """)
  static let byReference = Query(
    """
    SELECT p.id FROM posts p JOIN sources s ON s.id = p.source_id
    WHERE s.name = ?1 AND p.native_id = ?2 AND \(PostSQL.visible("p", to: "?3")) ORDER BY p.scope DESC LIMIT 1
    """)
  static let byAlias = Query(
    """
    SELECT p.id FROM sources s JOIN aliases a ON a.source_id = s.id JOIN posts p ON p.id = a.post_id
    WHERE s.name = ?1 AND a.alias = ?2 AND \(PostSQL.visible("p", to: "?3")) ORDER BY a.post_id LIMIT 1
    """)

  static let queries = [
    byNumber, visible, ancestors, descendants, name, isEntry, reposts, author, isByAuthorOfHere, byReference, byAlias,
  ]
}

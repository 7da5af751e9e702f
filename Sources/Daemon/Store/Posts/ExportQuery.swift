/// SQL that exports.
enum ExportQuery {
  private static let exported = """
    SELECT p.id, s.name, p.native_id, p.created_at, p.reply_key, p.body, p.repost_of,
      a.native_id, a.handle, a.display_name, a.avatar_url, n.json, p.owner_id, p.marks
    FROM posts p CROSS JOIN sources s ON s.id = p.source_id CROSS JOIN authors a ON a.id = p.author_id
      LEFT JOIN natives n ON n.post_id = p.id
    """

  static let page = Query(
    """
    \(exported) WHERE p.is_entry = 1 AND (p.created_at, p.id) > (?1, ?2) AND \(PostSQL.visible("p", to: "?3"))
      AND (?4 = 0 OR p.audience = 0)
      AND NOT EXISTS (SELECT 1 FROM outbox b WHERE b.post_id = p.id AND b.account_id = p.owner_id AND b.operation = 1)
    ORDER BY p.created_at, p.id LIMIT ?5
    """)
  static let post = Query("\(exported) WHERE p.id = ?1")
  static let aliases = Query("SELECT alias FROM aliases WHERE post_id = ?1 ORDER BY source_id, alias")

  static let queries = [page, post, aliases]
}

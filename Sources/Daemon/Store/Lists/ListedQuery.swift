/// SQL about posts as lists see them.
enum ListedQuery {
  /// Columns of a ``ListedPost``: the post `p` and its parent `q`.
  private static let listed = """
    SELECT p.id, p.created_at, p.author_id, p.owner_id, p.audience, p.is_entry, p.source_id, p.body, q.author_id,
      p.server_id
    """
  private static let answered = "LEFT JOIN posts q ON q.id = p.reply_to"
  /// All entries. Used by the integrity check only, so not kept prepared.
  static let everyEntry = "\(listed) FROM posts p \(answered) WHERE p.is_entry = 1"

  static let byNumber = Query("\(listed) FROM posts p \(answered) WHERE p.id = ?1")
  static let replies = Query("\(listed) FROM posts p \(answered) WHERE p.reply_to = ?1")
  static let forAudience = Query(
    """
    \(listed) FROM author_tallies t
    CROSS JOIN posts p ON p.author_id = t.author_id AND p.is_entry = 1 AND p.audience = t.audience \(answered)
    WHERE t.audience = ?1
    """)
  static let fromSource = Query(
    """
    \(listed) FROM posts p \(answered)
    WHERE p.source_id = ?1 AND p.is_entry = 1 AND \(PostSQL.visible("p", to: "?2"))
    """)

  static let queries = [byNumber, replies, forAudience, fromSource]
}

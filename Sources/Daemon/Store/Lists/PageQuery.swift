/// SQL that reads pages.
enum PageQuery {
  static let ofList = Query(
    """
    \(PostSQL.shown) FROM entries e CROSS JOIN posts p ON p.id = e.post_id \(PostSQL.original)
    WHERE e.list_id = ?1 AND (e.created_at, e.post_id) < (?3, ?4) AND \(PostSQL.visible("p", to: "?2"))
    ORDER BY e.created_at DESC, e.post_id DESC LIMIT ?5
    """)
  static let ofAuthor = Query(
    """
    \(PostSQL.shown) FROM posts p \(PostSQL.original)
    WHERE p.author_id = ?1 AND p.is_entry = 1 AND (p.created_at, p.id) < (?3, ?4) AND \(PostSQL.visible("p", to: "?2"))
    ORDER BY p.created_at DESC, p.id DESC LIMIT ?5
    """)

  static let queries = [ofList, ofAuthor]
}

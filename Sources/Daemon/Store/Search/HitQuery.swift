/// SQL that searches.
enum HitQuery {
  /// The hits of a search. ?1 is the MATCH expression, ?2 the account, ?3 and ?4 the least and the greatest key. In
  /// list order, hits are before (?5, ?6) and not before (?7, ?8).
  private static let found = """
    FROM search CROSS JOIN search_posts k ON k.key = search.rowid CROSS JOIN posts p ON p.id = k.post_id
    """
  private static let isHit = """
    search MATCH ?1 AND search.rowid BETWEEN ?3 AND ?4 AND (p.created_at, p.id) < (?5, ?6) AND (p.created_at, p.id) >= (?7, ?8)
      AND \(PostSQL.visible("p", to: "?2"))
    """

  static let hasOverflow = Query("SELECT EXISTS (SELECT 1 FROM search_posts WHERE key >= ?1)")
  static let hits = Query(
    "\(PostSQL.shown) \(found) \(PostSQL.original) WHERE \(isHit) ORDER BY search.rowid DESC")
  static let overflow = Query(
    "\(PostSQL.shown) \(found) \(PostSQL.original) WHERE \(isHit) ORDER BY p.created_at DESC, p.id DESC LIMIT ?9")
  static let count = Query("SELECT 1 \(found) WHERE \(isHit) LIMIT ?9")
  static let countWhole = Query("SELECT 1 FROM search WHERE search MATCH ?1 AND rowid BETWEEN ?2 AND ?3 LIMIT ?4")
  static let authors = Query("SELECT id FROM authors WHERE handle = ?1 COLLATE NOCASE LIMIT ?2")

  static let queries = [hasOverflow, hits, overflow, count, countWhole, authors]
}

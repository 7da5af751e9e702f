extension Query {
  /// The hits of a search: ?1 is for MATCH, ?2 who looks, ?3 and ?4 the least and the greatest key; by their place in
  /// lists they are before (?5, ?6) and not before (?7, ?8) (``PreparedSearch/bind(_:keys:)``).
  private static let hits = """
    FROM search CROSS JOIN search_posts k ON k.key = search.rowid CROSS JOIN posts p ON p.id = k.post_id
    """
  private static let isHit = """
    search MATCH ?1 AND search.rowid BETWEEN ?3 AND ?4 AND (p.created_at, p.id) < (?5, ?6) AND (p.created_at, p.id) >= (?7, ?8)
      AND \(visible("p", to: "?2"))
    """

  /// Its text, if it is about searching.
  var searchSQL: String? {
    switch self {
    case .searchedPost: "\(Self.searched) WHERE id = ?1 AND repost_of IS NULL AND audience <> -1"
    case .searchKey:
      """
      SELECT key FROM search_posts WHERE key BETWEEN ?1 AND ?2 AND post_id = ?3
      UNION ALL SELECT key FROM search_posts WHERE key = ?4 AND post_id = ?3
      """
    case .lastSearchKey: "SELECT max(key) FROM search_posts WHERE key BETWEEN ?1 AND ?2"
    case .insertSearchKey: "INSERT INTO search_posts VALUES (?1, ?2)"
    case .deleteSearchKey: "DELETE FROM search_posts WHERE key = ?1"
    case .insertSearched: "INSERT INTO search (rowid, words) VALUES (?1, ?2)"
    case .deleteSearched: "INSERT INTO search (search, rowid, words) VALUES ('delete', ?1, ?2)"
    case .mergeSearch: "INSERT INTO search (search, rank) VALUES ('merge', ?1)"
    case .hasOverflow: "SELECT EXISTS (SELECT 1 FROM search_posts WHERE key >= ?1)"
    case .searchHits: "\(Self.shown) \(Self.hits) \(Self.original) WHERE \(Self.isHit) ORDER BY search.rowid DESC"
    case .searchOverflow:
      "\(Self.shown) \(Self.hits) \(Self.original) WHERE \(Self.isHit) ORDER BY p.created_at DESC, p.id DESC LIMIT ?9"
    case .searchCount: "SELECT 1 \(Self.hits) WHERE \(Self.isHit) LIMIT ?9"
    case .searchCountWhole: "SELECT 1 FROM search WHERE search MATCH ?1 AND rowid BETWEEN ?2 AND ?3 LIMIT ?4"
    case .authorsCalled: "SELECT id FROM authors WHERE handle = ?1 COLLATE NOCASE LIMIT ?2"
    case .audiencesOf: "SELECT audience FROM members WHERE account_id = ?1"
    default: nil
    }
  }

  /// What a ``SearchedPost`` is made of.
  static let searched = "SELECT created_at, author_id, audience, body FROM posts"
}

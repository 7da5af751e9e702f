/// SQL about gaps.
enum GapQuery {
  static let ofAccount = Query(
    """
    SELECT g.id, s.name, g.newer_at, g.older_at, g.missing, g.lost, g.login
    FROM gaps g CROSS JOIN sources s ON s.id = g.source_id
    WHERE g.account_id = ?1 ORDER BY g.newer_at DESC
    """)
  static let insert = Query("INSERT INTO gaps VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")
  static let delete = Query("DELETE FROM gaps WHERE id = ?1")

  static let queries = [ofAccount, insert, delete]
}

extension Query {
  /// Its text, if it is about gaps.
  var gapSQL: String? {
    switch self {
    case .gaps:
      """
      SELECT g.id, s.name, g.newer_at, g.older_at, g.missing FROM gaps g CROSS JOIN sources s ON s.id = g.source_id
      WHERE g.account_id = ?1 ORDER BY g.newer_at DESC
      """
    case .insertGap: "INSERT INTO gaps VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
    case .deleteGap: "DELETE FROM gaps WHERE id = ?1"
    default: nil
    }
  }
}

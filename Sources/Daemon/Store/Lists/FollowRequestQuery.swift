/// SQL about requests to follow.
enum FollowRequestQuery {
  static let toLeader = Query(
    """
    SELECT r.id, r.created_at, c.name, a.id, a.handle, a.display_name, a.avatar_url FROM follow_requests r
    CROSS JOIN accounts c ON c.id = r.account_id CROSS JOIN sources s ON s.name = ?2
    CROSS JOIN authors a ON a.source_id = s.id AND a.native_id = c.name WHERE r.leader_id = ?1
    """)
  static let isOpen = Query("SELECT 1 FROM follow_requests WHERE leader_id = ?1 AND account_id = ?2")
  static let countFrom = Query("SELECT count(*) FROM follow_requests WHERE account_id = ?1")
  static let insert = Query("INSERT INTO follow_requests VALUES (?1, ?2, ?3, ?4)")
  static let delete = Query("DELETE FROM follow_requests WHERE leader_id = ?1 AND account_id = ?2")

  static let queries = [toLeader, isOpen, countFrom, insert, delete]
}

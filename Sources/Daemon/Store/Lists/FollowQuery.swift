/// SQL about follows.
enum FollowQuery {
  static let followers = Query(
    """
    SELECT \(AccountQuery.columns("c")) FROM list_authors f
    CROSS JOIN lists l ON l.id = f.list_id AND l.kind = 1 CROSS JOIN accounts c ON c.id = l.account_id
    WHERE f.author_id = ?1
    """)
  static let followerCount = Query(
    "SELECT count(*) FROM list_authors f CROSS JOIN lists l ON l.id = f.list_id AND l.kind = 1 WHERE f.author_id = ?1")
  static let isFollowed = Query(
    """
    SELECT 1 FROM lists l CROSS JOIN list_authors f ON f.list_id = l.id AND f.author_id = ?2
    WHERE l.kind = 1 AND l.account_id = ?1
    """)

  static let queries = [followers, followerCount, isFollowed]
}

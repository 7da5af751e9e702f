/// SQL about replies and their parents.
enum ReplyQuery {
  static let target = Query(
    """
    SELECT coalesce(p.repost_of, p.id) FROM posts p
    WHERE p.source_id = ?1 AND p.native_id = ?2 AND \(PostSQL.visible("p", to: "?3")) ORDER BY p.scope DESC LIMIT 1
    """)
  static let targetByAlias = Query(
    """
    SELECT coalesce(p.repost_of, p.id) FROM aliases a JOIN posts p ON p.id = a.post_id
    WHERE a.source_id = ?1 AND a.alias = ?2 AND \(PostSQL.visible("p", to: "?3")) ORDER BY a.post_id LIMIT 1
    """)
  static let hasAliases = Query("SELECT EXISTS (SELECT 1 FROM aliases WHERE source_id = ?1)")
  static let waiting = Query(
    """
    SELECT p.id FROM posts p
    WHERE p.source_id = ?1 AND p.reply_key = ?2 AND p.reply_to IS NULL AND p.reply_key IS NOT NULL
      AND EXISTS (SELECT 1 FROM members m WHERE m.account_id = p.owner_id AND m.audience = ?3)
    """)
  static let hasWaiting = Query(
    "SELECT EXISTS (SELECT 1 FROM posts WHERE source_id = ?1 AND reply_to IS NULL AND reply_key IS NOT NULL)")
  static let parent = Query("SELECT reply_to FROM posts WHERE id = ?1 AND source_id = ?2 AND reply_to IS NOT NULL")
  static let replyCount = Query("SELECT count(*) FROM posts WHERE reply_to = ?1 AND source_id = ?2 AND audience = 0")

  static let queries = [target, targetByAlias, hasAliases, waiting, hasWaiting, parent, replyCount]
}

extension Query {
  private static let exported = """
    SELECT p.id, s.name, p.native_id, p.created_at, p.reply_key, p.body, p.repost_of,
      a.native_id, a.handle, a.display_name, a.avatar_url, n.json, p.owner_id, p.marks
    FROM posts p CROSS JOIN sources s ON s.id = p.source_id CROSS JOIN authors a ON a.id = p.author_id
      LEFT JOIN natives n ON n.post_id = p.id
    """

  /// Its text, if it is about posts.
  var postSQL: String? {
    switch self {
    case .findPost:
      """
      SELECT id, scope, owner_id, author_id, created_at, audience, is_entry, repost_of, reply_to, reply_key, body, visibility, marks
      FROM posts WHERE source_id = ?1 AND native_id = ?2 ORDER BY scope DESC
      """
    case .insertPost:
      """
      INSERT INTO posts (id, source_id, native_id, scope, owner_id, author_id, created_at, visibility, audience, is_entry,
        repost_of, reply_to, reply_key, body)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
      """
    case .updatePost:
      """
      UPDATE posts SET author_id = ?2, created_at = ?3, visibility = ?4, audience = ?5, is_entry = ?6, repost_of = ?7,
        reply_to = ?8, reply_key = ?9, body = ?10
      WHERE id = ?1
      """
    case .updateAudience: "UPDATE posts SET audience = ?2 WHERE id = ?1"
    case .updateReply: "UPDATE posts SET reply_to = ?2 WHERE id = ?1"
    case .updateBody: "UPDATE posts SET body = ?2 WHERE id = ?1"
    case .answeredBy: "SELECT reply_to FROM posts WHERE id = ?1 AND source_id = ?2 AND reply_to IS NOT NULL"
    case .answerCount: "SELECT count(*) FROM posts WHERE reply_to = ?1 AND source_id = ?2 AND audience = 0"
    case .makeEntry: "UPDATE posts SET is_entry = 1 WHERE id = ?1"
    case .updateMarks: "UPDATE posts SET marks = ?2 WHERE id = ?1"
    case .disconnectReplies: "UPDATE posts SET reply_to = NULL WHERE reply_to = ?1"
    case .deletePost: "DELETE FROM posts WHERE id = ?1"
    case .findTarget:
      """
      SELECT coalesce(p.repost_of, p.id) FROM posts p
      WHERE p.source_id = ?1 AND p.native_id = ?2 AND \(Self.visible("p", to: "?3")) ORDER BY p.scope DESC LIMIT 1
      """
    case .findTargetByAlias:
      """
      SELECT coalesce(p.repost_of, p.id) FROM aliases a JOIN posts p ON p.id = a.post_id
      WHERE a.source_id = ?1 AND a.alias = ?2 AND \(Self.visible("p", to: "?3")) ORDER BY a.post_id LIMIT 1
      """
    case .waitingReplies:
      """
      SELECT p.id FROM posts p
      WHERE p.source_id = ?1 AND p.reply_key = ?2 AND p.reply_to IS NULL AND p.reply_key IS NOT NULL
        AND EXISTS (SELECT 1 FROM members m WHERE m.account_id = p.owner_id AND m.audience = ?3)
      """
    case .hasAliases: "SELECT EXISTS (SELECT 1 FROM aliases WHERE source_id = ?1)"
    case .hasWaiting:
      "SELECT EXISTS (SELECT 1 FROM posts WHERE source_id = ?1 AND reply_to IS NULL AND reply_key IS NOT NULL)"
    case .nameOf: "SELECT s.name, p.native_id FROM posts p JOIN sources s ON s.id = p.source_id WHERE p.id = ?1"
    case .isEntry: "SELECT is_entry FROM posts WHERE id = ?1"
    case .repostsOf: "SELECT id, visibility, owner_id, audience, is_entry FROM posts WHERE repost_of = ?1"
    case .authorOf: "SELECT author_id FROM posts WHERE id = ?1"
    case .insertNative: "INSERT INTO natives VALUES (?1, ?2) ON CONFLICT (post_id) DO UPDATE SET json = excluded.json"
    case .insertAlias: "INSERT OR IGNORE INTO aliases VALUES (?1, ?2, ?3)"
    case .deleteNative: "DELETE FROM natives WHERE post_id = ?1"
    case .deleteAliases: "DELETE FROM aliases WHERE post_id = ?1"
    case .findRequest: "SELECT post_id FROM requests WHERE account_id = ?1 AND request_id = ?2"
    case .insertRequest:
      """
      INSERT INTO requests (account_id, request_id, post_id) VALUES (?1, ?2, ?3)
      ON CONFLICT (account_id, request_id) DO UPDATE SET post_id = excluded.post_id RETURNING id
      """
    case .forgetRequests: "DELETE FROM requests WHERE id <= ?1"

    case .post: "\(Self.shown) FROM posts p \(Self.original) WHERE p.id = ?1"
    case .visiblePost: "\(Self.shown) FROM posts p \(Self.original) WHERE p.id = ?1 AND \(Self.visible("p", to: "?2"))"
    case .ancestors:
      """
      WITH RECURSIVE up (id) AS (
        SELECT ?1 UNION
        SELECT q.id FROM up JOIN posts p ON p.id = up.id JOIN posts q ON q.id = p.reply_to
        WHERE \(Self.visible("q", to: "?2")) LIMIT ?3)
      \(Self.shown) FROM up JOIN posts p ON p.id = up.id \(Self.original)
      WHERE p.id <> ?1 AND \(Self.visible("p", to: "?2"))
      """
    case .descendants:
      """
      WITH RECURSIVE down (id) AS (
        SELECT ?1 UNION
        SELECT p.id FROM down JOIN posts p ON p.reply_to = down.id
        WHERE \(Self.visible("p", to: "?2")) LIMIT ?3)
      \(Self.shown) FROM down JOIN posts p ON p.id = down.id \(Self.original) WHERE \(Self.visible("p", to: "?2"))
      """
    case .exportPage:
      """
      \(Self.exported) WHERE p.id > ?1 AND p.is_entry = 1 AND \(Self.visible("p", to: "?2"))
        AND (?3 = 0 OR p.audience = 0)
        AND NOT EXISTS (SELECT 1 FROM outbox b WHERE b.post_id = p.id AND b.account_id = p.owner_id AND b.errand = 1)
      ORDER BY p.id LIMIT ?4
      """
    case .exportPost: "\(Self.exported) WHERE p.id = ?1"
    case .aliasesOf: "SELECT alias FROM aliases WHERE post_id = ?1 ORDER BY source_id, alias"
    case .findReference:
      """
      SELECT p.id FROM posts p JOIN sources s ON s.id = p.source_id
      WHERE s.name = ?1 AND p.native_id = ?2 AND \(Self.visible("p", to: "?3")) ORDER BY p.scope DESC LIMIT 1
      """
    case .findReferenceByAlias:
      """
      SELECT p.id FROM sources s JOIN aliases a ON a.source_id = s.id JOIN posts p ON p.id = a.post_id
      WHERE s.name = ?1 AND a.alias = ?2 AND \(Self.visible("p", to: "?3")) ORDER BY a.post_id LIMIT 1
      """
    default: nil
    }
  }
}

extension Query {
  private static let wanted =
    "SELECT sequence, request, account_id, errand, truth, wanted, asked, failure, kept, post_id FROM outbox"

  /// Its text, if it is about what is wanted of sources elsewhere.
  var outboxSQL: String? {
    switch self {
    case .outboxOfPost: "\(Self.wanted) WHERE post_id = ?1"
    case .outboxOfAccount: "\(Self.wanted) WHERE account_id = ?1 ORDER BY sequence"
    case .outboxCount: "SELECT count(*) FROM outbox WHERE account_id = ?1"
    case .outboxWaiting:
      """
      SELECT sequence, post_id FROM outbox
      WHERE source_id = ?1 AND sequence > ?2 AND asked IS NULL AND failure IS NULL ORDER BY sequence LIMIT ?3
      """
    case .outboxAsked:
      "\(Self.wanted) WHERE source_id = ?1 AND asked IS NOT NULL ORDER BY sequence"
    case .outboxPost: "SELECT post_id FROM outbox WHERE request = ?1"
    case .insertOutbox: "INSERT INTO outbox VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
    case .deleteOutbox: "DELETE FROM outbox WHERE post_id = ?1"
    case .outboxNumber: "SELECT last FROM outbox_numbers WHERE id = 1"
    case .saveOutboxNumber: "UPDATE outbox_numbers SET last = ?1 WHERE id = 1"
    case .adoptPost: "UPDATE posts SET native_id = ?2, scope = ?3, body = ?4 WHERE id = ?1"
    case .moveRepost: "UPDATE posts SET source_id = ?2, native_id = ?3 WHERE id = ?1"
    case .adoptReplies:
      "UPDATE posts SET reply_key = CASE source_id WHEN ?2 THEN ?3 ELSE ?4 END WHERE reply_to = ?1 AND reply_key IS NOT NULL"
    case .ownAuthorIn:
      """
      SELECT i.author_id FROM identities i CROSS JOIN authors a ON a.id = i.author_id
      WHERE i.account_id = ?1 AND a.source_id = ?2 ORDER BY i.author_id LIMIT 1
      """
    case .toldPost: "SELECT source_id, native_id, body, reply_key, reply_to, owner_id FROM posts WHERE id = ?1"
    default: nil
    }
  }
}

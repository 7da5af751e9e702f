/// SQL fragments shared by features.
enum PostSQL {
  /// True if the account in parameter `account` may see the row of `table`; part of every query that reads posts for an
  /// account.
  static func visible(_ table: String, to account: String) -> String {
    "EXISTS (SELECT 1 FROM members m WHERE m.account_id = \(account) AND m.audience = \(table).audience)"
  }

  /// Columns of a ``StoredPost``: the entry `p` and, for a repost, its original `o`.
  static let shown = """
    SELECT p.id, p.created_at, p.author_id, p.owner_id, p.audience, p.repost_of, p.reply_to, p.body,
      o.author_id, o.reply_to, o.body, coalesce(o.marks, p.marks), o.created_at
    """
  static let original = "LEFT JOIN posts o ON o.id = p.repost_of"
}

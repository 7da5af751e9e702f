/// Pieces of SQL that features share.
enum PostSQL {
  /// Whether the account that is parameter `account` may see the post `table`: the one thing that every query asks.
  static func visible(_ table: String, to account: String) -> String {
    "EXISTS (SELECT 1 FROM members m WHERE m.account_id = \(account) AND m.audience = \(table).audience)"
  }

  /// What a ``StoredPost`` is made of: the entry `p` and, where it is a repost, its original `o`.
  static let shown = """
    SELECT p.id, p.created_at, p.author_id, p.owner_id, p.audience, p.repost_of, p.reply_to, p.body,
      o.author_id, o.reply_to, o.body, coalesce(o.marks, p.marks)
    """
  static let original = "LEFT JOIN posts o ON o.id = p.repost_of"
}

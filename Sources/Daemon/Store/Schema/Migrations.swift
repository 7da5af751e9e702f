extension Schema {
  /// The migrations of version 14 and later ones.
  static let migrationsFrom14 = [messagesWithoutBlocked, follows]

  /// To 15: the messages of accounts that have blocked authors no longer have what these wrote (``MessageFiling``). The
  /// tables are the same.
  private static let messagesWithoutBlocked = Migration(
    """
    CREATE TEMP TABLE renewed AS
      SELECT l.id AS list, l.account_id AS account FROM lists l
      WHERE l.kind = 3 AND l.account_id IN (SELECT account_id FROM muted_authors WHERE kind = 2);
    DELETE FROM entries WHERE list_id IN (SELECT list FROM renewed);
    INSERT INTO entries SELECT r.list, e.created_at, e.post_id, 0
      FROM renewed r JOIN members m ON m.account_id = r.account
      JOIN lists c ON c.kind = 4 AND c.audience_group = -1 - m.audience JOIN entries e ON e.list_id = c.id
      WHERE e.post_id = (
        SELECT n.post_id FROM entries n JOIN posts p ON p.id = n.post_id WHERE n.list_id = c.id AND NOT EXISTS (
          SELECT 1 FROM muted_authors b WHERE b.account_id = r.account AND b.kind = 2 AND b.author_id = p.author_id)
        ORDER BY n.created_at DESC, n.post_id DESC LIMIT 1);
    UPDATE tallies SET entries = (SELECT count(*) FROM entries e WHERE e.list_id = tallies.list_id)
      WHERE list_id IN (SELECT list FROM renewed);
    DROP TABLE renewed;
    """)
}

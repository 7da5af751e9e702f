/// SQL about posts that undo entries deleted.
enum DeletedPostQuery {
  static let insert = Query(
    """
    INSERT INTO deleted_posts
    SELECT ?2, ?3, p.id, p.source_id, p.native_id, p.scope, p.owner_id, p.author_id, p.created_at, p.visibility,
      p.audience, p.is_entry, p.repost_of, p.reply_to, p.reply_key, p.body, p.marks, n.json,
      (SELECT json_group_array(alias) FROM aliases a WHERE a.post_id = p.id),
      (SELECT json_group_array(l.account_id) FROM lists l JOIN entries e
         ON e.list_id = l.id AND e.created_at = p.created_at AND e.post_id = p.id AND e.reason & 4
       WHERE l.kind = 1),
      p.server_id,
      (SELECT json_group_array(l.account_id) FROM lists l JOIN entries e
         ON e.list_id = l.id AND e.created_at = p.created_at AND e.post_id = p.id AND e.reason & 4
       WHERE l.kind = 2)
    FROM posts p LEFT JOIN natives n ON n.post_id = p.id WHERE p.id = ?1
    """)
  static let ofEntry = Query(
    """
    SELECT id, source_id, native_id, scope, owner_id, author_id, created_at, visibility, audience, is_entry, repost_of,
      reply_to, reply_key, body, marks, coalesce(json, x''), server_id
    FROM deleted_posts WHERE account_id = ?1 AND undo_entry = ?2 ORDER BY id
    """)
  static let aliases = Query(
    """
    SELECT j.value FROM deleted_posts t, json_each(t.aliases) j
    WHERE t.account_id = ?1 AND t.undo_entry = ?2 AND t.id = ?3
    """)
  static let importers = Query(
    """
    SELECT j.value, 1 FROM deleted_posts t, json_each(t.importers) j
    WHERE t.account_id = ?1 AND t.undo_entry = ?2 AND t.id = ?3
    UNION ALL SELECT j.value, 2 FROM deleted_posts t, json_each(t.mentioned) j
    WHERE t.account_id = ?1 AND t.undo_entry = ?2 AND t.id = ?3
    """)
  static let isOwn = Query("SELECT 1 FROM deleted_posts WHERE account_id = ?1 AND id = ?2 AND owner_id = ?1")
  static let delete = Query("DELETE FROM deleted_posts WHERE account_id = ?1 AND undo_entry = ?2")
  static let isNameTaken = Query(
    "SELECT EXISTS (SELECT 1 FROM posts WHERE source_id = ?1 AND native_id = ?2 AND scope = ?3)")

  static let queries = [insert, ofEntry, aliases, importers, isOwn, delete, isNameTaken]
}

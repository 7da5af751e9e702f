/// SQL that writes posts.
enum PostRowQuery {
  static let find = Query(
    """
    SELECT id, scope, owner_id, author_id, created_at, audience, is_entry, repost_of, reply_to, reply_key, body, visibility,
      marks, server_id
    FROM posts WHERE source_id = ?1 AND native_id = ?2 ORDER BY scope DESC
    """)
  static let findByAlias = Query(
    """
    SELECT p.id, p.scope, p.owner_id, p.author_id, p.created_at, p.audience, p.is_entry, p.repost_of, p.reply_to,
      p.reply_key, p.body, p.visibility, p.marks, p.server_id
    FROM aliases a CROSS JOIN posts p ON p.id = a.post_id
    WHERE a.source_id = ?1 AND a.alias = ?2
    """)
  static let insert = Query(
    """
    INSERT INTO posts (id, source_id, native_id, scope, owner_id, author_id, created_at, visibility, audience, is_entry,
      repost_of, reply_to, reply_key, body, server_id)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
    """)
  static let update = Query(
    """
    UPDATE posts SET author_id = ?2, created_at = ?3, visibility = ?4, audience = ?5, is_entry = ?6, repost_of = ?7,
      reply_to = ?8, reply_key = ?9, body = ?10, server_id = ?11
    WHERE id = ?1
    """)
  static let updateAudience = Query("UPDATE posts SET audience = ?2 WHERE id = ?1")
  static let updateReply = Query("UPDATE posts SET reply_to = ?2 WHERE id = ?1")
  static let updateMarks = Query("UPDATE posts SET marks = ?2 WHERE id = ?1")
  static let marks = Query("SELECT marks FROM posts WHERE id = ?1")
  static let updateBody = Query("UPDATE posts SET body = ?2 WHERE id = ?1")
  static let makeEntry = Query("UPDATE posts SET is_entry = 1 WHERE id = ?1")
  static let disconnectReplies = Query("UPDATE posts SET reply_to = NULL WHERE reply_to = ?1")
  static let delete = Query("DELETE FROM posts WHERE id = ?1")
  static let insertNative = Query(
    "INSERT INTO natives VALUES (?1, ?2) ON CONFLICT (post_id) DO UPDATE SET json = excluded.json")
  static let insertAlias = Query("INSERT OR IGNORE INTO aliases VALUES (?1, ?2, ?3)")
  static let deleteNative = Query("DELETE FROM natives WHERE post_id = ?1")
  static let deleteAliases = Query("DELETE FROM aliases WHERE post_id = ?1")
  static let adopt = Query("UPDATE posts SET native_id = ?2, scope = ?3, body = ?4 WHERE id = ?1")
  static let adoptReplies = Query(
    "UPDATE posts SET reply_key = CASE source_id WHEN ?2 THEN ?3 ELSE ?4 END WHERE reply_to = ?1 AND reply_key IS NOT NULL"
  )
  static let share = Query("UPDATE posts SET scope = 0, owner_id = ?2, body = ?3 WHERE id = ?1")
  static let name = Query("SELECT source_id, native_id, scope, server_id FROM posts WHERE id = ?1")
  static let shareRepost = Query("UPDATE posts SET scope = 0 WHERE id = ?1")
  static let repoint = Query("UPDATE posts SET repost_of = ?2 WHERE id = ?1")
  static let moveRepost = Query("UPDATE posts SET source_id = ?2, native_id = ?3 WHERE id = ?1")

  static let queries = [
    find, findByAlias, insert, update, updateAudience, updateReply, updateMarks, marks, updateBody, makeEntry,
    disconnectReplies, delete, insertNative, insertAlias, deleteNative, deleteAliases, adopt, adoptReplies, share, name,
    shareRepost, repoint, moveRepost,
  ]
}

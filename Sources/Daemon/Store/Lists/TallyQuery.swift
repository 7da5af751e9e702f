/// SQL about the entry counts of lists and the post counts of authors.
enum TallyQuery {
  static let addEntries = Query(
    "INSERT INTO tallies VALUES (?1, ?2) ON CONFLICT (list_id) DO UPDATE SET entries = entries + excluded.entries")
  static let addPosts = Query(
    """
    INSERT INTO author_tallies VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT (author_id, audience) DO UPDATE SET entries = entries + excluded.entries, others = others + excluded.others
    """)
  static let delete = Query("DELETE FROM tallies WHERE list_id = ?1")
  static let entries = Query("SELECT entries FROM tallies WHERE list_id = ?1")
  static let posts = Query(
    """
    SELECT coalesce(sum(t.entries), 0) FROM author_tallies t
    WHERE t.author_id = ?1 AND \(PostSQL.visible("t", to: "?2"))
    """)

  static let queries = [addEntries, addPosts, delete, entries, posts]
}

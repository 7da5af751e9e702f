extension Query {
  private static let columns = "id, kind, is_on, subject, object, before, after"

  /// Its text, if it is about what accounts did.
  var stepSQL: String? {
    switch self {
    case .journal: "SELECT coalesce(max(id), 0), coalesce(max(state = 1), 0) FROM steps WHERE account_id = ?1"
    case .insertStep: "INSERT INTO steps VALUES (?1, ?2, 0, ?3, ?4, ?5, ?6, ?7, ?8)"
    case .lastDone: "SELECT \(Self.columns) FROM steps WHERE account_id = ?1 AND state = 0 ORDER BY id DESC LIMIT 1"
    case .firstUndone: "SELECT \(Self.columns) FROM steps WHERE account_id = ?1 AND state = 1 ORDER BY id LIMIT 1"
    case .step: "SELECT \(Self.columns) FROM steps WHERE account_id = ?1 AND id = ?2"
    case .setStep: "UPDATE steps SET state = ?3 WHERE account_id = ?1 AND id = ?2"
    case .stepCount: "SELECT count(*) FROM steps WHERE account_id = ?1 AND state = ?2"
    case .forgetUndone: "DELETE FROM steps WHERE account_id = ?1 AND state <> 0"
    case .forgetSteps: "DELETE FROM steps WHERE account_id = ?1 AND id <= ?2"
    case .forgetTrash:
      """
      DELETE FROM trash WHERE account_id = ?1
        AND NOT EXISTS (SELECT 1 FROM steps s WHERE s.account_id = trash.account_id AND s.id = trash.step)
      """
    case .sourceName: "SELECT name FROM sources WHERE id = ?1"
    case .listName: "SELECT name FROM lists WHERE id = ?1"
    case .insertListAgain: "INSERT INTO lists (id, kind, account_id, name) VALUES (?1, ?2, ?3, ?4)"

    case .throwAway:
      """
      INSERT INTO trash
      SELECT ?2, ?3, p.id, p.source_id, p.native_id, p.scope, p.owner_id, p.author_id, p.created_at, p.visibility, p.audience, p.is_entry,
        p.repost_of, p.reply_to, p.reply_key, p.body, p.marks, n.json,
        (SELECT json_group_array(alias) FROM aliases a WHERE a.post_id = p.id),
        (SELECT json_group_array(l.account_id) FROM lists l JOIN entries e
           ON e.list_id = l.id AND e.created_at = p.created_at AND e.post_id = p.id AND e.reason & 4
         WHERE l.kind = 1)
      FROM posts p LEFT JOIN natives n ON n.post_id = p.id WHERE p.id = ?1
      """
    case .trash:
      """
      SELECT id, source_id, native_id, scope, owner_id, author_id, created_at, visibility, audience, is_entry, repost_of, reply_to,
        reply_key, body, marks, coalesce(json, x'')
      FROM trash WHERE account_id = ?1 AND step = ?2 ORDER BY id
      """
    case .trashedAliases:
      "SELECT j.value FROM trash t, json_each(t.aliases) j WHERE t.account_id = ?1 AND t.step = ?2 AND t.id = ?3"
    case .trashedImporters:
      "SELECT j.value FROM trash t, json_each(t.importers) j WHERE t.account_id = ?1 AND t.step = ?2 AND t.id = ?3"
    case .emptyTrash: "DELETE FROM trash WHERE account_id = ?1 AND step = ?2"
    case .isNameTaken:
      "SELECT EXISTS (SELECT 1 FROM posts WHERE source_id = ?1 AND native_id = ?2 AND scope = ?3)"
    default: nil
    }
  }
}

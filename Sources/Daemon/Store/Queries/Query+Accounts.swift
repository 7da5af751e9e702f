extension Query {
  /// Its text, if it is about accounts and authors.
  var accountSQL: String? {
    switch self {
    case .begin: "BEGIN IMMEDIATE"
    case .beginReading: "BEGIN"
    case .commit: "COMMIT"
    case .rollback: "ROLLBACK"
    case .readMeta: "SELECT epoch, revision, last_post, closed FROM meta WHERE id = 1"
    case .saveMeta: "UPDATE meta SET revision = ?1, last_post = ?2, closed = ?3 WHERE id = 1"

    case .findSource: "SELECT id FROM sources WHERE name = ?1"
    case .insertSource: "INSERT INTO sources (name) VALUES (?1) RETURNING id"
    case .findAuthor:
      "SELECT id, handle, display_name, avatar_url FROM authors WHERE source_id = ?1 AND native_id = ?2"
    case .insertAuthor:
      """
      INSERT INTO authors (source_id, native_id, handle, display_name, avatar_url)
      VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id
      """
    case .updateAuthor: "UPDATE authors SET handle = ?2, display_name = ?3, avatar_url = ?4 WHERE id = ?1"
    case .author: "SELECT id, handle, display_name, avatar_url FROM authors WHERE id = ?1"
    case .authorByName:
      "SELECT a.id FROM sources s JOIN authors a ON a.source_id = s.id WHERE s.name = ?1 AND a.native_id = ?2"
    case .authorByHandle:
      """
      SELECT a.id, s.name = ?2 FROM authors a CROSS JOIN sources s ON s.id = a.source_id
      WHERE a.handle = ?1 COLLATE NOCASE
      """

    case .authorOfAccount:
      """
      SELECT a.id, a.handle, a.display_name, a.avatar_url FROM accounts c CROSS JOIN sources s ON s.name = ?2
      CROSS JOIN authors a ON a.source_id = s.id AND a.native_id = c.name WHERE c.id = ?1
      """

    case .accountByUID: "SELECT id, uid, name, post_limit FROM accounts WHERE uid = ?1"
    case .accountByName: "SELECT id, uid, name, post_limit FROM accounts WHERE name = ?1"
    case .accountByAuthor:
      """
      SELECT c.id, c.uid, c.name, c.post_limit FROM authors a CROSS JOIN sources s ON s.id = a.source_id AND s.name = ?2
      CROSS JOIN accounts c ON c.name = a.native_id WHERE a.id = ?1
      """
    case .account: "SELECT id, uid, name, post_limit FROM accounts WHERE id = ?1"
    case .accounts: "SELECT id, uid, name, post_limit FROM accounts WHERE id > 0 ORDER BY id"
    case .accountCount: "SELECT count(*) FROM accounts WHERE id > 0"
    case .insertAccount: "INSERT INTO accounts (uid, name) VALUES (?1, ?2) RETURNING id"
    case .setPostLimit: "UPDATE accounts SET post_limit = ?2 WHERE id = ?1"
    case .claimIdentity: "INSERT OR IGNORE INTO identities VALUES (?1, ?2)"
    case .identities: "SELECT author_id FROM identities WHERE account_id = ?1 ORDER BY author_id"
    case .allIdentities:
      """
      SELECT i.account_id, i.author_id, a.source_id, CASE s.name WHEN ?1 THEN a.native_id ELSE a.handle END
      FROM identities i CROSS JOIN authors a ON a.id = i.author_id CROSS JOIN sources s ON s.id = a.source_id
      WHERE i.account_id > 0
      """
    case .sourcesAbout:
      "SELECT a.source_id FROM identities i CROSS JOIN authors a ON a.id = i.author_id WHERE i.account_id = ?1"

    case .session:
      "SELECT name, bytes, revision, places, places_revision FROM sessions WHERE account_id = ?1 AND name = ?2"
    case .sessions:
      "SELECT name, bytes, revision, places, places_revision FROM sessions WHERE account_id = ?1 ORDER BY name"
    case .sessionCount: "SELECT count(*) FROM sessions WHERE account_id = ?1"
    case .saveSession:
      """
      INSERT INTO sessions (account_id, name, bytes, revision) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (account_id, name)
      DO UPDATE SET bytes = excluded.bytes, revision = excluded.revision WHERE bytes IS NOT excluded.bytes
      """
    case .savePlaces:
      """
      INSERT INTO sessions (account_id, name, bytes, revision, places, places_revision) VALUES (?1, ?2, x'', 0, ?3, ?4)
      ON CONFLICT (account_id, name)
      DO UPDATE SET places = excluded.places, places_revision = excluded.places_revision WHERE places IS NOT excluded.places
      """
    case .renameSession: "UPDATE sessions SET name = ?3, revision = ?4 WHERE account_id = ?1 AND name = ?2"
    case .deleteSession: "DELETE FROM sessions WHERE account_id = ?1 AND name = ?2"

    case .token: "SELECT id, account_id, name, scopes, created_at FROM tokens WHERE id = ?1"
    case .tokens: "SELECT id, account_id, name, scopes, created_at FROM tokens WHERE account_id = ?1 ORDER BY id"
    case .insertToken:
      """
      INSERT INTO tokens (account_id, name, scopes, hash, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
      RETURNING id, account_id, name, scopes, created_at
      """
    case .deleteToken: "DELETE FROM tokens WHERE id = ?1"

    case .draft: "SELECT id, kind, post_id, text, updated_at FROM drafts WHERE id = ?1 AND account_id = ?2"
    case .draftByRequest: "SELECT id FROM drafts WHERE account_id = ?1 AND request_id = ?2"
    case .drafts: "SELECT id, kind, post_id, text, updated_at FROM drafts WHERE account_id = ?1"
    case .insertDraft:
      """
      INSERT INTO drafts (account_id, kind, post_id, text, updated_at, request_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      RETURNING id
      """
    case .updateDraft: "UPDATE drafts SET text = ?2, updated_at = ?3 WHERE id = ?1"
    case .deleteDraft: "DELETE FROM drafts WHERE id = ?1 AND account_id = ?2"
    default: nil
    }
  }
}

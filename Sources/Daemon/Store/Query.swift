/// Every statement that is run more than once, prepared on first use and kept (``Connection/statement(_:)``).
///
/// All of the store's SQL is in this file and in ``Schema``. Parameters are numbered in the order of the arguments of the
/// method that binds them. A test asks SQLite for the plan of each: none may scan the posts.
enum Query: Int, CaseIterable {
  case begin, commit, rollback
  case readMeta, saveMeta, tally

  case findSource, insertSource
  case findAuthor, insertAuthor, updateAuthor, author
  case accountByUID, accountByName, account, insertAccount
  case claimIdentity, identities

  case findPost, insertPost, updatePost, updateAudience, updateReply
  case findTarget, findTargetByAlias, hasAliases, waitingReplies, hasWaiting, nameOf, isEntry, repostsOf
  case insertNative, insertAlias
  case findRequest, insertRequest, forgetRequests

  case session, sessions, saveSession, deleteSession
  case post, timelinePage, timelineCount, ancestors, descendants
  case exportPage, exportPost, aliasesOf, findReference, findReferenceByAlias
}

extension Query {
  /// What ``StoreReader`` makes a ``StoredPost`` of: the entry `p` and, where it is a repost, its original `o`.
  private static let shown = """
    SELECT p.id, p.created_at, p.author_id, p.owner_id, p.audience, p.repost_of, p.reply_to, p.body,
      o.author_id, o.reply_to, o.body
    """
  private static let original = "LEFT JOIN posts o ON o.id = p.repost_of"

  private static let exported = """
    SELECT p.id, s.name, p.native_id, p.created_at, p.reply_key, p.body, p.repost_of,
      a.native_id, a.handle, a.display_name, a.avatar_url, n.json
    FROM posts p CROSS JOIN sources s ON s.id = p.source_id CROSS JOIN authors a ON a.id = p.author_id
      LEFT JOIN natives n ON n.post_id = p.id
    """

  /// Its text.
  var sql: String {
    switch self {
    case .begin: "BEGIN IMMEDIATE"
    case .commit: "COMMIT"
    case .rollback: "ROLLBACK"
    case .readMeta: "SELECT epoch, revision, last_post, closed FROM meta WHERE id = 1"
    case .saveMeta: "UPDATE meta SET revision = ?1, last_post = ?2, closed = ?3 WHERE id = 1"
    case .tally:
      "INSERT INTO tallies VALUES (?1, ?2) ON CONFLICT (audience) DO UPDATE SET entries = entries + excluded.entries"

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
    case .accountByUID: "SELECT id, uid, name FROM accounts WHERE uid = ?1"
    case .accountByName: "SELECT id, uid, name FROM accounts WHERE name = ?1"
    case .account: "SELECT id, uid, name FROM accounts WHERE id = ?1"
    case .insertAccount: "INSERT INTO accounts (uid, name) VALUES (?1, ?2) RETURNING id"
    case .claimIdentity: "INSERT OR IGNORE INTO identities VALUES (?1, ?2)"
    case .identities: "SELECT author_id FROM identities WHERE account_id = ?1 ORDER BY author_id"

    case .findPost:
      """
      SELECT id, scope, owner_id, author_id, created_at, audience, is_entry, repost_of, reply_to, reply_key, body
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
    case .findTarget:
      """
      SELECT coalesce(repost_of, id) FROM posts
      WHERE source_id = ?1 AND native_id = ?2 AND audience IN (0, ?3) ORDER BY scope DESC LIMIT 1
      """
    case .findTargetByAlias:
      """
      SELECT coalesce(p.repost_of, p.id) FROM aliases a JOIN posts p ON p.id = a.post_id
      WHERE a.source_id = ?1 AND a.alias = ?2 AND p.audience IN (0, ?3) ORDER BY a.post_id LIMIT 1
      """
    case .waitingReplies:
      """
      SELECT id FROM posts
      WHERE source_id = ?1 AND reply_key = ?2 AND reply_to IS NULL AND reply_key IS NOT NULL AND (?3 = 0 OR owner_id = ?3)
      """
    case .hasAliases: "SELECT EXISTS (SELECT 1 FROM aliases WHERE source_id = ?1)"
    case .hasWaiting:
      "SELECT EXISTS (SELECT 1 FROM posts WHERE source_id = ?1 AND reply_to IS NULL AND reply_key IS NOT NULL)"
    case .nameOf: "SELECT s.name, p.native_id FROM posts p JOIN sources s ON s.id = p.source_id WHERE p.id = ?1"
    case .isEntry: "SELECT is_entry FROM posts WHERE id = ?1"
    case .repostsOf: "SELECT id, visibility, owner_id, audience, is_entry FROM posts WHERE repost_of = ?1"
    case .insertNative: "INSERT INTO natives VALUES (?1, ?2) ON CONFLICT (post_id) DO UPDATE SET json = excluded.json"
    case .insertAlias: "INSERT OR IGNORE INTO aliases VALUES (?1, ?2, ?3)"
    case .findRequest: "SELECT post_id FROM requests WHERE account_id = ?1 AND request_id = ?2"
    case .insertRequest: "INSERT INTO requests (account_id, request_id, post_id) VALUES (?1, ?2, ?3) RETURNING id"
    case .forgetRequests: "DELETE FROM requests WHERE id <= ?1"

    case .session: "SELECT name, bytes, revision FROM sessions WHERE account_id = ?1 AND name = ?2"
    case .sessions: "SELECT name, bytes, revision FROM sessions WHERE account_id = ?1 ORDER BY name"
    case .saveSession:
      """
      INSERT INTO sessions VALUES (?1, ?2, ?3, ?4) ON CONFLICT (account_id, name)
      DO UPDATE SET bytes = excluded.bytes, revision = excluded.revision WHERE bytes IS NOT excluded.bytes
      """
    case .deleteSession: "DELETE FROM sessions WHERE account_id = ?1 AND name = ?2"

    case .post: "\(Self.shown) FROM posts p \(Self.original) WHERE p.id = ?1"
    case .timelinePage:
      """
      \(Self.shown) FROM posts p \(Self.original)
      WHERE p.is_entry = 1 AND p.audience = 0 AND (p.created_at, p.id) < (?2, ?3)
      UNION ALL
      \(Self.shown) FROM posts p \(Self.original)
      WHERE p.is_entry = 1 AND p.audience = ?1 AND (p.created_at, p.id) < (?2, ?3)
      ORDER BY 2 DESC, 1 DESC LIMIT ?4
      """
    case .timelineCount: "SELECT coalesce(sum(entries), 0) FROM tallies WHERE audience IN (0, ?1)"
    case .ancestors:
      """
      WITH RECURSIVE up (id) AS (
        SELECT ?1 UNION
        SELECT q.id FROM up JOIN posts p ON p.id = up.id JOIN posts q ON q.id = p.reply_to
        WHERE q.audience IN (0, ?2) LIMIT ?3)
      \(Self.shown) FROM up JOIN posts p ON p.id = up.id \(Self.original) WHERE p.id <> ?1
      """
    case .descendants:
      """
      WITH RECURSIVE down (id) AS (
        SELECT ?1 UNION
        SELECT p.id FROM down JOIN posts p ON p.reply_to = down.id
        WHERE p.audience IN (0, ?2) LIMIT ?3)
      \(Self.shown) FROM down JOIN posts p ON p.id = down.id \(Self.original)
      """
    case .exportPage:
      // The unary plus keeps the planner from the timeline's index, which would have to be sorted for every page.
      "\(Self.exported) WHERE p.id > ?1 AND +p.is_entry = 1 AND +p.audience IN (0, ?2) ORDER BY p.id LIMIT ?3"
    case .exportPost: "\(Self.exported) WHERE p.id = ?1"
    case .aliasesOf: "SELECT alias FROM aliases WHERE post_id = ?1 ORDER BY source_id, alias"
    case .findReference:
      """
      SELECT p.id FROM posts p JOIN sources s ON s.id = p.source_id
      WHERE s.name = ?1 AND p.native_id = ?2 AND p.audience IN (0, ?3) ORDER BY p.scope DESC LIMIT 1
      """
    case .findReferenceByAlias:
      """
      SELECT p.id FROM sources s JOIN aliases a ON a.source_id = s.id JOIN posts p ON p.id = a.post_id
      WHERE s.name = ?1 AND a.alias = ?2 AND p.audience IN (0, ?3) ORDER BY a.post_id LIMIT 1
      """
    }
  }
}

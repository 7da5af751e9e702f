extension Query {
  /// What ``ListedPost`` is made of: the post `p` and what it answers, `q`.
  private static let listed = """
    SELECT p.id, p.created_at, p.author_id, p.owner_id, p.audience, p.is_entry, p.source_id, p.body, q.author_id
    """
  private static let answered = "LEFT JOIN posts q ON q.id = p.reply_to"
  /// All entries, for the check of a store only.
  static let allListed = "\(listed) FROM posts p \(answered) WHERE p.is_entry = 1"
  /// The entries of author ?2, by their place in lists.
  private static let keysOfAuthor = "SELECT p.created_at, p.id FROM posts p WHERE p.author_id = ?2 AND p.is_entry = 1"

  /// Its text, if it is about lists.
  var listSQL: String? {
    switch self {
    case .tally:
      "INSERT INTO tallies VALUES (?1, ?2) ON CONFLICT (list_id) DO UPDATE SET entries = entries + excluded.entries"
    case .authorTally:
      """
      INSERT INTO author_tallies VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (author_id, audience) DO UPDATE SET entries = entries + excluded.entries, others = others + excluded.others
      """
    case .deleteTally: "DELETE FROM tallies WHERE list_id = ?1"
    case .listCount: "SELECT entries FROM tallies WHERE list_id = ?1"

    case .listedPost: "\(Self.listed) FROM posts p \(Self.answered) WHERE p.id = ?1"
    case .listedReplies: "\(Self.listed) FROM posts p \(Self.answered) WHERE p.reply_to = ?1"
    case .listedForAudience:
      """
      \(Self.listed) FROM author_tallies t
      CROSS JOIN posts p ON p.author_id = t.author_id AND p.is_entry = 1 AND p.audience = t.audience \(Self.answered)
      WHERE t.audience = ?1
      """
    case .listedFromSource:
      """
      \(Self.listed) FROM posts p \(Self.answered)
      WHERE p.source_id = ?1 AND p.is_entry = 1 AND \(Self.visible("p", to: "?2"))
      """

    case .placesOfAuthor:
      """
      SELECT l.id, l.kind, l.account_id, \(Reason.author.rawValue)
      FROM list_authors f CROSS JOIN lists l ON l.id = f.list_id WHERE f.author_id = ?1
      UNION ALL
      SELECT l.id, l.kind, l.account_id, \(Reason.own.rawValue) FROM identities i
      CROSS JOIN lists l ON l.kind = \(ListKind.home.rawValue) AND l.account_id = i.account_id WHERE i.author_id = ?1
      """
    case .ownLists: "SELECT id, account_id, kind FROM lists WHERE kind IN (1, 2, 3)"
    case .listOfAccount: "SELECT id FROM lists WHERE kind = ?1 AND account_id = ?2 AND name = ''"
    case .listOfCircle: "SELECT id FROM lists WHERE circle = ?1"
    case .directList:
      """
      SELECT l.id FROM lists l
      WHERE l.circle = ?1 AND EXISTS (SELECT 1 FROM members m WHERE m.account_id = ?2 AND m.audience = -1 - l.circle)
      """
    case .madeList: "\(Self.made) WHERE l.id = ?1 AND l.kind = 5 AND l.account_id = ?2"
    case .madeLists: "\(Self.made) WHERE l.kind = 5 AND l.account_id = ?1"
    case .madeListNumber: "SELECT id FROM lists WHERE id = ?1 AND kind = 5 AND account_id = ?2"
    case .madeListCount: "SELECT count(*) FROM lists WHERE kind = 5 AND account_id = ?1"
    case .hasMadeList: "SELECT 1 FROM lists WHERE kind = 5 AND account_id = ?1 AND name = ?2"
    case .listAuthors:
      """
      SELECT a.id, a.handle, a.display_name, a.avatar_url
      FROM list_authors f CROSS JOIN authors a ON a.id = f.author_id WHERE f.list_id = ?1
      """
    case .knownListAuthors:
      """
      SELECT a.id, a.handle, a.display_name, a.avatar_url FROM list_authors f CROSS JOIN authors a ON a.id = f.author_id
      WHERE f.list_id = ?1 AND \(Self.known("f.author_id", to: "?2", local: "?3"))
      """
    case .isListAuthor: "SELECT 1 FROM list_authors WHERE list_id = ?1 AND author_id = ?2"
    case .listAuthorCount: "SELECT count(*) FROM list_authors WHERE list_id = ?1"
    case .insertList: "INSERT INTO lists (kind, account_id, circle, name) VALUES (?1, ?2, ?3, ?4) RETURNING id"
    case .renameList: "UPDATE lists SET name = ?2 WHERE id = ?1"
    case .deleteList: "DELETE FROM lists WHERE id = ?1"
    case .deleteListEntries: "DELETE FROM entries WHERE list_id = ?1"
    case .deleteListAuthors: "DELETE FROM list_authors WHERE list_id = ?1"
    case .insertListAuthor: "INSERT INTO list_authors VALUES (?1, ?2)"
    case .deleteListAuthor: "DELETE FROM list_authors WHERE list_id = ?1 AND author_id = ?2"

    case .entry: "SELECT reason FROM entries WHERE list_id = ?1 AND created_at = ?2 AND post_id = ?3"
    case .ownEntries:
      """
      SELECT l.id, l.kind, l.account_id
      FROM lists l CROSS JOIN entries e ON e.list_id = l.id AND e.created_at = ?1 AND e.post_id = ?2 WHERE l.kind IN (1, 2)
      """
    case .newestEntries:
      "SELECT created_at, post_id FROM entries WHERE list_id = ?1 ORDER BY created_at DESC, post_id DESC LIMIT ?2"
    case .insertEntry: "INSERT INTO entries VALUES (?1, ?2, ?3, ?4)"
    case .updateEntry: "UPDATE entries SET reason = ?4 WHERE list_id = ?1 AND created_at = ?2 AND post_id = ?3"
    case .deleteEntry: "DELETE FROM entries WHERE list_id = ?1 AND created_at = ?2 AND post_id = ?3"
    case .fileAuthor:
      """
      INSERT INTO entries
      SELECT ?1, p.created_at, p.id, ?3 FROM posts p
      WHERE p.author_id = ?2 AND p.is_entry = 1 AND \(Self.visible("p", to: "?4"))
      ON CONFLICT DO UPDATE SET reason = reason | excluded.reason WHERE reason & excluded.reason = 0
      """
    case .unfileAuthor:
      """
      UPDATE entries SET reason = reason & ~?3
      WHERE list_id = ?1 AND reason & ?3 <> 0 AND (created_at, post_id) IN (\(Self.keysOfAuthor))
      """
    case .deleteUnreasoned:
      "DELETE FROM entries WHERE list_id = ?1 AND reason = 0 AND (created_at, post_id) IN (\(Self.keysOfAuthor))"
    case .authorEntries:
      """
      SELECT count(*) FROM posts p CROSS JOIN entries e ON e.list_id = ?1 AND e.created_at = p.created_at AND e.post_id = p.id
      WHERE p.author_id = ?2 AND p.is_entry = 1
      """
    case .page:
      """
      \(Self.shown) FROM entries e CROSS JOIN posts p ON p.id = e.post_id \(Self.original)
      WHERE e.list_id = ?1 AND (e.created_at, e.post_id) < (?3, ?4) AND \(Self.visible("p", to: "?2"))
      ORDER BY e.created_at DESC, e.post_id DESC LIMIT ?5
      """
    case .authorPage:
      """
      \(Self.shown) FROM posts p \(Self.original)
      WHERE p.author_id = ?1 AND p.is_entry = 1 AND (p.created_at, p.id) < (?3, ?4) AND \(Self.visible("p", to: "?2"))
      ORDER BY p.created_at DESC, p.id DESC LIMIT ?5
      """
    case .authorCount:
      """
      SELECT coalesce(sum(t.entries), 0) FROM author_tallies t
      WHERE t.author_id = ?1 AND \(Self.visible("t", to: "?2"))
      """
    case .isKnownAuthor: "SELECT \(Self.known("?1", to: "?2", local: "?3"))"

    case .markSeen:
      """
      INSERT INTO seen VALUES (?1, ?2, ?3, ?4) ON CONFLICT (account_id, section)
      DO UPDATE SET created_at = excluded.created_at, post_id = excluded.post_id
      WHERE (excluded.created_at, excluded.post_id) > (created_at, post_id)
      """
    case .seen: "SELECT created_at, post_id FROM seen WHERE account_id = ?1 AND section = ?2"
    case .unseen:
      "SELECT 1 FROM entries WHERE list_id = ?1 AND (created_at, post_id) > (?2, ?3) LIMIT ?4"

    case .followerCircle: "SELECT id FROM circles WHERE account_id = ?1 AND keeper_id = ?2"
    case .followerCircles: "SELECT id, keeper_id FROM circles WHERE account_id = ?1"
    case .leader: "SELECT account_id FROM circles WHERE id = ?1"
    case .conversationCircle: "SELECT id FROM circles WHERE people = ?1"
    case .insertCircle: "INSERT INTO circles (account_id, keeper_id, people) VALUES (?1, ?2, ?3) RETURNING id"
    case .insertMember: "INSERT OR IGNORE INTO members VALUES (?1, ?2)"
    case .deleteMember: "DELETE FROM members WHERE account_id = ?1 AND audience = ?2"
    case .members: "SELECT account_id FROM members WHERE audience = ?1"
    case .isMember: "SELECT 1 FROM members WHERE account_id = ?1 AND audience = ?2"

    case .followers:
      """
      SELECT c.id, c.uid, c.name, c.post_limit FROM list_authors f
      CROSS JOIN lists l ON l.id = f.list_id AND l.kind = 1 CROSS JOIN accounts c ON c.id = l.account_id
      WHERE f.author_id = ?1
      """
    case .followerCount:
      "SELECT count(*) FROM list_authors f CROSS JOIN lists l ON l.id = f.list_id AND l.kind = 1 WHERE f.author_id = ?1"
    case .isFollowed:
      """
      SELECT 1 FROM lists l CROSS JOIN list_authors f ON f.list_id = l.id AND f.author_id = ?2
      WHERE l.kind = 1 AND l.account_id = ?1
      """
    default: nil
    }
  }

  /// Whether an account may know of an author: it may see something of theirs, or they are an account of this daemon.
  private static func known(_ author: String, to account: String, local: String) -> String {
    """
    (EXISTS (SELECT 1 FROM author_tallies t
        WHERE t.author_id = \(author) AND (t.entries <> 0 OR t.others <> 0) AND \(visible("t", to: account)))
      OR EXISTS (SELECT 1 FROM authors own CROSS JOIN sources s ON s.id = own.source_id AND s.name = \(local)
        CROSS JOIN accounts c ON c.name = own.native_id WHERE own.id = \(author)))
    """
  }

  private static let made = """
    SELECT l.id, l.name, (SELECT count(*) FROM list_authors f WHERE f.list_id = l.id),
      coalesce((SELECT entries FROM tallies t WHERE t.list_id = l.id), 0)
    FROM lists l
    """
}

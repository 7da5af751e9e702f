/// SQL about lists of any kind.
enum ListQuery {
  static let places = Query(
    """
    SELECT l.id, l.kind, l.account_id, \(Reason.author.rawValue)
    FROM list_authors f CROSS JOIN lists l ON l.id = f.list_id WHERE f.author_id = ?1
    UNION ALL
    SELECT l.id, l.kind, l.account_id, \(Reason.own.rawValue) FROM identities i
    CROSS JOIN lists l ON l.kind = \(ListKind.home.rawValue) AND l.account_id = i.account_id WHERE i.author_id = ?1
    """)
  static let ownLists = Query("SELECT id, account_id, kind FROM lists WHERE kind IN (1, 2, 3)")
  static let ofAccount = Query("SELECT id FROM lists WHERE kind = ?1 AND account_id = ?2 AND name = ''")
  static let ofGroup = Query("SELECT id FROM lists WHERE audience_group = ?1")
  static let direct = Query(
    """
    SELECT l.id FROM lists l
    WHERE l.audience_group = ?1
      AND EXISTS (SELECT 1 FROM members m WHERE m.account_id = ?2 AND m.audience = -1 - l.audience_group)
    """)
  static let insert = Query(
    "INSERT INTO lists (kind, account_id, audience_group, name) VALUES (?1, ?2, ?3, ?4) RETURNING id")
  static let authors = Query(
    """
    SELECT \(AuthorQuery.columns("a"))
    FROM list_authors f CROSS JOIN authors a ON a.id = f.author_id WHERE f.list_id = ?1
    """)
  static let knownAuthors = Query(
    """
    SELECT \(AuthorQuery.columns("a")) FROM list_authors f CROSS JOIN authors a ON a.id = f.author_id
    WHERE f.list_id = ?1 AND \(AuthorQuery.knows("f.author_id", to: "?2", local: "?3"))
    """)
  static let isAuthor = Query("SELECT 1 FROM list_authors WHERE list_id = ?1 AND author_id = ?2")
  static let authorCount = Query("SELECT count(*) FROM list_authors WHERE list_id = ?1")
  static let insertAuthor = Query("INSERT INTO list_authors VALUES (?1, ?2)")
  static let deleteAuthor = Query("DELETE FROM list_authors WHERE list_id = ?1 AND author_id = ?2")

  static let queries = [
    places, ownLists, ofAccount, ofGroup, direct, insert, authors, knownAuthors, isAuthor, authorCount, insertAuthor,
    deleteAuthor,
  ]
}

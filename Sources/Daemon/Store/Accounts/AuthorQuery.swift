/// SQL about authors.
enum AuthorQuery {
  /// True if an account may know of an author: it can see one of their posts, the author is an account of this daemon,
  /// or a feed that it follows and that may not have been read yet.
  static func knows(_ author: String, to account: String, local: String) -> String {
    """
    (EXISTS (SELECT 1 FROM author_tallies t
        WHERE t.author_id = \(author) AND (t.entries <> 0 OR t.others <> 0) AND \(PostSQL.visible("t", to: account)))
      OR EXISTS (SELECT 1 FROM authors own CROSS JOIN sources s ON s.id = own.source_id AND s.name = \(local)
        CROSS JOIN accounts c ON c.name = own.native_id WHERE own.id = \(author))
      OR EXISTS (SELECT 1 FROM feeds feed
        CROSS JOIN lists home ON home.account_id = \(account) AND home.kind = 1
        CROSS JOIN list_authors followed ON followed.list_id = home.id AND followed.author_id = feed.author_id
        WHERE feed.author_id = \(author) AND feed.scope IN (0, \(account))))
    """
  }

  /// The columns that ``Author/init(row:)`` reads, from `authors` under a name.
  static func columns(_ a: String) -> String {
    """
    \(a).id, \(a).handle, \(a).display_name, \(a).avatar_url,
      (SELECT nullif(s.name, '\(LocalSource.name)') FROM sources s WHERE s.id = \(a).source_id),
      (SELECT c.name FROM identities i CROSS JOIN accounts c ON c.id = i.account_id
        WHERE i.author_id = \(a).id AND i.account_id > 0 ORDER BY i.account_id LIMIT 1)
    """
  }

  static let find = Query("SELECT \(columns("a")) FROM authors a WHERE a.source_id = ?1 AND a.native_id = ?2")
  static let insert = Query(
    """
    INSERT INTO authors (source_id, native_id, handle, display_name, avatar_url)
    VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id
    """)
  static let update = Query("UPDATE authors SET handle = ?2, display_name = ?3, avatar_url = ?4 WHERE id = ?1")
  /// The authors with the numbers in a JSON array, in its order: one statement, because the tables of ``columns(_:)``
  /// take longer to open than to read.
  static let byNumbers = Query(
    "SELECT \(columns("a")) FROM json_each(?1) j CROSS JOIN authors a ON a.id = j.value")
  static let byName = Query(
    "SELECT a.id FROM sources s JOIN authors a ON a.source_id = s.id WHERE s.name = ?1 AND a.native_id = ?2")
  static let byHandle = Query(
    """
    SELECT a.id, s.name = ?2 AND EXISTS (SELECT 1 FROM accounts c WHERE c.name = a.native_id)
    FROM authors a CROSS JOIN sources s ON s.id = a.source_id WHERE a.handle = ?1 COLLATE NOCASE
    """)
  static let called = Query("SELECT id FROM authors WHERE handle = ?1 COLLATE NOCASE")
  static let calledAt = Query("SELECT id, native_id FROM authors WHERE handle = ?1 COLLATE NOCASE AND source_id = ?2")
  static let ofAccount = Query(
    """
    SELECT \(columns("a")) FROM accounts c CROSS JOIN sources s ON s.name = ?2
    CROSS JOIN authors a ON a.source_id = s.id AND a.native_id = c.name WHERE c.id = ?1
    """)
  static let isKnown = Query("SELECT \(AuthorQuery.knows("?1", to: "?2", local: "?3"))")

  static let queries = [find, insert, update, byNumbers, byName, byHandle, called, calledAt, ofAccount, isKnown]
}

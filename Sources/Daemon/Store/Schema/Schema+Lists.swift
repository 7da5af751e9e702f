internal import Posts

extension Schema {
  /// Circles, lists and what else belongs to accounts (docs/adr/0011).
  ///
  /// `members` has who may see what: for account A a row of audience 0, one of audience A, and one for each circle that
  /// A is in. Every query asks it and nothing else. A circle is that of an account's followers with the account itself
  /// as its `keeper_id`, or the same and another keeper, who was a follower, wrote for them and is none any more; or
  /// that of the `people` of a direct conversation: their numbers, ascending, between commas.
  ///
  /// `lists` are filled when posts are written: `entries` has who is where, and why (``Reason``); `tallies` how many.
  /// Kinds are those of ``ListKind``; `circle` is that of a list of kind 4, which belongs to no single account.
  /// `list_authors` has whose posts go into a home list (whom its account follows) or a made one. Numbers of lists and
  /// tokens are never given twice.
  ///
  /// `author_tallies` counts an author's entries by audience, and the others, which only came inside of reposts.
  /// `requests` no longer refers to `posts`: a command that is sent again after its post was deleted does not make it
  /// again.
  static let version2 = Migration(
    """
    CREATE TABLE circles (
      id INTEGER PRIMARY KEY,
      account_id INTEGER REFERENCES accounts,
      keeper_id INTEGER REFERENCES accounts,
      people TEXT UNIQUE,
      UNIQUE (account_id, keeper_id),
      CHECK ((account_id IS NULL) <> (people IS NULL) AND (account_id IS NULL) = (keeper_id IS NULL))
    ) STRICT;

    CREATE TABLE members (
      account_id INTEGER NOT NULL REFERENCES accounts,
      audience INTEGER NOT NULL,
      PRIMARY KEY (account_id, audience)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX members_audience ON members (audience, account_id);

    CREATE TABLE lists (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind INTEGER NOT NULL,
      account_id INTEGER REFERENCES accounts,
      circle INTEGER UNIQUE REFERENCES circles,
      name TEXT NOT NULL,
      UNIQUE (kind, account_id, name)
    ) STRICT;

    CREATE TABLE list_authors (
      list_id INTEGER NOT NULL REFERENCES lists,
      author_id INTEGER NOT NULL REFERENCES authors,
      PRIMARY KEY (list_id, author_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX list_authors_author ON list_authors (author_id, list_id);

    CREATE TABLE entries (
      list_id INTEGER NOT NULL REFERENCES lists,
      created_at INTEGER NOT NULL,
      post_id INTEGER NOT NULL REFERENCES posts,
      reason INTEGER NOT NULL,
      PRIMARY KEY (list_id, created_at, post_id)
    ) STRICT, WITHOUT ROWID;

    DROP TABLE tallies;
    CREATE TABLE tallies (
      list_id INTEGER PRIMARY KEY REFERENCES lists,
      entries INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE author_tallies (
      author_id INTEGER NOT NULL REFERENCES authors,
      audience INTEGER NOT NULL,
      entries INTEGER NOT NULL,
      others INTEGER NOT NULL,
      PRIMARY KEY (author_id, audience)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX author_tallies_audience ON author_tallies (audience, author_id);

    DROP INDEX posts_timeline;
    CREATE INDEX posts_author ON posts (author_id, created_at, id, audience) WHERE is_entry = 1;
    CREATE INDEX identities_author ON identities (author_id, account_id);
    CREATE INDEX authors_handle ON authors (handle COLLATE NOCASE);

    CREATE TABLE seen (
      account_id INTEGER NOT NULL REFERENCES accounts,
      section INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      post_id INTEGER NOT NULL,
      PRIMARY KEY (account_id, section)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE tokens (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      account_id INTEGER NOT NULL REFERENCES accounts,
      name TEXT NOT NULL,
      scopes INTEGER NOT NULL,
      hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX tokens_account ON tokens (account_id);

    ALTER TABLE sessions ADD COLUMN places BLOB NOT NULL DEFAULT x'';
    ALTER TABLE sessions ADD COLUMN places_revision INTEGER NOT NULL DEFAULT 0;

    ALTER TABLE requests RENAME TO requests_1;
    CREATE TABLE requests (
      id INTEGER PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts,
      request_id TEXT NOT NULL,
      post_id INTEGER NOT NULL,
      UNIQUE (account_id, request_id)
    ) STRICT;
    INSERT INTO requests SELECT id, account_id, request_id, post_id FROM requests_1;
    DROP TABLE requests_1;

    INSERT INTO members SELECT id, 0 FROM accounts UNION ALL SELECT id, id FROM accounts;
    INSERT INTO lists (kind, account_id, name)
      SELECT kind, a.id, '' FROM accounts a, (SELECT 1 AS kind UNION ALL SELECT 2 UNION ALL SELECT 3) ORDER BY a.id, kind;
    INSERT INTO list_authors
      SELECT l.id, u.id FROM lists l, accounts a, authors u
      WHERE l.kind = 1 AND a.id <> l.account_id AND u.native_id = a.name
        AND u.source_id = (SELECT id FROM sources WHERE name = 'stack');
    INSERT INTO author_tallies SELECT author_id, audience, sum(is_entry), sum(1 - is_entry) FROM posts GROUP BY author_id, audience;
    INSERT INTO entries
      SELECT l.id, p.created_at, p.id,
        (p.owner_id = l.account_id
          OR EXISTS (SELECT 1 FROM identities i WHERE i.account_id = l.account_id AND i.author_id = p.author_id))
        + 2 * EXISTS (SELECT 1 FROM list_authors f WHERE f.list_id = l.id AND f.author_id = p.author_id) AS reason
      FROM lists l CROSS JOIN posts p
      WHERE l.kind = 1 AND p.is_entry = 1 AND p.audience IN (0, l.account_id) AND reason <> 0
      ORDER BY l.id, p.created_at, p.id;
    """
  ) { connection throws(StoreError) in
    try renameAccounts(connection)
    try fillMentions(connection)
    try connection.execute("INSERT INTO tallies SELECT list_id, count(*) FROM entries GROUP BY list_id")
  }

  /// Version 1 called accounts whatever the system called their users. Names that cannot be written behind an "@"
  /// become such that can, with the author of what the account writes, and its handle where that was the name.
  private static func renameAccounts(_ connection: Connection) throws(StoreError) {
    var accounts: [(id: Int64, uid: UInt32?, name: String)] = []
    let all = try connection.prepare("SELECT id, uid, name, NULL FROM accounts ORDER BY id")
    while try all.step() {
      accounts.append((all.integer(0), all.optionalInteger(1).map { UInt32(truncatingIfNeeded: $0) }, all.text(2)))
    }
    let taken = try connection.prepare(
      """
      SELECT EXISTS (SELECT 1 FROM accounts WHERE name = ?1) OR EXISTS (
        SELECT 1 FROM authors WHERE native_id = ?1 AND source_id = (SELECT id FROM sources WHERE name = 'stack'))
      """)
    let account = try connection.prepare("UPDATE accounts SET name = ?2 WHERE id = ?1")
    let author = try connection.prepare(
      """
      UPDATE authors SET native_id = ?2, handle = CASE handle WHEN ?1 THEN ?2 ELSE handle END
      WHERE native_id = ?1 AND source_id = (SELECT id FROM sources WHERE name = 'stack')
      """)
    for old in accounts where !AccountName.isUsable(old.name) {
      let name = try AccountName.free(for: old.name, uid: old.uid) { name throws(StoreError) in
        defer { taken.reset() }
        taken.bind(1, text: name)
        _ = try taken.step()
        return taken.integer(0) != 0
      }
      defer {
        account.reset()
        author.reset()
      }
      account.bind(1, old.id)
      account.bind(2, text: name)
      _ = try account.step()
      author.bind(1, text: old.name)
      author.bind(2, text: name)
      _ = try author.step()
    }
  }

  /// Fills the lists of mentions, for which bodies have to be unpacked.
  private static func fillMentions(_ connection: Connection) throws(StoreError) {
    var identities = Identities()
    let names = try connection.prepare(
      """
      SELECT i.account_id, i.author_id, a.source_id, CASE s.name WHEN 'stack' THEN a.native_id ELSE a.handle END
      FROM identities i JOIN authors a ON a.id = i.author_id JOIN sources s ON s.id = a.source_id
      """)
    while try names.step() { identities.add(row: names) }
    let posts = try connection.prepare(
      """
      SELECT p.created_at, p.id, p.author_id, p.source_id, p.audience, p.body, q.author_id
      FROM posts p LEFT JOIN posts q ON q.id = p.reply_to WHERE p.is_entry = 1
      """)
    let entry = try connection.prepare(
      "INSERT INTO entries SELECT id, ?2, ?3, 0 FROM lists WHERE kind = 2 AND account_id = ?1")
    while try posts.step() {
      let named = PackedBody(trusted: posts.bytes(5)).mentions
      let answered = posts.optionalInteger(6).map { AuthorID($0) }
      let addressed = identities.addressed(
        by: AuthorID(posts.integer(2)), naming: named, source: posts.integer(3), answering: answered)
      for account in addressed where Audience(number: posts.integer(4)).includes(account) {
        defer { entry.reset() }
        entry.bind(1, account.rawValue)
        entry.bind(2, posts.integer(0))
        entry.bind(3, posts.integer(1))
        _ = try entry.step()
      }
    }
  }
}

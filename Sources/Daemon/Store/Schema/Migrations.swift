extension Schema {
  /// The migrations of version 14 and later ones.
  static let migrationsFrom14 = [
    messagesWithoutBlocked, follows, orderOfTime, keptPosts, imports, names, programs, feeds, retention, feedLinks,
    servers, ownLinks, feedAttributes, draftWarnings, editsElsewhere, endedLogins,
    bookmarks,
  ]

  /// To 15: the messages of accounts that have blocked authors no longer have what these wrote (``MessageFiling``). The
  /// tables are the same.
  private static let messagesWithoutBlocked = Migration(
    """
    CREATE TEMP TABLE renewed AS
      SELECT l.id AS list, l.account_id AS account FROM lists l
      WHERE l.kind = 3 AND l.account_id IN (SELECT account_id FROM muted_authors WHERE kind = 2);
    DELETE FROM entries WHERE list_id IN (SELECT list FROM renewed);
    INSERT INTO entries SELECT r.list, e.created_at, e.post_id, 0
      FROM renewed r JOIN members m ON m.account_id = r.account
      JOIN lists c ON c.kind = 4 AND c.audience_group = -1 - m.audience JOIN entries e ON e.list_id = c.id
      WHERE e.post_id = (
        SELECT n.post_id FROM entries n JOIN posts p ON p.id = n.post_id WHERE n.list_id = c.id AND NOT EXISTS (
          SELECT 1 FROM muted_authors b WHERE b.account_id = r.account AND b.kind = 2 AND b.author_id = p.author_id)
        ORDER BY n.created_at DESC, n.post_id DESC LIMIT 1);
    UPDATE tallies SET entries = (SELECT count(*) FROM entries e WHERE e.list_id = tallies.list_id)
      WHERE list_id IN (SELECT list FROM renewed);
    DROP TABLE renewed;
    """)

  /// To 19: imports can be taken back.
  private static let imports = Migration(
    """
    CREATE TABLE imports (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      account_id INTEGER NOT NULL REFERENCES accounts,
      name TEXT NOT NULL,
      started_at INTEGER NOT NULL,
      new INTEGER NOT NULL,
      changed INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX imports_account ON imports (account_id);
    CREATE TABLE import_ranges (
      import_id INTEGER NOT NULL REFERENCES imports,
      first_post INTEGER NOT NULL,
      last_post INTEGER NOT NULL,
      PRIMARY KEY (import_id, first_post)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX import_ranges_first ON import_ranges (first_post);
    """)

  /// To 20: accounts choose their names, and say something about themselves.
  private static let names = Migration(
    """
    ALTER TABLE accounts ADD COLUMN display_name TEXT;
    ALTER TABLE accounts ADD COLUMN about TEXT NOT NULL DEFAULT '';
    """)

  /// To 17: exports read posts in the order of time.
  private static let orderOfTime = Migration(
    "CREATE INDEX posts_time ON posts (created_at, id) WHERE is_entry = 1;")

  /// To 21: programs that bring posts.
  private static let programs = Migration(
    """
    CREATE TABLE programs (
      source_id INTEGER PRIMARY KEY REFERENCES sources,
      commands INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE logins (
      source_id INTEGER NOT NULL REFERENCES sources,
      name TEXT NOT NULL,
      account_id INTEGER NOT NULL REFERENCES accounts,
      PRIMARY KEY (source_id, name)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE cursors (
      source_id INTEGER NOT NULL REFERENCES sources,
      subject TEXT NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (source_id, subject, name)
    ) STRICT, WITHOUT ROWID;
    """)

  /// To 22: feeds.
  private static let feeds = Migration(
    """
    CREATE TABLE feeds (
      id INTEGER PRIMARY KEY,
      url TEXT NOT NULL,
      account_id INTEGER NOT NULL REFERENCES accounts,
      author_id INTEGER NOT NULL UNIQUE REFERENCES authors,
      scope INTEGER NOT NULL,
      title TEXT NOT NULL,
      interval_minutes INTEGER NOT NULL,
      lifts_edited INTEGER NOT NULL,
      UNIQUE (url, scope)
    ) STRICT;
    """)

  /// To 24: the same link from two feeds stands once. Links are known of posts that come from now on.
  private static let feedLinks = Migration(
    """
    ALTER TABLE feeds ADD COLUMN shows_twice INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE feed_links (
      post_id INTEGER PRIMARY KEY REFERENCES posts,
      link INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX feed_links_link ON feed_links (link);
    """)

  /// To 23: limits of what is kept.
  private static let retention = Migration(
    """
    ALTER TABLE meta ADD COLUMN size_limit INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE retention (
      source_id INTEGER NOT NULL REFERENCES sources,
      feed INTEGER NOT NULL,
      keep_days INTEGER,
      keep_posts INTEGER,
      removed INTEGER NOT NULL,
      PRIMARY KEY (source_id, feed)
    ) STRICT, WITHOUT ROWID;
    """)

  /// To 31: what an account saves is kept in the bookmarks of its login, if it wants that.
  private static let bookmarks = Migration("ALTER TABLE logins ADD COLUMN bookmarks INTEGER NOT NULL DEFAULT 0;")

  /// To 30: an action elsewhere is one login's, and a program hears of logins that were signed out without it.
  private static let endedLogins = Migration(
    """
    ALTER TABLE outbox ADD COLUMN login TEXT NOT NULL DEFAULT '';
    CREATE TABLE ended_logins (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES sources,
      name TEXT NOT NULL,
      UNIQUE (source_id, name)
    ) STRICT;
    """)

  /// To 29: the outbox has edits.
  private static let editsElsewhere = Migration(
    """
    ALTER TABLE outbox ADD COLUMN former_body BLOB;
    ALTER TABLE outbox ADD COLUMN wanted_body BLOB;
    ALTER TABLE outbox ADD COLUMN sent_body BLOB;
    """)

  /// To 28: drafts have a content warning and a language.
  private static let draftWarnings = Migration(
    """
    ALTER TABLE drafts ADD COLUMN warning TEXT NOT NULL DEFAULT '';
    ALTER TABLE drafts ADD COLUMN language TEXT NOT NULL DEFAULT '';
    """)

  /// To 27: attributes of subscriptions in lists of other programs.
  private static let feedAttributes = Migration(
    """
    CREATE TABLE feed_attributes (
      account_id INTEGER NOT NULL REFERENCES accounts,
      feed_id INTEGER NOT NULL REFERENCES feeds,
      attributes TEXT NOT NULL,
      PRIMARY KEY (account_id, feed_id)
    ) STRICT, WITHOUT ROWID;
    """)

  /// To 26: not every feed's post hides others with its link. Those that are here already do.
  private static let ownLinks = Migration(
    """
    ALTER TABLE feed_links ADD COLUMN is_own INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE feed_links ADD COLUMN item INTEGER NOT NULL DEFAULT 0;
    """)

  /// To 25: posts are the word of the server that brought them, which says in which lists they are; gaps may
  /// be lost; logins have limits. What a login's account has of its source is taken to be the word of its first login's
  /// server, except for imported files and what was written here.
  private static let servers = Migration(
    """
    ALTER TABLE posts ADD COLUMN server_id INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE gaps ADD COLUMN lost INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE gaps ADD COLUMN login TEXT NOT NULL DEFAULT '';
    UPDATE gaps SET login = ifnull((
      SELECT l.name FROM logins l WHERE l.source_id = gaps.source_id AND l.account_id = gaps.account_id
      ORDER BY l.name LIMIT 1), '');
    ALTER TABLE logins ADD COLUMN characters INTEGER NOT NULL DEFAULT 500;
    ALTER TABLE logins ADD COLUMN link_characters INTEGER NOT NULL DEFAULT 23;
    CREATE TABLE servers (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES sources,
      host TEXT NOT NULL,
      UNIQUE (source_id, host)
    ) STRICT;
    ALTER TABLE deleted_posts ADD COLUMN server_id INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE deleted_posts ADD COLUMN mentioned TEXT NOT NULL DEFAULT '[]';
    CREATE TEMP TABLE hosts AS
      SELECT source_id, name, account_id, lower(replace(name, rtrim(name, replace(name, '@', '')), '')) AS host FROM logins;
    INSERT INTO servers (source_id, host) SELECT DISTINCT source_id, host FROM hosts ORDER BY source_id, name;
    UPDATE posts SET server_id = (
        SELECT s.id FROM hosts h JOIN servers s ON s.source_id = h.source_id AND s.host = h.host
        WHERE h.source_id = posts.source_id AND h.account_id = posts.owner_id ORDER BY h.name LIMIT 1)
      WHERE EXISTS (SELECT 1 FROM hosts h WHERE h.source_id = posts.source_id AND h.account_id = posts.owner_id)
        AND EXISTS (SELECT 1 FROM authors a WHERE a.id = posts.author_id AND a.source_id = posts.source_id)
        AND NOT EXISTS (
          SELECT 1 FROM import_ranges r WHERE posts.id BETWEEN r.first_post AND r.last_post);
    UPDATE entries SET reason = reason & ~1 | 4
      WHERE reason & 1 <> 0 AND EXISTS (
        SELECT 1 FROM posts p JOIN lists l ON l.id = entries.list_id AND l.kind = 1 AND l.account_id = p.owner_id
        WHERE p.id = entries.post_id AND p.server_id <> 0 AND NOT EXISTS (
          SELECT 1 FROM identities i WHERE i.account_id = l.account_id AND i.author_id = p.author_id));
    DROP TABLE hosts;
    """)
}

/// The tables, and how an older file becomes a newer one.
///
/// `PRAGMA user_version` is the number of migrations a file has been through. Each runs once, in a transaction of its
/// own; none is ever edited after a release: a change is one more migration.
enum Schema {
  /// "Stck": marks the file as ours in its header (https://sqlite.org/fileformat.html, offset 68).
  static let applicationID: Int64 = 0x5374_636B

  /// The version of a file that this build reads and writes.
  static var version: Int { migrations.count }

  /// In order; the first makes an empty file version 1.
  static let migrations: [Migration] = [
    Migration(version1), version2, version3, version4, outbox, quiet, steps, limits, drafts, answers, gaps, reading,
  ]

  /// `meta` has one row: the epoch and the revision (protocol.md, section 2), the number last given to a post (numbers
  /// are never given twice, not even after a delete), and whether the store was closed since it was last written.
  ///
  /// `posts.scope` keeps copies apart: 0 is the one shared copy of a post, an account's number its own private copy, so
  /// that nobody can read or change somebody else's private post by importing one of the same name. `audience` is who
  /// may see it: 0 everyone, n account n alone, -1 nobody, -1 - n circle n (``Audience``). `is_entry` is 0 for
  /// originals that only came inside a repost: they are no entries of lists until they come by themselves. `reply_key`
  /// is the source's name of the post answered, `reply_to` its number once it is here. The body of a repost holds its
  /// visibility only.
  ///
  /// `tallies` counted entries by audience; version 2 made it another.
  /// `natives` is a table of its own so that loading a timeline does not read it.
  private static let version1 = """
    CREATE TABLE meta (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      epoch INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      last_post INTEGER NOT NULL,
      closed INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE accounts (
      id INTEGER PRIMARY KEY,
      uid INTEGER UNIQUE,
      name TEXT NOT NULL UNIQUE
    ) STRICT;

    CREATE TABLE sources (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE
    ) STRICT;

    CREATE TABLE authors (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES sources,
      native_id TEXT NOT NULL,
      handle TEXT NOT NULL,
      display_name TEXT NOT NULL,
      avatar_url TEXT NOT NULL,
      UNIQUE (source_id, native_id)
    ) STRICT;

    CREATE TABLE identities (
      account_id INTEGER NOT NULL REFERENCES accounts,
      author_id INTEGER NOT NULL REFERENCES authors,
      PRIMARY KEY (account_id, author_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE posts (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES sources,
      native_id TEXT NOT NULL,
      scope INTEGER NOT NULL,
      owner_id INTEGER NOT NULL REFERENCES accounts,
      author_id INTEGER NOT NULL REFERENCES authors,
      created_at INTEGER NOT NULL,
      visibility INTEGER NOT NULL,
      audience INTEGER NOT NULL,
      is_entry INTEGER NOT NULL,
      repost_of INTEGER REFERENCES posts,
      reply_to INTEGER REFERENCES posts,
      reply_key TEXT,
      body BLOB NOT NULL,
      UNIQUE (source_id, native_id, scope)
    ) STRICT;
    CREATE INDEX posts_timeline ON posts (audience, created_at, id) WHERE is_entry = 1;
    CREATE INDEX posts_reposts ON posts (repost_of) WHERE repost_of IS NOT NULL;
    CREATE INDEX posts_replies ON posts (reply_to) WHERE reply_to IS NOT NULL;
    CREATE INDEX posts_waiting ON posts (source_id, reply_key) WHERE reply_to IS NULL AND reply_key IS NOT NULL;

    CREATE TABLE tallies (
      audience INTEGER PRIMARY KEY,
      entries INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE aliases (
      source_id INTEGER NOT NULL REFERENCES sources,
      alias TEXT NOT NULL,
      post_id INTEGER NOT NULL REFERENCES posts,
      PRIMARY KEY (source_id, alias, post_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX aliases_post ON aliases (post_id);

    CREATE TABLE natives (
      post_id INTEGER PRIMARY KEY REFERENCES posts,
      json BLOB NOT NULL
    ) STRICT;

    CREATE TABLE sessions (
      account_id INTEGER NOT NULL REFERENCES accounts,
      name TEXT NOT NULL,
      bytes BLOB NOT NULL,
      revision INTEGER NOT NULL,
      PRIMARY KEY (account_id, name)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE requests (
      id INTEGER PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts,
      request_id TEXT NOT NULL,
      post_id INTEGER NOT NULL REFERENCES posts,
      UNIQUE (account_id, request_id)
    ) STRICT;
    """
}

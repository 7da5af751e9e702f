/// The tables about programs that speak for sources.
enum ProgramTables {
  static let sql = """
    ---- Programs that speak for sources (docs/UPSTREAM.md)

    -- The sources whose programs speak protocol 2, and what each carries out, as bits numbered by
    -- OutboxEntry.Operation, bit 32 for direct posts, and bit 33 for files.
    CREATE TABLE programs (
      source_id INTEGER PRIMARY KEY REFERENCES sources,
      commands INTEGER NOT NULL
    ) STRICT;

    -- The accounts elsewhere that a source's program speaks for, each for an account here, with its PostLimits. With
    -- bookmarks what the account saves is kept there, too.
    CREATE TABLE logins (
      source_id INTEGER NOT NULL REFERENCES sources,
      name TEXT NOT NULL,
      account_id INTEGER NOT NULL REFERENCES accounts,
      characters INTEGER NOT NULL DEFAULT 500,
      link_characters INTEGER NOT NULL DEFAULT 23,
      bookmarks INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (source_id, name)
    ) STRICT, WITHOUT ROWID;

    -- Logins that were signed out without a word of their program, which is told when it starts.
    CREATE TABLE ended_logins (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES sources,
      name TEXT NOT NULL,
      UNIQUE (source_id, name)
    ) STRICT;

    -- The servers at which logins are: what follows the last "@" of a login's name, in lower case.
    CREATE TABLE servers (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES sources,
      host TEXT NOT NULL,
      UNIQUE (source_id, host)
    ) STRICT;

    -- How far a program has read, in its own words; subject is the name of a login or feed.
    CREATE TABLE cursors (
      source_id INTEGER NOT NULL REFERENCES sources,
      subject TEXT NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (source_id, subject, name)
    ) STRICT, WITHOUT ROWID;

    -- Feeds: those who follow its author subscribe to it. account_id added it first; scope is 0, or that account if the
    -- feed is its alone. title, interval_minutes, lifts_edited and shows_twice are what a person has chosen, empty or 0
    -- for nothing.
    CREATE TABLE feeds (
      id INTEGER PRIMARY KEY,
      url TEXT NOT NULL,
      account_id INTEGER NOT NULL REFERENCES accounts,
      author_id INTEGER NOT NULL UNIQUE REFERENCES authors,
      scope INTEGER NOT NULL,
      title TEXT NOT NULL,
      interval_minutes INTEGER NOT NULL,
      lifts_edited INTEGER NOT NULL,
      shows_twice INTEGER NOT NULL DEFAULT 0,
      UNIQUE (url, scope)
    ) STRICT;

    -- What an account's list of subscriptions said of a feed and means nothing here (NewFeed.attributes).
    CREATE TABLE feed_attributes (
      account_id INTEGER NOT NULL REFERENCES accounts,
      feed_id INTEGER NOT NULL REFERENCES feeds,
      attributes TEXT NOT NULL,
      PRIMARY KEY (account_id, feed_id)
    ) STRICT, WITHOUT ROWID;

    -- The links of feeds' posts as hashes, and what they decide (FeedLink).
    CREATE TABLE feed_links (
      post_id INTEGER PRIMARY KEY REFERENCES posts,
      link INTEGER NOT NULL,
      is_own INTEGER NOT NULL DEFAULT 1,
      item INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX feed_links_link ON feed_links (link);

    -- How much is kept of a source or, if feed is not 0, of a feed (KeepRule), and the number of posts removed so far.
    CREATE TABLE retention (
      source_id INTEGER NOT NULL REFERENCES sources,
      feed INTEGER NOT NULL,
      keep_days INTEGER,
      keep_posts INTEGER,
      removed INTEGER NOT NULL,
      PRIMARY KEY (source_id, feed)
    ) STRICT, WITHOUT ROWID;
    """
}

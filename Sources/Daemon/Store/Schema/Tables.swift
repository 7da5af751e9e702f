extension Schema {
  /// The version of a store that ``tables`` make.
  static let tablesVersion = 13

  /// All tables and indexes, as a new store has them.
  ///
  /// Comments stand before the statements: SQLite keeps the text of a statement, and what is in it, in the file.
  static let tables = """
    -- One row: the epoch and the revision (docs/PROTOCOL.md), the number last given to a post (none is given twice, not
    -- even after a delete), and whether the store was closed since it was last written.
    CREATE TABLE meta (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      epoch INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      last_post INTEGER NOT NULL,
      closed INTEGER NOT NULL
    ) STRICT;

    ---- Accounts and authors

    -- post_limit: how long the account's posts may be, where it has set that.
    CREATE TABLE accounts (
      id INTEGER PRIMARY KEY,
      uid INTEGER UNIQUE,
      name TEXT NOT NULL UNIQUE,
      post_limit INTEGER
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
    CREATE INDEX authors_handle ON authors (handle COLLATE NOCASE);

    -- The authors that an account is: the one of what it writes here, and those that it has claimed.
    CREATE TABLE identities (
      account_id INTEGER NOT NULL REFERENCES accounts,
      author_id INTEGER NOT NULL REFERENCES authors,
      PRIMARY KEY (account_id, author_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX identities_author ON identities (author_id, account_id);

    -- bytes is the engine's; revision and places_revision are those of the commits that last changed each.
    CREATE TABLE sessions (
      account_id INTEGER NOT NULL REFERENCES accounts,
      name TEXT NOT NULL,
      bytes BLOB NOT NULL,
      revision INTEGER NOT NULL,
      places BLOB NOT NULL DEFAULT x'',
      places_revision INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (account_id, name)
    ) STRICT, WITHOUT ROWID;

    -- Numbers of tokens are never given twice.
    CREATE TABLE tokens (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      account_id INTEGER NOT NULL REFERENCES accounts,
      name TEXT NOT NULL,
      scopes INTEGER NOT NULL,
      hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX tokens_account ON tokens (account_id);

    -- What commands with a request id did. post_id refers to no post: a command that is sent again
    -- after its post was deleted does not make it again.
    CREATE TABLE requests (
      id INTEGER PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts,
      request_id TEXT NOT NULL,
      post_id INTEGER NOT NULL,
      UNIQUE (account_id, request_id)
    ) STRICT;

    -- Texts that an account has begun: a post (kind 0), an answer (1) or another text (2) for a post, which may be gone
    -- by then. Numbers are never given twice; request_id is the client's name for a draft before it knew the number.
    CREATE TABLE drafts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      account_id INTEGER NOT NULL REFERENCES accounts,
      kind INTEGER NOT NULL,
      post_id INTEGER,
      text TEXT NOT NULL,
      updated_at INTEGER NOT NULL,
      request_id TEXT NOT NULL
    ) STRICT;
    CREATE INDEX drafts_account ON drafts (account_id, request_id);

    ---- Posts

    -- scope keeps copies apart: 0 is the one shared copy of a post, an account's number its own private copy, so that
    -- nobody can read or change another account's private post by importing one of the same name. audience is who may
    -- see it: 0 everyone, n account n alone, -1 nobody, -1 - n circle n (Audience). is_entry is 0 for originals that
    -- only came inside a repost: they are entries of no list until they come by themselves. reply_key is the source's
    -- name of the post answered, reply_to its number once it is here. The body of a repost holds its visibility only.
    -- marks is what accounts did to the post (PostMarks); a repost has none, those of its original hold.
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
      marks BLOB NOT NULL DEFAULT x'',
      UNIQUE (source_id, native_id, scope)
    ) STRICT;
    CREATE INDEX posts_reposts ON posts (repost_of) WHERE repost_of IS NOT NULL;
    CREATE INDEX posts_replies ON posts (reply_to) WHERE reply_to IS NOT NULL;
    CREATE INDEX posts_waiting ON posts (source_id, reply_key) WHERE reply_to IS NULL AND reply_key IS NOT NULL;
    CREATE INDEX posts_author ON posts (author_id, created_at, id, audience) WHERE is_entry = 1;

    CREATE TABLE aliases (
      source_id INTEGER NOT NULL REFERENCES sources,
      alias TEXT NOT NULL,
      post_id INTEGER NOT NULL REFERENCES posts,
      PRIMARY KEY (source_id, alias, post_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX aliases_post ON aliases (post_id);

    -- The source's own JSON: a table of its own so that loading a timeline does not read it.
    CREATE TABLE natives (
      post_id INTEGER PRIMARY KEY REFERENCES posts,
      json BLOB NOT NULL
    ) STRICT;

    -- What accounts are known not to have (Gap): instants in milliseconds, both ends exclusive; missing is 0 where
    -- nobody knows. id is a number out of those of posts.
    CREATE TABLE gaps (
      id INTEGER PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts,
      source_id INTEGER NOT NULL REFERENCES sources,
      newer_at INTEGER NOT NULL,
      older_at INTEGER NOT NULL,
      missing INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX gaps_account ON gaps (account_id, newer_at);

    ---- Circles and lists (docs/adr/0011)

    -- The circle of an account's followers, with the account itself as its keeper, or the same and another keeper, who
    -- was a follower, wrote for them and is none any more; or that of the people of a direct conversation: their
    -- numbers, ascending, between commas.
    CREATE TABLE circles (
      id INTEGER PRIMARY KEY,
      account_id INTEGER REFERENCES accounts,
      keeper_id INTEGER REFERENCES accounts,
      people TEXT UNIQUE,
      UNIQUE (account_id, keeper_id),
      CHECK ((account_id IS NULL) <> (people IS NULL) AND (account_id IS NULL) = (keeper_id IS NULL))
    ) STRICT;

    -- Who may see what: for account A a row of audience 0, one of audience A, and one for each circle that A is in.
    -- Every query asks it and nothing else.
    CREATE TABLE members (
      account_id INTEGER NOT NULL REFERENCES accounts,
      audience INTEGER NOT NULL,
      PRIMARY KEY (account_id, audience)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX members_audience ON members (audience, account_id);

    -- Kinds are those of ListKind; circle is that of a list of kind 4, which belongs to no single account. Numbers are
    -- never given twice.
    CREATE TABLE lists (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind INTEGER NOT NULL,
      account_id INTEGER REFERENCES accounts,
      circle INTEGER UNIQUE REFERENCES circles,
      name TEXT NOT NULL,
      UNIQUE (kind, account_id, name)
    ) STRICT;

    -- Whose posts go into a home list (whom its account follows) or a made one.
    CREATE TABLE list_authors (
      list_id INTEGER NOT NULL REFERENCES lists,
      author_id INTEGER NOT NULL REFERENCES authors,
      PRIMARY KEY (list_id, author_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX list_authors_author ON list_authors (author_id, list_id);

    -- What is in a list, and why (Reason): written when posts are. tallies has how many.
    CREATE TABLE entries (
      list_id INTEGER NOT NULL REFERENCES lists,
      created_at INTEGER NOT NULL,
      post_id INTEGER NOT NULL REFERENCES posts,
      reason INTEGER NOT NULL,
      PRIMARY KEY (list_id, created_at, post_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE tallies (
      list_id INTEGER PRIMARY KEY REFERENCES lists,
      entries INTEGER NOT NULL
    ) STRICT;

    -- An author's entries by audience, and the others, which only came inside of reposts.
    CREATE TABLE author_tallies (
      author_id INTEGER NOT NULL REFERENCES authors,
      audience INTEGER NOT NULL,
      entries INTEGER NOT NULL,
      others INTEGER NOT NULL,
      PRIMARY KEY (author_id, audience)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX author_tallies_audience ON author_tallies (audience, author_id);

    -- The newest entry of a section that an account has seen.
    CREATE TABLE seen (
      account_id INTEGER NOT NULL REFERENCES accounts,
      section INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      post_id INTEGER NOT NULL,
      PRIMARY KEY (account_id, section)
    ) STRICT, WITHOUT ROWID;

    ---- Muted and blocked (docs/adr/0019)

    -- kind is a QuietKind.
    CREATE TABLE quiet_authors (
      account_id INTEGER NOT NULL REFERENCES accounts,
      kind INTEGER NOT NULL,
      author_id INTEGER NOT NULL REFERENCES authors,
      PRIMARY KEY (account_id, kind, author_id)
    ) STRICT, WITHOUT ROWID;

    -- In the spelling of MutedWord.
    CREATE TABLE quiet_words (
      account_id INTEGER NOT NULL REFERENCES accounts,
      word TEXT NOT NULL,
      PRIMARY KEY (account_id, word)
    ) STRICT, WITHOUT ROWID;

    -- Posts that stand for conversations (ConversationMutes); one that is away may come back.
    CREATE TABLE muted_conversations (
      account_id INTEGER NOT NULL REFERENCES accounts,
      post_id INTEGER NOT NULL,
      PRIMARY KEY (account_id, post_id)
    ) STRICT, WITHOUT ROWID;

    ---- Undo (docs/adr/0025)

    -- What accounts did, in the order of id, the newest of each. state is 0 for what is done, 1 for what was taken back
    -- and may be done again, 2 for what could not be. The other columns are those of Step.
    CREATE TABLE steps (
      account_id INTEGER NOT NULL REFERENCES accounts,
      id INTEGER NOT NULL,
      state INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      is_on INTEGER NOT NULL,
      subject INTEGER NOT NULL,
      object INTEGER NOT NULL,
      before BLOB NOT NULL,
      after BLOB NOT NULL,
      PRIMARY KEY (account_id, id)
    ) STRICT, WITHOUT ROWID;

    -- Posts that a step took away, as they were in posts, with what else was theirs. Rows go with their step.
    CREATE TABLE trash (
      account_id INTEGER NOT NULL REFERENCES accounts,
      step INTEGER NOT NULL,
      id INTEGER NOT NULL,
      source_id INTEGER NOT NULL REFERENCES sources,
      native_id TEXT NOT NULL,
      scope INTEGER NOT NULL,
      owner_id INTEGER NOT NULL REFERENCES accounts,
      author_id INTEGER NOT NULL REFERENCES authors,
      created_at INTEGER NOT NULL,
      visibility INTEGER NOT NULL,
      audience INTEGER NOT NULL,
      is_entry INTEGER NOT NULL,
      repost_of INTEGER,
      reply_to INTEGER,
      reply_key TEXT,
      body BLOB NOT NULL,
      marks BLOB NOT NULL,
      json BLOB,
      aliases TEXT NOT NULL,
      importers TEXT NOT NULL,
      PRIMARY KEY (account_id, step, id)
    ) STRICT, WITHOUT ROWID;

    ---- The index of words (docs/adr/0012)

    -- FTS5 without contents, by SearchKey. It is given tokens that are made already (SearchedPost) and a tokenizer that
    -- only splits them at spaces. It keeps positions, for phrases, but no sizes, which are for ranking. FTS5 merges
    -- nothing by itself: SearchWriter has it merge, when sixteen pieces of a size have come together.
    CREATE VIRTUAL TABLE search USING fts5 (
      words, content = '', columnsize = 0, tokenize = "ascii tokenchars '#@:~=_-.'"
    );
    INSERT INTO search (search, rank) VALUES ('automerge', 0), ('usermerge', 16), ('crisismerge', 64);

    -- Which post a key is of.
    CREATE TABLE search_posts (
      key INTEGER PRIMARY KEY,
      post_id INTEGER NOT NULL REFERENCES posts
    ) STRICT;

    -- Shows the index token by token, for its check (https://sqlite.org/fts5.html#the_fts5vocab_virtual_table_module).
    CREATE VIRTUAL TABLE search_tokens USING fts5vocab (search, instance);

    ---- What is wanted of sources elsewhere (docs/adr/0021)

    -- An OutboxEntry a row, of the post's source. Rows go with their post.
    CREATE TABLE outbox (
      sequence INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES sources,
      post_id INTEGER NOT NULL REFERENCES posts,
      account_id INTEGER NOT NULL REFERENCES accounts,
      errand INTEGER NOT NULL,
      request TEXT NOT NULL UNIQUE,
      truth INTEGER NOT NULL,
      wanted INTEGER NOT NULL,
      asked INTEGER,
      failure TEXT,
      kept INTEGER NOT NULL,
      UNIQUE (post_id, account_id, errand)
    ) STRICT;
    CREATE INDEX outbox_account ON outbox (account_id, sequence);
    CREATE INDEX outbox_waiting ON outbox (source_id, sequence) WHERE asked IS NULL AND failure IS NULL;
    CREATE INDEX outbox_asked ON outbox (source_id, sequence) WHERE asked IS NOT NULL;

    -- The sequence last given. None is given twice, so that no name under which a source was asked ever means something
    -- else.
    CREATE TABLE outbox_numbers (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      last INTEGER NOT NULL
    ) STRICT;
    INSERT INTO outbox_numbers VALUES (1, 0);
    """
}

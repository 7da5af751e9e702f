extension Schema {
  /// All tables and indexes of a new store.
  ///
  /// Comments are outside the statements, because SQLite stores the text of each statement in the file.
  static let tables = """
    -- One row: the epoch and the revision (docs/PROTOCOL.md), the last post ID given (none is reused, not even after a
    -- delete), whether the store was closed since its last write, a FollowPolicy, and the size in bytes above which old
    -- posts are removed, 0 for none.
    CREATE TABLE meta (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      epoch INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      last_post INTEGER NOT NULL,
      closed INTEGER NOT NULL,
      follows INTEGER NOT NULL DEFAULT 1,
      size_limit INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    ---- Accounts and authors

    -- post_limit: the maximum length of the account's posts, if the account has set one. display_name: the name that it
    -- has chosen, if any; its author has it too. about: a line about itself.
    CREATE TABLE accounts (
      id INTEGER PRIMARY KEY,
      uid INTEGER UNIQUE,
      name TEXT NOT NULL UNIQUE,
      post_limit INTEGER,
      display_name TEXT,
      about TEXT NOT NULL DEFAULT ''
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

    -- The identities of an account: the author of its local posts, and the authors that it has claimed.
    CREATE TABLE identities (
      account_id INTEGER NOT NULL REFERENCES accounts,
      author_id INTEGER NOT NULL REFERENCES authors,
      PRIMARY KEY (account_id, author_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX identities_author ON identities (author_id, account_id);

    -- bytes belongs to the engine; revision and places_revision are the commits that last changed bytes and places.
    CREATE TABLE sessions (
      account_id INTEGER NOT NULL REFERENCES accounts,
      name TEXT NOT NULL,
      bytes BLOB NOT NULL,
      revision INTEGER NOT NULL,
      places BLOB NOT NULL DEFAULT x'',
      places_revision INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (account_id, name)
    ) STRICT, WITHOUT ROWID;

    -- Token IDs are never reused.
    CREATE TABLE tokens (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      account_id INTEGER NOT NULL REFERENCES accounts,
      name TEXT NOT NULL,
      scopes INTEGER NOT NULL,
      hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX tokens_account ON tokens (account_id);

    -- What commands with a request ID did: subject is the number of a post (kind 0: written, marked or edited; 1:
    -- deleted) or of an undo entry (2: undone or redone; 3: could not be). It is not a foreign key: a command that is
    -- repeated after its post was deleted does not store the post again.
    CREATE TABLE requests (
      id INTEGER PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts,
      request_id TEXT NOT NULL,
      kind INTEGER NOT NULL,
      subject INTEGER NOT NULL,
      UNIQUE (account_id, request_id)
    ) STRICT;

    -- Drafts: a post (kind 0), a reply to a post (1) or an edit of a post (2), plus 4 for each visibility known, from
    -- public (4) to direct (16); the post may have been deleted. IDs are never reused; request_id is the client's name
    -- for a draft until it knows the ID.
    CREATE TABLE drafts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      account_id INTEGER NOT NULL REFERENCES accounts,
      kind INTEGER NOT NULL,
      post_id INTEGER,
      text TEXT NOT NULL,
      updated_at INTEGER NOT NULL,
      request_id TEXT NOT NULL,
      warning TEXT NOT NULL DEFAULT '',
      language TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE INDEX drafts_account ON drafts (account_id, request_id);

    ---- Posts

    -- scope separates copies: 0 is the shared copy of a post, an account ID marks that account's private copy, so that
    -- nobody can read or change another account's private post by importing one with the same name. audience decides
    -- who may see the post: 0 everyone, n account n alone, -1 nobody, -1 - n audience group n (Audience). is_entry is 0
    -- for originals that only came inside a repost: they are in no list until they come by themselves. reply_key is the
    -- source's name of the parent, reply_to its ID once it is here. The body of a repost holds its visibility only.
    -- visibility is narrower than in the body for what is imported in the name of others (ImportSharing).
    -- marks holds what accounts did to the post (PostMarks); a repost has none and uses those of its original.
    -- server_id is the server whose word the post is, which also says in which lists of an account it is; 0 for a post
    -- that was written here or that a file or a feed brought.
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
      server_id INTEGER NOT NULL DEFAULT 0,
      UNIQUE (source_id, native_id, scope)
    ) STRICT;
    CREATE INDEX posts_reposts ON posts (repost_of) WHERE repost_of IS NOT NULL;
    CREATE INDEX posts_replies ON posts (reply_to) WHERE reply_to IS NOT NULL;
    CREATE INDEX posts_waiting ON posts (source_id, reply_key) WHERE reply_to IS NULL AND reply_key IS NOT NULL;
    CREATE INDEX posts_time ON posts (created_at, id) WHERE is_entry = 1;
    CREATE INDEX posts_author ON posts (author_id, created_at, id, audience) WHERE is_entry = 1;

    CREATE TABLE aliases (
      source_id INTEGER NOT NULL REFERENCES sources,
      alias TEXT NOT NULL,
      post_id INTEGER NOT NULL REFERENCES posts,
      PRIMARY KEY (source_id, alias, post_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX aliases_post ON aliases (post_id);

    -- The source's own JSON, in a separate table so that loading a timeline does not read it.
    CREATE TABLE natives (
      post_id INTEGER PRIMARY KEY REFERENCES posts,
      json BLOB NOT NULL
    ) STRICT;

    -- Gaps in an account's timeline (Gap): instants in milliseconds, both ends exclusive; missing is the number of
    -- posts, 0 if unknown; lost is 1 if the source no longer has them; login lacks them, empty
    -- where a file says so. id is taken from the IDs of posts.
    CREATE TABLE gaps (
      id INTEGER PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts,
      source_id INTEGER NOT NULL REFERENCES sources,
      newer_at INTEGER NOT NULL,
      older_at INTEGER NOT NULL,
      missing INTEGER NOT NULL,
      lost INTEGER NOT NULL DEFAULT 0,
      login TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE INDEX gaps_account ON gaps (account_id, newer_at);

    -- Imports that can be taken back (ImportRun), with the number of posts that each brought first and changed. IDs are
    -- never reused.
    CREATE TABLE imports (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      account_id INTEGER NOT NULL REFERENCES accounts,
      name TEXT NOT NULL,
      started_at INTEGER NOT NULL,
      new INTEGER NOT NULL,
      changed INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX imports_account ON imports (account_id);

    -- The numbers of the posts that an import brought first: all posts between the two, both inclusive.
    CREATE TABLE import_ranges (
      import_id INTEGER NOT NULL REFERENCES imports,
      first_post INTEGER NOT NULL,
      last_post INTEGER NOT NULL,
      PRIMARY KEY (import_id, first_post)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX import_ranges_first ON import_ranges (first_post);

    ---- Audience groups and lists (docs/adr/0011)

    -- Either the followers of an account and a writer, or the people of a direct conversation. The writer is the
    -- account itself, or a former follower who wrote for the others and still sees those posts. people has the account
    -- IDs, ascending, separated by commas; of a conversation elsewhere it is the key of RemotePeople.
    CREATE TABLE audience_groups (
      id INTEGER PRIMARY KEY,
      account_id INTEGER REFERENCES accounts,
      writer_id INTEGER REFERENCES accounts,
      people TEXT UNIQUE,
      UNIQUE (account_id, writer_id),
      CHECK ((account_id IS NULL) <> (people IS NULL) AND (account_id IS NULL) = (writer_id IS NULL))
    ) STRICT;

    -- Who may see what: for account A a row for audience 0, one for audience A, and one for each audience group that A
    -- is in. Every query joins this table, and nothing else decides what is visible.
    CREATE TABLE members (
      account_id INTEGER NOT NULL REFERENCES accounts,
      audience INTEGER NOT NULL,
      PRIMARY KEY (account_id, audience)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX members_audience ON members (audience, account_id);

    -- kind is a ListKind. audience_group is set for lists of kind 4, which belong to no single account. IDs are never
    -- reused.
    CREATE TABLE lists (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind INTEGER NOT NULL,
      account_id INTEGER REFERENCES accounts,
      audience_group INTEGER UNIQUE REFERENCES audience_groups,
      name TEXT NOT NULL,
      UNIQUE (kind, account_id, name)
    ) STRICT;

    -- The authors whose posts go into a home list (the followed ones) or a user-made one.
    CREATE TABLE list_authors (
      list_id INTEGER NOT NULL REFERENCES lists,
      author_id INTEGER NOT NULL REFERENCES authors,
      PRIMARY KEY (list_id, author_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX list_authors_author ON list_authors (author_id, list_id);

    -- Open requests of an account to follow another one, its leader. id is taken from the IDs of posts.
    CREATE TABLE follow_requests (
      id INTEGER PRIMARY KEY,
      leader_id INTEGER NOT NULL REFERENCES accounts,
      account_id INTEGER NOT NULL REFERENCES accounts,
      created_at INTEGER NOT NULL,
      UNIQUE (leader_id, account_id)
    ) STRICT;
    CREATE INDEX follow_requests_account ON follow_requests (account_id);

    -- The posts in a list, and the reason (Reason), written along with the posts. tallies has their number.
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

    -- The number of an author's entries by audience, and of the other posts, which only came inside reposts.
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

    -- kind is an AuthorMuteKind.
    CREATE TABLE muted_authors (
      account_id INTEGER NOT NULL REFERENCES accounts,
      kind INTEGER NOT NULL,
      author_id INTEGER NOT NULL REFERENCES authors,
      PRIMARY KEY (account_id, kind, author_id)
    ) STRICT, WITHOUT ROWID;

    -- Words in the spelling of MutedWord.
    CREATE TABLE muted_words (
      account_id INTEGER NOT NULL REFERENCES accounts,
      word TEXT NOT NULL,
      PRIMARY KEY (account_id, word)
    ) STRICT, WITHOUT ROWID;

    -- Posts that represent conversations (ConversationMutes). post_id is not a foreign key: a deleted post may be
    -- restored.
    CREATE TABLE muted_conversations (
      account_id INTEGER NOT NULL REFERENCES accounts,
      post_id INTEGER NOT NULL,
      PRIMARY KEY (account_id, post_id)
    ) STRICT, WITHOUT ROWID;

    ---- Undo (docs/adr/0025)

    -- The newest changes of each account, in the order of id. state is 0 for a change that is done, 1 for one that was
    -- undone and can be redone, 2 for one that could not be undone or redone. The other columns are those of UndoEntry.
    CREATE TABLE undo_entries (
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

    -- Posts deleted by an undo entry, with their row in posts and everything that belonged to it: importers and
    -- mentioned are the accounts in whose home lists and mentions they were by Reason.imported. Rows are deleted with
    -- their undo entry.
    CREATE TABLE deleted_posts (
      account_id INTEGER NOT NULL REFERENCES accounts,
      undo_entry INTEGER NOT NULL,
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
      server_id INTEGER NOT NULL DEFAULT 0,
      mentioned TEXT NOT NULL DEFAULT '[]',
      PRIMARY KEY (account_id, undo_entry, id)
    ) STRICT, WITHOUT ROWID;

    ---- The search index (docs/adr/0012)

    -- A contentless FTS5 table, by SearchKey. It is given ready-made tokens (SearchedPost) and a tokenizer that only
    -- splits them at spaces. It keeps positions, for phrases, but no sizes, which are for ranking. FTS5 merges nothing
    -- by itself: SearchWriter makes it merge when sixteen segments of a size have accumulated.
    CREATE VIRTUAL TABLE search USING fts5 (
      words, content = '', columnsize = 0, tokenize = "ascii tokenchars '#@:~=_-.'"
    );
    INSERT INTO search (search, rank) VALUES ('automerge', 0), ('usermerge', 16), ('crisismerge', 64);

    -- The post of each key.
    CREATE TABLE search_posts (
      key INTEGER PRIMARY KEY,
      post_id INTEGER NOT NULL REFERENCES posts
    ) STRICT;

    -- Lists the index token by token, for the integrity check
    -- (https://sqlite.org/fts5.html#the_fts5vocab_virtual_table_module).
    CREATE VIRTUAL TABLE search_tokens USING fts5vocab (search, instance);

    ---- Actions waiting for their source (docs/adr/0021)

    -- One OutboxEntry per row, for the post's source. Rows are deleted with their post.
    CREATE TABLE outbox (
      sequence INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES sources,
      post_id INTEGER NOT NULL REFERENCES posts,
      account_id INTEGER NOT NULL REFERENCES accounts,
      operation INTEGER NOT NULL,
      request TEXT NOT NULL UNIQUE,
      truth INTEGER NOT NULL,
      wanted INTEGER NOT NULL,
      asked INTEGER,
      failure TEXT,
      kept INTEGER NOT NULL,
      former_body BLOB,
      wanted_body BLOB,
      sent_body BLOB,
      login TEXT NOT NULL DEFAULT '',
      UNIQUE (post_id, account_id, operation)
    ) STRICT;
    CREATE INDEX outbox_account ON outbox (account_id, sequence);
    CREATE INDEX outbox_waiting ON outbox (source_id, sequence) WHERE asked IS NULL AND failure IS NULL;
    CREATE INDEX outbox_asked ON outbox (source_id, sequence) WHERE asked IS NOT NULL;

    -- The last sequence given. None is reused, so that each name under which a source was asked means one thing.
    CREATE TABLE outbox_numbers (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      last INTEGER NOT NULL
    ) STRICT;
    INSERT INTO outbox_numbers VALUES (1, 0);
    """ + ProgramTables.sql
}

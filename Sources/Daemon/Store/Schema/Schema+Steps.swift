extension Schema {
  /// What accounts did, so that it can be taken back (docs/adr/0025).
  ///
  /// `steps` has the newest ``StoreLimits/steps`` of each account in the order of `id`; `state` is 0 for what is done,
  /// 1 for what was taken back and may be done again, 2 for what could not be. The other columns are those of ``Step``.
  /// `trash` has the posts that a step took away, as they were in `posts`, with what else was theirs; it goes with its
  /// step.
  static let steps = Migration(
    """
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
    """)
}

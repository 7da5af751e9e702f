extension Schema {
  /// What accounts are known not to have (``Gap``): instants in milliseconds, both ends exclusive; `missing` is 0 where
  /// nobody knows. `id` is a number out of those of posts.
  static let gaps = Migration(
    """
    CREATE TABLE gaps (
      id INTEGER PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts,
      source_id INTEGER NOT NULL REFERENCES sources,
      newer_at INTEGER NOT NULL,
      older_at INTEGER NOT NULL,
      missing INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX gaps_account ON gaps (account_id, newer_at);
    """)
}

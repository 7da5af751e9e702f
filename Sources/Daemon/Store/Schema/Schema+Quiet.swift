extension Schema {
  /// What accounts do not want to see (docs/adr/0019): authors by ``QuietKind``, and words in the spelling of
  /// `MutedWord`.
  static let quiet = Migration(
    """
    CREATE TABLE quiet_authors (
      account_id INTEGER NOT NULL REFERENCES accounts,
      kind INTEGER NOT NULL,
      author_id INTEGER NOT NULL REFERENCES authors,
      PRIMARY KEY (account_id, kind, author_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE quiet_words (
      account_id INTEGER NOT NULL REFERENCES accounts,
      word TEXT NOT NULL,
      PRIMARY KEY (account_id, word)
    ) STRICT, WITHOUT ROWID;
    """)
}

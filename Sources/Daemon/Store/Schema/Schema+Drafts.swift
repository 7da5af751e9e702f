extension Schema {
  /// Texts that are begun: of an account, as a post (0), an answer (1) or another text (2) for a post, which may be
  /// gone by then. Numbers are never given twice; `request_id` is what the client called it before it knew its number.
  static let drafts = Migration(
    """
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
    """)
}

extension Schema {
  /// To 16: an account may have to approve its followers. A store from before stays as it was: `open`.
  static let follows = Migration(
    """
    ALTER TABLE meta ADD COLUMN follows INTEGER NOT NULL DEFAULT 1;
    CREATE TABLE follow_requests (
      id INTEGER PRIMARY KEY,
      leader_id INTEGER NOT NULL REFERENCES accounts,
      account_id INTEGER NOT NULL REFERENCES accounts,
      created_at INTEGER NOT NULL,
      UNIQUE (leader_id, account_id)
    ) STRICT;
    CREATE INDEX follow_requests_account ON follow_requests (account_id);
    """)
}

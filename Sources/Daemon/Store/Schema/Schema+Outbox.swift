extension Schema {
  /// What is wanted of sources elsewhere (docs/adr/0021): an ``OutboxEntry`` a row, of the post's source. Rows go with
  /// their post.
  ///
  /// `outbox_numbers` has the sequence last given; none is given twice, so that no name under which a source was asked
  /// ever means something else.
  static let outbox = Migration(
    """
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

    CREATE TABLE outbox_numbers (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      last INTEGER NOT NULL
    ) STRICT;
    INSERT INTO outbox_numbers VALUES (1, 0);
    """)
}

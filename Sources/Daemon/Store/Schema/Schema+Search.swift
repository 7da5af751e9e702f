internal import Dates
internal import Posts

extension Schema {
  /// The index of words (docs/adr/0012).
  ///
  /// `search` is an FTS5 table without contents, by ``SearchKey``; it is given tokens that are made already
  /// (``SearchedPost/document(_:)``) and a tokenizer that only splits them at spaces. It keeps positions for phrases,
  /// but no sizes, which are for ranking. `search_posts` has which post a key is of. `search_tokens` has nothing of its
  /// own: it shows the index token by token, for its check
  /// (https://sqlite.org/fts5.html#the_fts5vocab_virtual_table_module).
  ///
  /// FTS5 merges nothing by itself: ``SearchWriter`` has it merge, when sixteen pieces of a size have come together.
  static let version3 = Migration(
    """
    CREATE VIRTUAL TABLE search USING fts5 (
      words, content = '', columnsize = 0, tokenize = "ascii tokenchars '#@:~=_-.'"
    );
    INSERT INTO search (search, rank) VALUES ('automerge', 0), ('usermerge', 16), ('crisismerge', 64);

    CREATE TABLE search_posts (
      key INTEGER PRIMARY KEY,
      post_id INTEGER NOT NULL REFERENCES posts
    ) STRICT;

    CREATE VIRTUAL TABLE search_tokens USING fts5vocab (search, instance);
    """
  ) { connection throws(StoreError) in
    let posts = try connection.prepare(
      "SELECT created_at, author_id, audience, body, id FROM posts WHERE repost_of IS NULL AND audience <> -1 ORDER BY created_at, id"
    )
    var writer = SearchWriter(connection)
    var count = 0
    while try posts.step() {
      try writer.prepare(PostID(posts.integer(4)), .init(before: nil, after: SearchedPost(row: posts)))
      count += 1
      guard count % postsPerPiece == 0 else { continue }
      try writer.write()
      try writer.merge(after: postsPerPiece, revision: 0)
    }
    try writer.write()
  }

  /// Posts that are indexed at a time when an older store is opened.
  private static let postsPerPiece = 1_000
}

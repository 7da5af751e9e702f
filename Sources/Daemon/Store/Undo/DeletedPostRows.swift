internal import Dates
internal import Posts

/// A post that an undo entry deleted.
struct DeletedPost {
  var row: PostRow
  /// The original of a repost.
  var original: PostID?
  var marks: PostMarks
  var native: [UInt8]
}

/// Reads and writes the rows of posts that undo entries deleted.
struct DeletedPostRows {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Saves a row that is about to be deleted.
  func savePost(_ id: PostID, in undoEntry: UndoEntryID) throws(StoreError) {
    try connection.run(DeletedPostQuery.insert, id, undoEntry.account, undoEntry.number)
  }

  /// Returns the posts that an undo entry deleted, ordered by ID: an original has a lower ID than its reposts.
  func posts(of undoEntry: UndoEntryID) throws(StoreError) -> [DeletedPost] {
    try connection.rows(DeletedPostQuery.ofEntry, undoEntry.account, undoEntry.number, read: DeletedPost.init(row:))
  }

  /// Returns the aliases of a deleted post.
  func aliases(_ id: PostID, of undoEntry: UndoEntryID) throws(StoreError) -> [String] {
    try connection.rows(DeletedPostQuery.aliases, undoEntry.account, undoEntry.number, id) { $0.text(0) }
  }

  /// Returns the home lists and mentions in which a deleted post was by ``Reason/imported``.
  func importers(
    _ id: PostID, of undoEntry: UndoEntryID
  ) throws(StoreError) -> [(account: AccountID, kind: ListKind)] {
    try connection.rows(DeletedPostQuery.importers, undoEntry.account, undoEntry.number, id) {
      (AccountID($0.integer(0)), $0.integer(1) == ListKind.home.rawValue ? .home : .mentions)
    }
  }

  /// Returns true if a stored post has this name.
  func isTaken(_ name: PostName) throws(StoreError) -> Bool {
    try connection.flag(DeletedPostQuery.isNameTaken, name.source, name.nativeID, name.scope)
  }

  /// Discards the posts that an undo entry deleted.
  func discardPosts(of undoEntry: UndoEntryID) throws(StoreError) {
    try connection.run(DeletedPostQuery.delete, undoEntry.account, undoEntry.number)
  }
}

extension DeletedPost {
  fileprivate init(row: Statement) {
    let body = PackedBody(trusted: row.bytes(13))
    let post = PostRow(
      id: PostID(row.integer(0)),
      name: PostName(
        source: row.integer(1), nativeID: row.text(2), scope: row.integer(3), server: row.integer(16)),
      owner: AccountID(row.integer(4)), author: AuthorID(row.integer(5)),
      createdAt: Instant(milliseconds: row.integer(6)), visibility: Visibility(column: row.integer(7)),
      ownAudience: Audience(number: row.integer(8)), isEntry: row.integer(9) != 0, original: nil,
      reply: ReplyReference(to: row.optionalInteger(11).map { PostID($0) }, key: row.optionalText(12)), body: body,
      mentions: body.mentions)
    self.init(
      row: post, original: row.optionalInteger(10).map { PostID($0) }, marks: PostMarks(trusted: row.bytes(14)),
      native: row.bytes(15))
  }
}

internal import Posts

/// Writes what accounts did to posts.
struct MarkRows {
  private let connection: Connection
  /// The transaction that they are written in.
  let transaction: Transaction

  init(_ connection: Connection, _ transaction: Transaction) {
    (self.connection, self.transaction) = (connection, transaction)
  }

  /// Writes the marks of a post; it and its reposts read differently now.
  func save(_ marks: PostMarks, of id: PostID) throws(StoreError) {
    try connection.run(PostRowQuery.updateMarks, id, marks)
    transaction.noteChange()
    try touch(id)
  }

  /// Notes that a post reads differently now, and its reposts with it.
  func touch(_ id: PostID) throws(StoreError) {
    transaction.touch(id)
    for repost in try PostReader(connection).reposts(of: id) { transaction.touch(repost.id) }
  }
}

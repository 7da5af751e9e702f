internal import Posts

/// Writes the marks of posts.
final class MarkRows {
  private let connection: Connection
  /// The transaction to write in.
  let transaction: Transaction

  init(_ connection: Connection, _ transaction: Transaction) {
    (self.connection, self.transaction) = (connection, transaction)
  }

  /// Writes the marks of a post and records the post and its reposts as changed.
  func save(_ marks: PostMarks, of id: PostID) throws(StoreError) {
    try connection.run(PostRowQuery.updateMarks, id, marks)
    transaction.noteChange()
    try touch(id)
  }

  /// Records a post and its reposts as changed.
  func touch(_ id: PostID) throws(StoreError) {
    transaction.touch(id)
    for repost in try PostReader(connection).reposts(of: id) { transaction.touch(repost.id) }
  }
}

internal import Posts

/// Writes the marks of posts.
final class MarkRows {
  private let connection: Connection
  /// The transaction to write in.
  let transaction: Transaction
  private let index: IndexChanges

  init(_ connection: Connection, _ transaction: Transaction, _ index: IndexChanges) {
    (self.connection, self.transaction, self.index) = (connection, transaction, index)
  }

  /// Writes the marks of a post and records the post and its reposts as changed.
  func save(_ marks: PostMarks, of id: PostID) throws(StoreError) {
    let former = try connection.first(PostRowQuery.marks, id) { PostMarks(trusted: $0.bytes(0)) } ?? .none
    let isFoundOtherwise = marks.mayKeepOthers(than: former)
    if isFoundOtherwise { try index.noteBefore(id) }
    try connection.run(PostRowQuery.updateMarks, id, marks)
    if isFoundOtherwise { try index.noteRewrite(of: id) }
    transaction.noteChange()
    try touch(id)
  }

  /// Records a post and its reposts as changed.
  func touch(_ id: PostID) throws(StoreError) {
    transaction.touch(id)
    for repost in try PostReader(connection).reposts(of: id) { transaction.touch(repost.id) }
  }
}

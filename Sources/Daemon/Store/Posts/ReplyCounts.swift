internal import Posts

/// Counts replies. A post counts, in addition to what its source reported, the local replies that everyone may see.
/// Replies for fewer readers are in no count, not even for those readers: a count that differs between accounts would
/// reveal them.
final class ReplyCounts {
  private let connection: Connection
  private let sources: Sources
  private let marks: MarkRows
  /// Posts whose replies changed in this transaction.
  private var parents: Set<PostID> = []

  init(_ connection: Connection, _ sources: Sources, _ marks: MarkRows) {
    (self.connection, self.sources, self.marks) = (connection, sources, marks)
  }

  /// Recounts the replies of a post at the end of the transaction.
  func recount(_ id: PostID) { parents.insert(id) }

  /// Recounts the replies of `parent` if `row`, a new or changed reply, was written here.
  func recountParent(_ parent: PostID?, of row: PostRow) throws(StoreError) {
    guard let parent, try sources.local() == row.name.source else { return }
    parents.insert(parent)
  }

  /// Recounts the replies of the parent of a stored local post that changes its audience, is deleted or has found its
  /// parent.
  func recountParent(of id: PostID) throws(StoreError) {
    if let parent = try connection.number(ReplyQuery.parent, id, try sources.local()) {
      parents.insert(PostID(parent))
    }
  }

  func endTransaction() { parents = [] }

  /// Writes the new counts. Replies are counted afresh each time, so that counts cannot drift. O(replies) per post.
  func save() throws(StoreError) {
    if parents.isEmpty { return }
    let local = try sources.local()
    for id in parents.sorted() {
      guard var post = try PostReader(connection).post(id), post.subject == id else { continue }
      let replies = try connection.number(ReplyQuery.replyCount, id, local) ?? 0
      if post.marks.set(answers: UInt32(clamping: replies)) { try marks.save(post.marks, of: id) }
    }
  }
}

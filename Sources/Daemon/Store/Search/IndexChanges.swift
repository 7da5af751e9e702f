internal import Dates
internal import Posts

/// Updates the search index. Inserted, updated and deleted posts are collected during a transaction and written at its
/// end in the order of their keys, because FTS5 writes a segment whenever a row does not follow the one before.
final class IndexChanges {
  /// A post as it was indexed before the transaction, and as it will be; nil if not at all.
  struct Change {
    var before: SearchedPost?
    var after: SearchedPost?
  }

  private let connection: Connection
  private var changes: [PostID: Change] = [:]

  init(_ connection: Connection) { self.connection = connection }

  func endTransaction() { changes = [:] }

  /// Records a new post.
  func noteInsert(of row: PostRow) { changes[row.id] = Change(before: nil, after: SearchedPost(row)) }

  /// Records how a post is indexed before it is updated or deleted.
  func noteBefore(_ id: PostID) throws(StoreError) {
    if changes[id] == nil { changes[id] = Change(before: try stored(id), after: nil) }
  }

  /// Records how an updated post will be indexed.
  func noteUpdate(of row: PostRow, marks: PostMarks) {
    changes[row.id, default: Change()].after = SearchedPost(row, marks: marks)
  }

  /// Records how a post with a new body or new marks will be indexed: as it is stored.
  func noteRewrite(of id: PostID) throws(StoreError) { changes[id, default: Change()].after = try stored(id) }

  /// Records that a post is deleted.
  func noteDelete(of id: PostID) { changes[id]?.after = nil }

  /// Records a new audience of a post that does not change otherwise.
  func noteAudienceChange(of post: ListedPost, to audience: Audience) throws(StoreError) {
    var change: Change
    if let known = changes[post.id] {
      change = known
    } else {
      let before = try stored(post.id)
      change = Change(before: before, after: before)
    }
    if audience == .nobody {
      // A post that nobody may see is not indexed.
      change.after = nil
    } else if change.after != nil {
      change.after?.audience = audience
    } else if var indexed = try connection.first(IndexQuery.anyPost, post.id, read: SearchedPost.init(row:)) {
      indexed.audience = audience
      change.after = indexed
    }
    changes[post.id] = change
  }

  /// Writes the recorded changes.
  func save(revision: UInt64) throws(StoreError) {
    if changes.isEmpty { return }
    var writer = SearchWriter(connection)
    for (id, change) in changes { try writer.prepare(id, before: change.before, after: change.after) }
    try writer.write()
    try writer.merge(after: changes.count, revision: revision)
  }

  private func stored(_ id: PostID) throws(StoreError) -> SearchedPost? {
    try connection.first(IndexQuery.post, id, read: SearchedPost.init(row:))
  }
}

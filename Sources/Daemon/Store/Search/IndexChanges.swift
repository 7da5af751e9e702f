internal import Dates
internal import Posts

/// The index of words follows the posts: what a transaction inserts, updates and deletes is noted, and written at its
/// end in the order of the keys, for FTS5 writes a piece of its index whenever a row comes that is not behind the one
/// before.
final class IndexChanges {
  /// A post as it was indexed before the transaction, and as it is to be. Nil: not at all.
  struct Change {
    var before: SearchedPost?
    var after: SearchedPost?
  }

  private let connection: Connection
  private var changes: [PostID: Change] = [:]

  init(_ connection: Connection) { self.connection = connection }

  /// Notes a post that was not there.
  func noteInsert(of row: PostRow) { changes[row.id] = Change(before: nil, after: SearchedPost(row)) }

  /// Notes how a post is indexed that is about to be updated or deleted.
  func noteBefore(_ id: PostID) throws(StoreError) {
    if changes[id] == nil { changes[id] = Change(before: try stored(id), after: nil) }
  }

  /// Notes how it is to be indexed now that it is updated.
  func noteUpdate(of row: PostRow) { changes[row.id, default: Change()].after = SearchedPost(row) }

  /// Notes how it is to be indexed now that its body is another: as it stands.
  func noteRewrite(of id: PostID) throws(StoreError) { changes[id, default: Change()].after = try stored(id) }

  /// Notes that it is deleted.
  func noteDelete(of id: PostID) { changes[id]?.after = nil }

  /// Notes that a post is for others now, and otherwise as it was.
  func note(_ post: ListedPost, for audience: Audience) throws(StoreError) {
    var change: Change
    if let known = changes[post.id] {
      change = known
    } else {
      let before = try stored(post.id)
      change = Change(before: before, after: before)
    }
    if audience == .nobody {
      // What nobody may see is not indexed.
      change.after = nil
    } else if change.after != nil {
      change.after?.audience = audience
    } else if let body = try connection.first(IndexQuery.body, post.id, read: { PackedBody(trusted: $0.bytes(0)) }) {
      change.after = SearchedPost(createdAt: post.createdAt, author: post.author, audience: audience, body: body)
    }
    changes[post.id] = change
  }

  /// Writes what was noted.
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

internal import Dates
internal import Posts
internal import Search

/// The index of words follows the posts: what a transaction inserts, updates and deletes is noted, and written at its
/// end.
extension PostStore {
  /// Notes a post that was not there.
  func noteSearch(inserted row: PostRow) {
    transaction!.search.changes[row.id] = .init(before: nil, after: SearchedPost(row))
  }

  /// Notes how a post is indexed that is about to be updated or deleted.
  func noteSearch(before id: PostID) throws(StoreError) {
    guard transaction!.search.changes[id] == nil else { return }
    let statement = try connection.statement(.searchedPost)
    defer { statement.reset() }
    statement.bind(1, id.rawValue)
    transaction!.search.changes[id] = .init(
      before: try statement.step() ? SearchedPost(row: statement) : nil, after: nil)
  }

  /// Notes how it is to be indexed now that it is updated.
  func noteSearch(updated row: PostRow) { transaction!.search.changes[row.id]!.after = SearchedPost(row) }

  /// Notes how it is to be indexed now that its body is another: as it stands.
  func noteSearch(rewritten id: PostID) throws(StoreError) {
    let statement = try connection.statement(.searchedPost)
    defer { statement.reset() }
    statement.bind(1, id.rawValue)
    transaction!.search.changes[id]!.after = try statement.step() ? SearchedPost(row: statement) : nil
  }

  /// Notes that a post is for others now, and otherwise as it was.
  func noteSearch(of post: ListedPost, for audience: Audience) throws(StoreError) {
    if transaction!.search.changes[post.id] == nil {
      try noteSearch(before: post.id)
      transaction!.search.changes[post.id]!.after = transaction!.search.changes[post.id]!.before
    }
    // What nobody may see is not indexed.
    guard audience != .nobody else { return transaction!.search.changes[post.id]!.after = nil }
    if transaction!.search.changes[post.id]!.after != nil {
      transaction!.search.changes[post.id]!.after!.audience = audience
    } else if let body = try told(post.id)?.body {
      transaction!.search.changes[post.id]!.after = SearchedPost(
        createdAt: post.createdAt, author: post.author, audience: audience, body: body)
    }
  }

  /// Notes that it is deleted.
  func noteSearch(deleted id: PostID) { transaction!.search.changes[id]!.after = nil }

  /// Writes what was noted.
  func saveSearch(_ done: Transaction) throws(StoreError) {
    if done.search.changes.isEmpty { return }
    var writer = SearchWriter(connection)
    for (id, change) in done.search.changes { try writer.prepare(id, change) }
    try writer.write()
    try writer.merge(after: done.search.changes.count, revision: done.revision)
  }
}

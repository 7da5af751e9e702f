internal import Posts

/// Result of comparing an imported post with the stored one.
enum ImportChange {
  case new, changed, same
}

/// Accumulates the outcome of one batch.
struct ImportPass {
  /// A post that the batch created or changed.
  struct ChangedPost {
    let id: PostID
    var isEntry: Bool
    /// The stored post, if at hand; otherwise it is read at the end of the batch.
    var post: StoredPost?
  }

  /// The importing account.
  let owner: AccountID
  /// Who sees its public posts.
  let sharing: ImportSharing
  let word: ImportWord
  /// The outcome so far; posts are added at the end.
  var report = ImportReport()
  /// Posts in the order in which they first changed, each once.
  private(set) var changedPosts: [ChangedPost] = []
  private var positions: [PostID: Int] = [:]
  private var authorPositions: [AuthorID: Int] = [:]

  /// - Parameter size: expected number of posts, to reserve capacity.
  init(owner: AccountID, sharing: ImportSharing, word: ImportWord, size: Int) {
    (self.owner, self.sharing, self.word) = (owner, sharing, word)
    changedPosts.reserveCapacity(size)
    positions.reserveCapacity(size)
  }

  /// Records that a post is new or changed. `post` is its stored state, if it is known and does not change again.
  mutating func recordPost(_ id: PostID, isEntry: Bool, post: StoredPost? = nil) {
    if let position = positions[id] {
      changedPosts[position].isEntry = isEntry
      changedPosts[position].post = nil
    } else {
      positions[id] = changedPosts.count
      changedPosts.append(ChangedPost(id: id, isEntry: isEntry, post: post))
    }
  }

  /// Records an author that is new or renamed.
  mutating func recordAuthor(_ author: Author) {
    if let position = authorPositions[author.id] {
      report.authors[position] = author
    } else {
      authorPositions[author.id] = report.authors.count
      report.authors.append(author)
    }
  }
}

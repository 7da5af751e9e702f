internal import Posts

/// How an imported post compares with what was stored.
enum Change {
  case new, changed, same
}

/// What has happened in one batch so far.
struct ImportPass {
  /// A post to report.
  struct Touched {
    let id: PostID
    var isEntry: Bool
    /// As it is stored, where that is at hand; else it is read when the batch is done.
    var post: StoredPost?
  }

  /// The account that imports.
  let owner: AccountID
  /// What is known of the outcome; the posts are added at the end.
  var report = ImportReport()
  /// In the order in which they were touched; each once.
  private(set) var touched: [Touched] = []
  private var positions: [PostID: Int] = [:]
  private var authorPositions: [AuthorID: Int] = [:]

  /// - Parameter size: how many posts it will be about, to make room for them at once.
  init(owner: AccountID, size: Int) {
    self.owner = owner
    touched.reserveCapacity(size)
    positions.reserveCapacity(size)
  }

  /// Notes that a post is new or reads differently now: as `post`, where that is given and nothing touches it again.
  mutating func touch(_ id: PostID, isEntry: Bool, post: StoredPost? = nil) {
    if let position = positions[id] {
      touched[position].isEntry = isEntry
      touched[position].post = nil
    } else {
      positions[id] = touched.count
      touched.append(Touched(id: id, isEntry: isEntry, post: post))
    }
  }

  /// Notes that an author is new or is called something else now.
  mutating func note(_ author: Author) {
    if let position = authorPositions[author.id] {
      report.authors[position] = author
    } else {
      authorPositions[author.id] = report.authors.count
      report.authors.append(author)
    }
  }
}

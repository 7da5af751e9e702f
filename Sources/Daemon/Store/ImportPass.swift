internal import Posts

/// How an imported post compares with what was stored.
enum Change {
  case new, changed, same
}

/// What has happened in one batch so far.
struct ImportPass {
  let owner: AccountID
  var report = ImportReport()
  /// Posts to report, in order; each once.
  private(set) var touched: [PostID] = []
  /// Those of them that are no timeline entries.
  private(set) var originals: Set<PostID> = []
  private var isTouched: Set<PostID> = []
  private var authorPositions: [AuthorID: Int] = [:]

  init(owner: AccountID) { self.owner = owner }

  /// Notes that a post is new or reads differently now.
  mutating func touch(_ id: PostID, isEntry: Bool) {
    if isTouched.insert(id).inserted { touched.append(id) }
    if isEntry { originals.remove(id) } else { originals.insert(id) }
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

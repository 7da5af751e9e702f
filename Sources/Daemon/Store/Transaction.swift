internal import Posts

/// The one row of `meta`.
struct Meta: Equatable {
  /// See ``PostStore/epoch``; 0 in a backup.
  var epoch: UInt64
  /// See ``PostStore/revision``.
  var revision: UInt64
  /// The number last given to a post.
  var lastPost: Int64
  /// Whether the store was closed after the last write.
  var isClosed: Bool
}

/// What is known about the open transaction besides what is in its tables; thrown away with it.
struct Transaction {
  /// As it will be after the commit.
  var meta: Meta
  /// Posts with this number or a higher one are of this transaction.
  let firstNewPost: PostID
  /// Whether anything was written.
  var hasChanges = false
  /// By how much the number of entries of each list changed.
  var tallies: [Int64: Int] = [:]
  /// By how much the numbers of each author's entries and other posts changed, by audience.
  var authorTallies: [AuthorTally: (entries: Int, others: Int)] = [:]
  /// What is told of it.
  var changes = Changes()
  /// Posts of earlier transactions that an outcome has as they are; those of this one are all in outcomes.
  var reported: Set<PostID> = []
  /// Posts that read differently now than an outcome has them, if any has.
  private(set) var touched: Set<PostID> = []
  /// Posts whose answers have changed: at the end those are counted that were written here.
  var answered: Set<PostID> = []
  /// Circles whose members are to be told.
  var circles: Set<CircleID> = []
  /// Accounts that are called something else now, or are somebody else too: their mentions are found again at the end.
  var renamed: Set<AccountID> = []
  /// Accounts that want to see something else now.
  var quieted: Set<AccountID> = []
  /// Authors met in it, as they are stored.
  var authors: [AuthorKey: Author] = [:]
  /// Sources of which it is known whether any post has an alias.
  var hasAliases: [Int64: Bool] = [:]
  /// Sources of which it is known whether any reply waits for what it answers.
  var hasWaiting: [Int64: Bool] = [:]
  /// The step that is being taken back or done again.
  var step: StepID?
  /// The step that posts are being thrown away by.
  var trash: StepID?
  /// Accounts that are known not to have something else now.
  var gapsChanged: Set<AccountID> = []
  /// What it does to the index of words.
  var search = SearchChanges()

  /// The transaction that comes after `meta`.
  init(after meta: Meta) {
    self.meta = meta
    self.meta.isClosed = false
    firstNewPost = PostID(meta.lastPost + 1)
  }

  /// The revision of the commit, if it makes one.
  var revision: UInt64 { meta.revision + 1 }

  /// Notes that a post reads differently now. What an earlier write of the transaction told of it holds no more.
  mutating func touch(_ id: PostID) {
    touched.insert(id)
    reported.remove(id)
  }

  /// A number that no post ever had.
  mutating func nextPostID() -> PostID {
    meta.lastPost += 1
    return PostID(meta.lastPost)
  }
}

/// What an author is known by.
struct AuthorKey: Hashable {
  /// The number of the source.
  var source: Int64
  /// The source's id of the author.
  var nativeID: String
}

/// Posts of an author that one audience may see.
struct AuthorTally: Hashable, Comparable {
  var author: AuthorID
  var audience: Audience

  static func < (left: AuthorTally, right: AuthorTally) -> Bool {
    (left.author.rawValue, left.audience.number) < (right.author.rawValue, right.audience.number)
  }
}

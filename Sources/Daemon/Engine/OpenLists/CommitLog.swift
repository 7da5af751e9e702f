internal import Posts

/// A commit, with its posts found by their numbers.
struct DigestedCommit {
  let commit: CommittedPosts
  /// All posts of it.
  let posts: [PostID: StoredPost]
  /// New replies by what they answer.
  let replies: [PostID: [StoredPost]]
  /// Posts that came into lists, and those that left them, by what accounts see: a list that is the same for several
  /// accounts is one for each of them.
  let entered: [ListKey: [PostID]]
  let left: [ListKey: [OrderKey]]
  /// Lists that are to be read again.
  let reloaded: [ListKey]
  private let new: Set<PostID>
  private let originals: Set<PostID>

  /// Looks through a commit. O(posts).
  init(_ commit: CommittedPosts) {
    self.commit = commit
    posts = Dictionary(
      (commit.new + commit.changes.originals + commit.changes.changed).lazy.map { ($0.id, $0) },
      uniquingKeysWith: { _, last in last })
    var replies: [PostID: [StoredPost]] = [:]
    for post in commit.new + commit.changes.originals where post.repostedBy == nil {
      if let parent = post.inReplyTo { replies[parent, default: []].append(post) }
    }
    self.replies = replies
    let members = commit.changes.circles.members
    entered = Self.byKey(commit.changes.entered, members)
    left = Self.byKey(commit.changes.left, members)
    reloaded = commit.changes.reloaded.flatMap { ListKey.keys(of: $0, members) }
    new = Set(commit.new.lazy.map(\.id))
    originals = Set(commit.changes.originals.lazy.map(\.id))
  }

  private static func byKey<Element>(_ lists: [ListName: [Element]], _ members: Members) -> [ListKey: [Element]] {
    var found: [ListKey: [Element]] = [:]
    for (name, elements) in lists { for key in ListKey.keys(of: name, members) { found[key] = elements } }
    return found
  }

  /// Whether a post was not there before.
  func isNew(_ post: StoredPost) -> Bool { new.contains(post.id) }

  /// Whether a post is no entry of any list.
  func isOriginal(_ post: StoredPost) -> Bool { originals.contains(post.id) }

  /// How many posts it brings or takes.
  var count: Int { posts.count + commit.changes.removed.count }
}

/// The last commits, for as long as something is being read from the store that may not have seen them.
struct CommitLog {
  /// Oldest first.
  private var commits: [DigestedCommit] = []
  private var count = 0
  /// The revision of the newest commit that was forgotten though it may be needed.
  private var forgotten: UInt64 = 0

  /// Adds a commit. With more than `limit` posts the oldest commits are forgotten.
  mutating func append(_ commit: DigestedCommit, limit: Int) {
    commits.append(commit)
    count += commit.count
    var first = 0
    while count > limit, first < commits.count {
      count -= commits[first].count
      forgotten = commits[first].commit.revision
      first += 1
    }
    commits.removeFirst(first)
  }

  /// The commits after a revision, oldest first; nil where one of them was forgotten.
  func commits(after revision: UInt64) -> [DigestedCommit]? {
    revision < forgotten ? nil : Array(commits.drop { $0.commit.revision <= revision })
  }

  /// Nothing that was read at or before a revision is on its way any more.
  mutating func forget(upTo revision: UInt64) {
    let first = commits.firstIndex { $0.commit.revision > revision } ?? commits.count
    for commit in commits[..<first] { count -= commit.count }
    commits.removeFirst(first)
  }
}

extension ListKey {
  /// The lists of accounts that the store keeps as one.
  fileprivate static func keys(of name: ListName, _ members: Members) -> [ListKey] {
    switch name {
    case .home(let account): [.home(account)]
    case .mentions(let account): [.mentions(account)]
    case .messages(let account): [.messages(account)]
    case .made(let account, let list): [.made(account, list)]
    case .direct(let circle):
      members[circle, default: []].sorted { $0.rawValue < $1.rawValue }.map { .direct($0, circle) }
    }
  }
}

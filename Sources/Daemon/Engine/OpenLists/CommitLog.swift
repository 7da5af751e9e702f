internal import Posts

/// A commit with its posts indexed by ID.
struct DigestedCommit {
  let commit: CommittedPosts
  /// All posts of the commit.
  let posts: [PostID: StoredPost]
  /// New replies by the post that they reply to.
  let replies: [PostID: [StoredPost]]
  /// Posts that entered lists, and posts that left them. A list that several accounts share has an entry for each of
  /// them.
  let entered: [ListKey: [PostID]]
  let left: [ListKey: [OrderKey]]
  /// Lists that must be read again.
  let reloaded: [ListKey]
  private let new: Set<PostID>
  private let originals: Set<PostID>

  /// Indexes a commit. O(posts).
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
    let members = commit.changes.groups.members
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

  /// Returns true if the commit created the post.
  func isNew(_ post: StoredPost) -> Bool { new.contains(post.id) }

  /// Returns true if the post came only as the original of a repost, so that it is not an entry of any list.
  func isOriginal(_ post: StoredPost) -> Bool { originals.contains(post.id) }

  /// Number of posts that it adds, changes or removes.
  var count: Int { posts.count + commit.changes.removed.count }
}

/// Recent commits, kept while a read from the store is under way that may lack them.
struct CommitLog {
  /// Oldest first.
  private var commits: [DigestedCommit] = []
  private var count = 0
  /// The revision of the newest commit that was dropped although it may be needed.
  private var forgotten: UInt64 = 0

  /// Appends a commit. Drops the oldest commits while there are more than `limit` posts.
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

  /// Returns the commits after a revision, oldest first; nil if one of them was dropped.
  func commits(after revision: UInt64) -> [DigestedCommit]? {
    revision < forgotten ? nil : Array(commits.drop { $0.commit.revision <= revision })
  }

  /// Drops the commits up to a revision: no read at or before it is under way any more.
  mutating func forget(upTo revision: UInt64) {
    let first = commits.firstIndex { $0.commit.revision > revision } ?? commits.count
    for commit in commits[..<first] { count -= commit.count }
    commits.removeFirst(first)
  }
}

extension ListKey {
  /// The accounts' lists that correspond to one list of the store.
  fileprivate static func keys(of name: ListName, _ members: Members) -> [ListKey] {
    switch name {
    case .home(let account): [.home(account)]
    case .mentions(let account): [.mentions(account)]
    case .messages(let account): [.messages(account)]
    case .made(let account, let list): [.made(account, list)]
    case .direct(let group):
      members[group, default: []].sorted { $0.rawValue < $1.rawValue }.map { .direct($0, group) }
    }
  }
}

internal import Posts
internal import Search

/// What becomes of a post in a list to which it belongs.
enum Access {
  /// The account may not see it.
  case forbidden
  /// The account has muted it, or the list is limited to others.
  case hidden
  /// It is a row.
  case visible
}

/// Decides which posts are rows of which account's lists: by who is in their audience, by what the account has muted,
/// and by what a list is limited to.
struct AccessRules {
  private var members = CircleMembers()
  private var mutes = MuteFilter()
  private var filters = ListFilters()

  // MARK: May see

  /// Whether an account may see what is for `audience`.
  func includes(_ audience: Audience, _ account: AccountID) -> Bool { members.includes(audience, account) }

  /// Notes that an account has a list open.
  mutating func open(_ account: AccountID) { members.open(account) }

  /// Whether what was read for an account at `revision` may show what it may not see any more.
  func isOutdated(_ revision: UInt64, for account: AccountID) -> Bool { members.isOutdated(revision, for: account) }

  /// Learns from posts that the store handed out to an account, and returns those that it may see. O(posts).
  mutating func admit(_ posts: [StoredPost], to account: AccountID) -> [StoredPost] {
    members.learn(posts, handedOutTo: account)
    return posts.filter { includes($0.audience, account) }
  }

  /// Learns who is in circles since a commit.
  mutating func learn(_ commit: CommittedPosts) -> CircleMembers.Change { members.learn(commit) }

  // MARK: Wants to see

  /// What becomes of a post in a list, if it belongs there; `handle` is its author's.
  mutating func level(of post: StoredPost, in key: ListKey, by handle: @autoclosure () -> SafeText) -> Access {
    guard includes(post.audience, key.account) else { return .forbidden }
    return hides(post, in: key, by: handle()) ? .hidden : .visible
  }

  /// Whether a post that the account may see is no row of a list to which it belongs.
  mutating func hides(_ post: StoredPost, in key: ListKey, by handle: @autoclosure () -> SafeText) -> Bool {
    if mutes.hides(post, in: key) { return true }
    guard case .filtered(_, let filter) = key else { return false }
    return !filters.passes(post, filter, by: handle(), for: key.account)
  }

  /// Whether every post of a list that its account may see is a row.
  func hidesNothing(in key: ListKey) -> Bool {
    key == key.base && (key.quietness == .none || muted(by: key.account).isEmpty)
  }

  /// Whether a post is muted in a list, whatever that is limited to.
  mutating func mutes(_ post: StoredPost, in key: ListKey) -> Bool { mutes.hides(post, in: key) }

  /// What an account has muted, as far as that is known.
  func muted(by account: AccountID) -> Quiet { mutes.quiet(of: account) }

  /// Takes what an account had muted at a revision; what it had muted before, if that is something else.
  mutating func learn(_ muted: Quiet, of account: AccountID, at revision: UInt64) -> Quiet? {
    mutes.learn(muted, of: account, at: revision)
  }

  // MARK: Filters

  /// Filters of open lists that are ready.
  var filterCount: Int { filters.count }

  /// How many times smaller than others the slices of a list are.
  mutating func slowness(of key: ListKey) -> Int { filters.slowness(of: key) }

  /// Whether a list may hold other posts once authors are called otherwise.
  func asksForAuthors(_ key: ListKey) -> Bool { filters.asksForAuthors(key) }

  /// A list is closed; `keys` are those that are still open.
  mutating func close(_ key: ListKey, stillOpen keys: [ListKey]) { filters.drop(key, unlessIn: keys) }
}

internal import Posts
internal import Search

/// An account's access to a post in a list to which the post belongs.
enum Access {
  /// The account is not in the post's audience.
  case forbidden
  /// The account has muted the post, or the list's filter rejects it.
  case hidden
  /// The post is a row of the list.
  case visible
}

/// Decides which posts are rows of an account's lists, by their audience, the account's mutes and the list's filter.
struct AccessRules {
  private var members = AudienceMembers()
  private var mutes = MuteFilter()
  private var filters = ListFilters()

  // MARK: Audiences

  /// Returns true if an account is in `audience`.
  func includes(_ audience: Audience, _ account: AccountID?) -> Bool { members.includes(audience, account) }

  /// Starts to track an account's audience groups, because it has a list open.
  mutating func trackAccount(_ account: AccountID) { members.trackAccount(account) }

  /// Returns true if a read for an account at `revision` may contain posts that it may no longer see.
  func isOutdated(_ revision: UInt64, for account: AccountID) -> Bool { members.isOutdated(revision, for: account) }

  /// Records the audience groups of posts that the store returned for an account, and returns those posts that it may
  /// see. O(posts).
  mutating func admit(_ posts: [StoredPost], to account: AccountID?) -> [StoredPost] {
    if let account { members.recordPosts(posts, handedOutTo: account) }
    return posts.filter { includes($0.audience, account) }
  }

  /// Applies a commit's changes to the members of audience groups.
  mutating func updateMembers(from commit: CommittedPosts) -> AudienceMembers.Change {
    members.updateMembers(from: commit)
  }

  // MARK: Mutes

  /// Returns an account's access to a post in a list to which the post belongs; `names` are the author's.
  mutating func level(of post: StoredPost, in key: ListKey, by names: @autoclosure () -> [SafeText]) -> Access {
    guard includes(post.audience, key.account) else { return .forbidden }
    return hides(post, in: key, by: names()) ? .hidden : .visible
  }

  /// Returns true if a post that the account may see is muted in a list or rejected by the list's filter.
  mutating func hides(_ post: StoredPost, in key: ListKey, by names: @autoclosure () -> [SafeText]) -> Bool {
    if mutes.hides(post, in: key) { return true }
    guard case .filtered(_, let filter) = key, let account = key.account else { return false }
    return !filters.passes(post, filter, by: names(), for: account)
  }

  /// Returns true if every post of a list that its account may see is a row.
  func hidesNothing(in key: ListKey) -> Bool {
    key == key.base && (key.muteScope == .none || muted(by: key.account).isEmpty)
  }

  /// Returns true if a post is muted in a list, regardless of the list's filter.
  mutating func mutes(_ post: StoredPost, in key: ListKey) -> Bool { mutes.hides(post, in: key) }

  /// Returns an account's mutes, as far as they are known.
  func muted(by account: AccountID?) -> MuteList { account.map { mutes.muteList(of: $0) } ?? MuteList() }

  /// Sets an account's mutes as of a revision. Returns the previous ones if they differ; nil otherwise.
  mutating func setMuteList(_ muted: MuteList, of account: AccountID, at revision: UInt64) -> MuteList? {
    mutes.setMuteList(muted, of: account, at: revision)
  }

  // MARK: Filters

  /// Number of compiled filters of open lists.
  var filterCount: Int { filters.count }

  /// Returns the divisor for the page size of a list; 1 for lists that are cheap to filter.
  mutating func pageDivisor(of key: ListKey) -> Int { filters.pageDivisor(of: key) }

  /// Returns true if a list's filter names authors, so that a change of handles may change its posts.
  func filtersByAuthor(_ key: ListKey) -> Bool { filters.filtersByAuthor(key) }

  /// Drops the filter of a closed list, unless one of the lists that are still open has it too.
  mutating func close(_ key: ListKey, stillOpen keys: [ListKey]) { filters.drop(key, unlessIn: keys) }
}

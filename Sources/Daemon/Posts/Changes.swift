/// The effects of a store transaction beyond its outcomes, for code that holds posts and lists in memory. Apply it
/// after the posts of the outcomes, in the order of the properties.
public struct Changes: Equatable, Sendable {
  /// Posts that read differently now or entered a list, and whose final state is not in an outcome; for instance
  /// replies to a deleted post.
  public var changed: [StoredPost] = []
  /// Changed posts that are not entries of any list, because they arrived only inside a repost.
  public var originals: [StoredPost] = []
  /// Deleted posts and their reposts: they are no longer in any list or conversation.
  public var removed: [OrderKey] = []
  /// Posts that left a list, by their position in it.
  public var left: [ListName: [OrderKey]] = [:]
  /// Posts that entered a list; each is in an outcome or in `changed`.
  public var entered: [ListName: [PostID]] = [:]
  /// Lists that changed so much that they must be read again; they are neither in `left` nor in `entered`.
  public var reloaded: Set<ListName> = []
  /// The changes of audience groups and their members.
  public var groups = AudienceChanges()
  /// All gaps of each account whose gaps have changed.
  public var gaps: [AccountID: [Gap]] = [:]
  /// All open requests to follow each account whose requests have changed, newest first.
  public var followRequests: [AccountID: [PendingFollow]] = [:]
  /// Accounts with a made list whose name, number or authors have changed.
  public var listsChanged: Set<AccountID> = []
  /// Sources that have new commands to receive, which the store returns on request, each with the IDs of the commands
  /// that it has been sent and need not carry out any more.
  public var outgoing: [String: Set<String>] = [:]
  /// The new mute list of each account whose mute list has changed.
  public var muteLists: [AccountID: MuteList] = [:]

  /// Creates an empty set of changes.
  public init() {}

  /// Records that a post entered a list.
  public mutating func enter(_ list: ListName, _ post: PostID) { entered[list, default: []].append(post) }

  /// Records that a post left a list, or cancels its entry if it entered in this transaction.
  public mutating func leave(_ list: ListName, _ key: OrderKey) {
    if var posts = entered[list], let index = posts.lastIndex(of: key.id) {
      posts.remove(at: index)
      entered[list] = posts.isEmpty ? nil : posts
    } else {
      left[list, default: []].append(key)
    }
  }

  /// Records that a list must be read again.
  public mutating func reload(_ list: ListName) { reloaded.insert(list) }

  /// Adds the effects of a later write of the same transaction.
  public mutating func merge(_ later: Changes) {
    changed += later.changed
    originals += later.originals
    removed += later.removed
    left.merge(later.left) { $0 + $1 }
    entered.merge(later.entered) { $0 + $1 }
    reloaded.formUnion(later.reloaded)
    groups.merge(later.groups)
    gaps.merge(later.gaps) { $1 }
    followRequests.merge(later.followRequests) { $1 }
    listsChanged.formUnion(later.listsChanged)
    outgoing.merge(later.outgoing) { $0.union($1) }
    muteLists.merge(later.muteLists) { $1 }
  }

  /// Returns the changes without entries for lists that are read again anyway.
  public func tidied() -> Changes {
    guard !reloaded.isEmpty else { return self }
    var tidied = self
    tidied.left = left.filter { !reloaded.contains($0.key) }
    tidied.entered = entered.filter { !reloaded.contains($0.key) }
    return tidied
  }
}

/// Changes of audience groups in a transaction.
public struct AudienceChanges: Equatable, Sendable {
  /// The members of the audience groups that the outcomes' posts are for, and of the groups that have changed.
  public var members: Members = [:]
  /// Accounts that joined audience groups.
  public private(set) var joined: Members = [:]
  /// Accounts that left audience groups.
  public private(set) var withdrew: Members = [:]

  /// Creates an empty set of changes.
  public init() {}

  /// Records that an account joined an audience group; if it left in this transaction, the two cancel out.
  public mutating func join(_ account: AccountID, _ group: AudienceGroupID) {
    if withdrew[group]?.remove(account) == nil { joined[group, default: []].insert(account) }
  }

  /// Records that an account left an audience group; if it joined in this transaction, the two cancel out.
  public mutating func withdraw(_ account: AccountID, _ group: AudienceGroupID) {
    if joined[group]?.remove(account) == nil { withdrew[group, default: []].insert(account) }
  }

  /// Adds the effects of a later write of the same transaction.
  mutating func merge(_ later: AudienceChanges) {
    members.merge(later.members) { $1 }
    joined.merge(later.joined) { $1 }
    withdrew.merge(later.withdrew) { $1 }
  }
}

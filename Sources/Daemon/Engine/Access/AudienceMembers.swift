internal import Posts

/// The members of audience groups, as far as they matter to open lists: they decide which posts an account may see.
///
/// There are two sources: the store returns to an account only posts that it may see, and commits name the members of
/// the groups that their posts are for. Membership that neither source has confirmed is treated as absent.
struct AudienceMembers {
  private var members: [AudienceGroupID: Set<AccountID>] = [:]
  /// Accounts that have had lists open. Groups of other accounts are not recorded, so memory is bounded by the posts in
  /// memory.
  private var accounts: Set<AccountID> = []
  /// The last commit by which an account lost access to posts: anything read for it before may still contain them.
  private var lostAt: [AccountID: UInt64] = [:]

  /// Returns true if an account is in `audience`.
  func includes(_ audience: Audience, _ account: AccountID?) -> Bool { audience.includes(account, members) }

  /// Starts to record an account's groups, because it has a list open.
  mutating func trackAccount(_ account: AccountID) { accounts.insert(account) }

  /// Returns true if a read for an account at `revision` may contain posts that it may no longer see.
  func isOutdated(_ revision: UInt64, for account: AccountID) -> Bool { revision < lostAt[account] ?? 0 }

  /// Records the audience groups of posts that the store returned for an account, which is a member of all of them.
  /// O(posts).
  mutating func recordPosts(_ posts: [StoredPost], handedOutTo account: AccountID) {
    for case .group(let group) in posts.lazy.map(\.audience) { members[group, default: []].insert(account) }
  }

  /// Applies a commit's changes to the members of audience groups. O(members).
  ///
  /// The commit itself names the members that joined and left. They cannot be derived from ``members``, which lacks
  /// most groups.
  mutating func updateMembers(from commit: CommittedPosts) -> Change {
    var change = Change()
    for (group, gone) in commit.changes.groups.withdrew.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      for account in gone.intersection(accounts).sorted(by: { $0.rawValue < $1.rawValue }) {
        change.lost.append((account, group))
        lostAt[account] = commit.revision
      }
    }
    for come in commit.changes.groups.joined.values { change.gained.formUnion(come.intersection(accounts)) }
    for (group, people) in commit.changes.groups.members {
      let kept = people.intersection(accounts)
      members[group] = kept.isEmpty ? nil : kept
    }
    return change
  }

  /// The accounts whose access has changed, in an order that is the same in every process.
  struct Change {
    /// Accounts that left an audience group, with the group whose posts they may no longer see.
    var lost: [(account: AccountID, group: AudienceGroupID)] = []
    /// Accounts that may now see posts that existed before.
    var gained: Set<AccountID> = []
  }
}

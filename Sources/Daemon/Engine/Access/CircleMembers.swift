internal import Posts

/// Members of circles, as far as they matter to open lists: they decide whether a post may become a row of an
/// account's.
///
/// The store hands out to an account only what it may see, and commits say who is in the circles that their posts are
/// for; what neither has said is not shown.
struct CircleMembers {
  private var members: [CircleID: Set<AccountID>] = [:]
  /// Accounts that have had lists open. Nobody else's circles are noted, so that there are no more of them than posts
  /// in memory need.
  private var accounts: Set<AccountID> = []
  /// The last commit by which an account lost sight of something: what was read for it before that may show it still.
  private var lostAt: [AccountID: UInt64] = [:]

  /// Whether an account may see what is for `audience`.
  func includes(_ audience: Audience, _ account: AccountID) -> Bool { audience.includes(account, members) }

  /// Notes that an account has a list open.
  mutating func open(_ account: AccountID) { accounts.insert(account) }

  /// Whether what was read for an account at `revision` may show what it may not see any more.
  func isOutdated(_ revision: UInt64, for account: AccountID) -> Bool { revision < lostAt[account] ?? 0 }

  /// Learns from posts that the store handed out to an account. O(posts).
  mutating func learn(_ posts: [StoredPost], handedOutTo account: AccountID) {
    for case .circle(let circle) in posts.lazy.map(\.audience) { members[circle, default: []].insert(account) }
  }

  /// Learns who is in circles since a commit. O(members).
  ///
  /// Who has come or gone the commit says. It cannot be told from what is known here: of most circles nobody has asked
  /// yet who is in them.
  mutating func learn(_ commit: CommittedPosts) -> Change {
    var change = Change()
    for (circle, gone) in commit.changes.circles.withdrew.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      for account in gone.intersection(accounts).sorted(by: { $0.rawValue < $1.rawValue }) {
        change.lost.append((account, circle))
        lostAt[account] = commit.revision
      }
    }
    for come in commit.changes.circles.joined.values { change.gained.formUnion(come.intersection(accounts)) }
    for (circle, people) in commit.changes.circles.members {
      let kept = people.intersection(accounts)
      members[circle] = kept.isEmpty ? nil : kept
    }
    return change
  }

  /// Whose sight has changed; each in an order that is the same in every process.
  struct Change {
    /// Who may no longer see what is for which circle.
    var lost: [(account: AccountID, circle: CircleID)] = []
    /// Who may see something that was there before.
    var gained: Set<AccountID> = []
  }
}

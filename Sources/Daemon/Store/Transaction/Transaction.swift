internal import Posts

/// The open transaction: assigns post IDs and accumulates the changes of the commit. The writer's features share one
/// object, used for one transaction after another.
final class Transaction {
  /// See ``PostStore/epoch``.
  private(set) var epoch: UInt64 = 0
  /// The revision of the commit, if it makes one.
  private(set) var revision: UInt64 = 0
  /// The ID of the first new post of this transaction.
  private(set) var firstNewPost = PostID(0)
  /// The last post ID given.
  private(set) var lastPost: Int64 = 0
  /// True if anything with a revision was written.
  private(set) var hasChanges = false
  /// The changes, without posts, members, gaps, mutes and requests, which are read at the end.
  private(set) var changes = Changes()
  /// Audience groups whose members are reported.
  private(set) var groups: Set<AudienceGroupID> = []
  /// Accounts whose gaps changed.
  private(set) var gapsChanged: Set<AccountID> = []
  /// Accounts whose mute lists changed.
  private(set) var mutesChanged: Set<AccountID> = []
  /// Accounts to which requests to follow were opened or closed.
  private(set) var followRequestsChanged: Set<AccountID> = []
  /// Posts of earlier transactions whose current state is in an outcome; the posts of this one are all in outcomes.
  private var reported: Set<PostID> = []
  /// Posts that changed, possibly after an outcome included them.
  private var touched: Set<PostID> = []
  /// The feeds that changed.
  private(set) var feeds = FeedChanges()

  /// Begins the transaction after `meta`.
  func begin(after meta: Meta) {
    epoch = meta.epoch
    revision = meta.revision + 1
    lastPost = meta.lastPost
    firstNewPost = PostID(meta.lastPost + 1)
  }

  /// Forgets what was accumulated.
  func end() {
    hasChanges = false
    feeds = FeedChanges()
    changes = Changes()
    groups = []
    gapsChanged = []
    mutesChanged = []
    followRequestsChanged = []
    reported = []
    touched = []
  }

  /// The row of `meta` to store with the commit.
  var meta: Meta { Meta(epoch: epoch, revision: revision, lastPost: lastPost, isClosed: false) }

  /// Returns a post ID that was never used.
  func nextPostID() -> PostID {
    lastPost += 1
    return PostID(lastPost)
  }

  /// Records that something was stored.
  func noteChange() { hasChanges = true }

  // MARK: Posts

  /// Records that an outcome includes the current state of a post.
  func report(_ post: StoredPost) {
    if post.id < firstNewPost { reported.insert(post.id) }
    noteAudience(post.audience)
  }

  /// Records that a post changed, which invalidates what an outcome of this transaction included of it.
  func touch(_ id: PostID) {
    touched.insert(id)
    reported.remove(id)
  }

  /// Records that a post was deleted.
  func noteRemoved(_ key: OrderKey) { changes.removed.append(key) }

  /// Records that a post was restored.
  func noteReturned(_ id: PostID) { changes.removed.removeAll { $0.id == id } }

  /// The posts that changed, or entered a list, and whose current state is in no outcome; ordered by ID.
  var unreported: [PostID] {
    var missing = touched.subtracting(reported)
    for posts in changes.entered.values {
      for id in posts where id < firstNewPost && !reported.contains(id) { missing.insert(id) }
    }
    return missing.sorted()
  }

  // MARK: Lists and audience groups

  /// Records that a post entered a list.
  func enter(_ list: ListName, _ post: PostID) { changes.enter(list, post) }

  /// Records that a post left a list.
  func leave(_ list: ListName, _ key: OrderKey) { changes.leave(list, key) }

  /// Records that a list changed so much that it has to be reloaded.
  func reload(_ list: ListName) { changes.reload(list) }

  /// Records that an account joined an audience group.
  func join(_ account: AccountID, _ group: AudienceGroupID) {
    groups.insert(group)
    changes.groups.join(account, group)
  }

  /// Records that an account left an audience group.
  func withdraw(_ account: AccountID, _ group: AudienceGroupID) {
    groups.insert(group)
    changes.groups.withdraw(account, group)
  }

  /// Records that the members of an audience are reported, if it is a group.
  func noteAudience(_ audience: Audience) { if case .group(let group) = audience { groups.insert(group) } }

  /// Records that the user-made lists of an account changed.
  func noteLists(of account: AccountID) { changes.listsChanged.insert(account) }

  // MARK: Accounts and sources

  /// Records that the gaps of an account changed.
  func noteGaps(of account: AccountID) { gapsChanged.insert(account) }

  /// Records that the mute list of an account changed.
  func noteMutes(of account: AccountID) { mutesChanged.insert(account) }

  /// Records that the requests to follow an account changed.
  func noteFollowRequests(to leader: AccountID) { followRequestsChanged.insert(leader) }

  /// Records that there are new actions for a source.
  func noteOutgoing(to source: String) { if changes.outgoing[source] == nil { changes.outgoing[source] = [] } }

  /// Records that a source need not carry out a command any more.
  func noteWithdrawn(_ command: String, from source: String) {
    changes.outgoing[source, default: []].insert(command)
  }

  /// Records that a feed was added, changed, followed or unfollowed.
  func noteFeed(_ number: Int64) { feeds.changed.insert(number) }

  /// Records that the cursors of feeds were forgotten.
  func noteRestarted(_ numbers: [Int64]) { feeds.restarted.formUnion(numbers) }

  /// Records that a source is being served.
  func noteTaken(by source: String) { if changes.outgoing[source]?.isEmpty == true { changes.outgoing[source] = nil } }
}

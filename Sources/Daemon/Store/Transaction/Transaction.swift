internal import Posts

/// The open transaction: gives numbers to posts and gathers what is told of it. Lives as long as the transaction.
final class Transaction {
  /// See ``PostStore/epoch``.
  let epoch: UInt64
  /// The revision of the commit, if it makes one.
  let revision: UInt64
  /// Posts with this number or a higher one are of this transaction.
  let firstNewPost: PostID
  /// The number last given to a post.
  private(set) var lastPost: Int64
  /// Whether anything was written that has a revision.
  private(set) var hasChanges = false
  /// What is told of it, without posts, members, gaps and mutes: those are read at its end.
  private(set) var changes = Changes()
  /// Circles whose members are told.
  private(set) var circles: Set<CircleID> = []
  /// Accounts that are known not to have something else now.
  private(set) var gapsChanged: Set<AccountID> = []
  /// Accounts that have muted or blocked something else now.
  private(set) var mutesChanged: Set<AccountID> = []
  /// Posts of earlier transactions that an outcome has as they are; those of this one are all in outcomes.
  private var reported: Set<PostID> = []
  /// Posts that read differently now than an outcome has them, if any has.
  private var touched: Set<PostID> = []

  /// The transaction that comes after `meta`.
  init(after meta: Meta) {
    epoch = meta.epoch
    revision = meta.revision + 1
    lastPost = meta.lastPost
    firstNewPost = PostID(meta.lastPost + 1)
  }

  /// The row of `meta` that goes with the commit.
  var meta: Meta { Meta(epoch: epoch, revision: revision, lastPost: lastPost, isClosed: false) }

  /// Gives out a number that no post ever had.
  func nextPostID() -> PostID {
    lastPost += 1
    return PostID(lastPost)
  }

  /// Notes that something is stored.
  func noteChange() { hasChanges = true }

  // MARK: Posts

  /// Notes that an outcome has this post.
  func report(_ post: StoredPost) {
    if post.id < firstNewPost { reported.insert(post.id) }
    noteAudience(post.audience)
  }

  /// Notes that a post reads differently now. What an earlier write of the transaction told of it holds no more.
  func touch(_ id: PostID) {
    touched.insert(id)
    reported.remove(id)
  }

  /// Notes that a post was deleted.
  func noteRemoved(_ key: OrderKey) { changes.removed.append(key) }

  /// Notes that a post is there again.
  func noteReturned(_ id: PostID) { changes.removed.removeAll { $0.id == id } }

  /// The posts that read differently now, or came into a list, and are in no outcome as they are; in order.
  var unreported: [PostID] {
    var missing = touched.subtracting(reported)
    for posts in changes.entered.values {
      for id in posts where id < firstNewPost && !reported.contains(id) { missing.insert(id) }
    }
    return missing.sorted()
  }

  // MARK: Lists and circles

  /// Notes that a post is in a list now.
  func enter(_ list: ListName, _ post: PostID) { changes.enter(list, post) }

  /// Notes that a post is not in a list any more.
  func leave(_ list: ListName, _ key: OrderKey) { changes.leave(list, key) }

  /// Notes that so much of a list changed that it is to be read again.
  func reload(_ list: ListName) { changes.reload(list) }

  /// Notes that an account has come into a circle.
  func join(_ account: AccountID, _ circle: CircleID) {
    circles.insert(circle)
    changes.circles.join(account, circle)
  }

  /// Notes that an account has gone from a circle.
  func withdraw(_ account: AccountID, _ circle: CircleID) {
    circles.insert(circle)
    changes.circles.withdraw(account, circle)
  }

  /// Notes an audience whose members are told, where it is a circle.
  func noteAudience(_ audience: Audience) { if case .circle(let circle) = audience { circles.insert(circle) } }

  /// Notes that the made lists of an account are others now.
  func noteLists(of account: AccountID) { changes.listsChanged.insert(account) }

  // MARK: Accounts and sources

  /// Notes that an account is known not to have something else now.
  func noteGaps(of account: AccountID) { gapsChanged.insert(account) }

  /// Notes that an account has muted or blocked something else now.
  func noteMutes(of account: AccountID) { mutesChanged.insert(account) }

  /// Notes that more is wanted of a source than before.
  func noteOutgoing(to source: String) { changes.outgoing.insert(source) }

  /// Notes that a source is being told what is wanted of it.
  func noteTaken(by source: String) { changes.outgoing.remove(source) }
}

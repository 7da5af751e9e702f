/// What a transaction of the store did beside what its outcomes say, for those who hold posts and lists in memory. To
/// be applied after the posts of the outcomes, in the order of the properties.
public struct Changes: Equatable, Sendable {
  /// Posts that read differently now, or came into a list, and are in no outcome, or not as they were in the end:
  /// answers to a deleted post, for instance.
  public var changed: [StoredPost] = []
  /// The same of posts that are no entries of any list, because they only came inside of a repost.
  public var originals: [StoredPost] = []
  /// Posts that were deleted, their reposts with them: they are in no list any more, and no conversation.
  public var removed: [OrderKey] = []
  /// Where in a list a post is no longer.
  public var left: [ListName: [OrderKey]] = [:]
  /// Posts that came into a list; each is in an outcome or in `changed`.
  public var entered: [ListName: [PostID]] = [:]
  /// Lists of which so much changed that they are to be read again; they are neither in `left` nor in `entered`.
  public var reloaded: Set<ListName> = []
  /// Who is in circles, and who came and went.
  public var circles = CircleChanges()
  /// All that accounts are known not to have, of those for whom that has changed.
  public var gaps: [AccountID: [Gap]] = [:]
  /// Accounts whose made lists are others now by name, number or authors.
  public var listsChanged: Set<AccountID> = []
  /// Sources of which more is wanted now than before (the store hands it out when it is asked).
  public var outgoing: Set<String> = []
  /// Accounts that want to see something else now than before: what each does not want to see.
  public var quiet: [AccountID: Quiet] = [:]

  /// Nothing.
  public init() {}

  /// Notes that a post is in a list now.
  public mutating func enter(_ list: ListName, _ post: PostID) { entered[list, default: []].append(post) }

  /// Notes that a post is not in a list any more, unless it only came into it by this transaction.
  public mutating func leave(_ list: ListName, _ key: OrderKey) {
    if var posts = entered[list], let index = posts.lastIndex(of: key.id) {
      posts.remove(at: index)
      entered[list] = posts.isEmpty ? nil : posts
    } else {
      left[list, default: []].append(key)
    }
  }

  /// Notes that a list is another now.
  public mutating func reload(_ list: ListName) { reloaded.insert(list) }

  /// Adds what a later write of the same transaction did.
  public mutating func merge(_ later: Changes) {
    changed += later.changed
    originals += later.originals
    removed += later.removed
    left.merge(later.left) { $0 + $1 }
    entered.merge(later.entered) { $0 + $1 }
    reloaded.formUnion(later.reloaded)
    circles.merge(later.circles)
    gaps.merge(later.gaps) { $1 }
    listsChanged.formUnion(later.listsChanged)
    outgoing.formUnion(later.outgoing)
    quiet.merge(later.quiet) { $1 }
  }

  /// Without what is said twice.
  public func tidied() -> Changes {
    guard !reloaded.isEmpty else { return self }
    var tidied = self
    tidied.left = left.filter { !reloaded.contains($0.key) }
    tidied.entered = entered.filter { !reloaded.contains($0.key) }
    return tidied
  }
}

/// Who is in circles since a transaction.
public struct CircleChanges: Equatable, Sendable {
  /// Who is now in the circles that the posts of the outcomes are for, and in those that have changed.
  public var members: Members = [:]
  /// Who came into circles.
  public private(set) var joined: Members = [:]
  /// Who is in circles no more.
  public private(set) var withdrew: Members = [:]

  /// Nobody came, and nobody went.
  public init() {}

  /// Notes that an account has come into a circle; one that had just gone was never away.
  public mutating func join(_ account: AccountID, _ circle: CircleID) {
    if withdrew[circle]?.remove(account) == nil { joined[circle, default: []].insert(account) }
  }

  /// Notes that an account has gone from a circle; one that had just come never was in it.
  public mutating func withdraw(_ account: AccountID, _ circle: CircleID) {
    if joined[circle]?.remove(account) == nil { withdrew[circle, default: []].insert(account) }
  }

  /// Adds what a later write of the same transaction did.
  mutating func merge(_ later: CircleChanges) {
    members.merge(later.members) { $1 }
    joined.merge(later.joined) { $1 }
    withdrew.merge(later.withdrew) { $1 }
  }
}

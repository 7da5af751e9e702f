internal import Dates
internal import Posts

/// Files posts into lists in the transaction that writes them (docs/adr/0011), so that reading a list is reading one
/// index.
final class Filing {
  private let entries: Entries
  private let lists: ListLookup
  private let groups: AudienceGroupLookup
  private let posts: ListedPosts
  private let messages: MessageFiling
  private let feedAuthors: FeedAuthors
  private let twins: FeedTwins

  init(
    _ entries: Entries, _ lists: ListLookup, _ groups: AudienceGroupLookup, _ posts: ListedPosts,
    _ messages: MessageFiling, _ feedAuthors: FeedAuthors, _ twins: FeedTwins
  ) {
    (self.feedAuthors, self.twins) = (feedAuthors, twins)
    (self.entries, self.lists, self.groups, self.posts, self.messages) = (entries, lists, groups, posts, messages)
  }

  /// Adds a new post to the lists it belongs to.
  func file(_ post: ListedPost) throws(StoreError) {
    for place in try places(for: post) { try entries.insert(post.orderKey, place) }
    if case .group(let group) = post.audience { try messages.renew(group, by: [post.author], without: nil) }
  }

  /// Moves a post to the lists it belongs to now. Before, it was filed at `old`, by `author` and for `audience`.
  func refile(
    _ post: ListedPost, from old: OrderKey, _ author: AuthorID, _ audience: Audience
  ) throws(StoreError) {
    // Only entries know who imported the post, or whom it addressed before, so those lists are queried. Its other lists
    // were those of its author and that of its conversation.
    var candidates = try entries.ownPlaces(of: old) + lists.places(of: author)
    var affected: [AudienceGroupID] = []
    for case .group(let group) in [audience, post.audience] where !affected.contains(group) {
      affected.append(group)
      if let place = try groups.place(of: group) { candidates.append(place) }
    }
    let wanted = try places(for: post)
    var met: Set<Int64> = []
    try refile(post, from: old, in: (candidates + wanted).filter { met.insert($0.list).inserted }, wanted)
    for group in affected { try messages.renew(group, by: [author, post.author], without: old) }
  }

  /// Refiles a post whose time, author and audience have not changed.
  func refile(_ post: ListedPost) throws(StoreError) {
    try refile(post, from: post.orderKey, post.author, post.audience)
  }

  /// Refiles posts that a twin has hidden in lists, or no longer hides.
  func refile(_ ids: [PostID]) throws(StoreError) {
    for id in ids {
      if let post = try posts.listed(id) { try refile(post) }
    }
  }

  /// Refiles the posts of a group in the lists of an account that joined or left it.
  func refile(_ group: AudienceGroupID, for account: AccountID) throws(StoreError) {
    guard let own = try lists.own(of: account) else { return }
    let home = Place(list: own.home, name: .home(account), account: account, reason: [])
    let mentions = Place(list: own.mentions, name: .mentions(account), account: account, reason: [])
    for post in try posts.listed(for: group) {
      let made = try lists.places(of: post.author).filter { $0.account == account && $0.list != own.home }
      try refile(post, from: post.orderKey, in: [home, mentions] + made, try places(for: post))
    }
  }

  private func refile(
    _ post: ListedPost, from old: OrderKey, in candidates: [Place], _ wanted: [Place]
  ) throws(StoreError) {
    let wanted = Dictionary(wanted.map { ($0.list, $0.reason) }, uniquingKeysWith: { $0.union($1) })
    for place in candidates {
      let present = try entries.reason(place.list, old)
      var reason = wanted[place.list]
      if let present, present.contains(.imported), let account = place.account, post.isEntry,
        try groups.resolve(post.audience).includes(account)
      {
        reason = (reason ?? []).union(.imported)
      }
      if present != nil && (reason == nil || old != post.orderKey) { try entries.remove(old, place) }
      guard let reason, present != reason || old != post.orderKey else { continue }
      let target = Place(list: place.list, name: place.name, account: place.account, reason: reason)
      if present == nil || old != post.orderKey {
        try entries.insert(post.orderKey, target)
      } else {
        try entries.update(post.orderKey, target)
      }
    }
  }

  /// Refiles the replies to a post whose author changed or that was deleted.
  func refileReplies(to id: PostID) throws(StoreError) { for reply in try posts.replies(to: id) { try refile(reply) } }

  /// Adds a post to the mention lists it belongs to and is not yet in.
  func fileMentions(_ id: PostID) throws(StoreError) {
    guard let post = try posts.listed(id), post.isEntry else { return }
    for place in try mentions(for: post) where try entries.reason(place.list, post.orderKey) == nil {
      try entries.insert(post.orderKey, place)
    }
  }

  /// Records that `account` imported a post that another account had imported before, or that a server has it in its
  /// home list or mentions. Returns true if the post is new in that list.
  func fileImported(
    _ key: OrderKey, audience: Audience, by account: AccountID, in kind: ListKind = .home
  ) throws(StoreError) -> Bool {
    guard try groups.resolve(audience).includes(account), var place = try ownPlace(kind, account) else { return false }
    let present = try entries.reason(place.list, key)
    guard present?.contains(.imported) != true else { return false }
    place.reason = (present ?? []).union(.imported)
    if present != nil {
      try entries.update(key, place)
      return false
    }
    try entries.insert(key, place)
    return true
  }

  /// Takes back what ``fileImported(_:audience:by:in:)`` recorded: the post leaves the list, unless it belongs there
  /// for another reason too.
  func unfileImported(_ post: ListedPost, by account: AccountID, in kind: ListKind) throws(StoreError) {
    guard var place = try ownPlace(kind, account),
      try entries.reason(place.list, post.orderKey)?.contains(.imported) == true
    else { return }
    if let wanted = try places(for: post).first(where: { $0.list == place.list }) {
      place.reason = wanted.reason
      try entries.update(post.orderKey, place)
    } else {
      try entries.remove(post.orderKey, place)
    }
  }

  /// Returns true if ``fileImported(_:audience:by:in:)`` recorded a post for an account.
  func isImported(_ key: OrderKey, by account: AccountID, in kind: ListKind) throws(StoreError) -> Bool {
    guard let place = try ownPlace(kind, account) else { return false }
    return try entries.reason(place.list, key)?.contains(.imported) == true
  }

  /// Returns the home lists and mentions in which ``fileImported(_:audience:by:in:)`` recorded a post.
  func importers(of key: OrderKey) throws(StoreError) -> [(account: AccountID, kind: ListKind)] {
    var found: [(account: AccountID, kind: ListKind)] = []
    for place in try entries.ownPlaces(of: key) {
      guard let account = place.account, try entries.reason(place.list, key)?.contains(.imported) == true else {
        continue
      }
      found.append((account, place.name == .home(account) ? .home : .mentions))
    }
    return found
  }

  /// Returns the home list or the mentions of an account; nil if there is no such account.
  private func ownPlace(_ kind: ListKind, _ account: AccountID) throws(StoreError) -> Place? {
    guard let own = try lists.own(of: account) else { return nil }
    return kind == .home
      ? Place(list: own.home, name: .home(account), account: account, reason: [])
      : Place(list: own.mentions, name: .mentions(account), account: account, reason: [])
  }

  // MARK: Where a post belongs

  /// Returns the lists that a post belongs to, each once, except message lists.
  private func places(for post: ListedPost) throws(StoreError) -> [Place] {
    guard post.isEntry else { return [] }
    var found: [Place] = []
    let audience = try groups.resolve(post.audience)
    // A feed's posts are for those who follow it, whoever added it first.
    let isFeed = try feedAuthors.contains(post.author)
    for place in try lists.places(of: post.author) where place.account.map(audience.includes) ?? false {
      if isFeed, try isHidden(post, in: place.list) { continue }
      found.append(place)
    }
    if !isFeed, !post.isPlaced, audience.includes(post.owner), let home = try lists.own(of: post.owner)?.home {
      if let index = found.firstIndex(where: { $0.list == home }) {
        found[index].reason.insert(.own)
      } else {
        found.append(Place(list: home, name: .home(post.owner), account: post.owner, reason: .own))
      }
    }
    found += try mentions(for: post)
    if case .group(let group) = post.audience, let place = try groups.place(of: group) { found.append(place) }
    return found
  }

  /// Returns true if a twin keeps a post out of a list. What is there stays beside a twin that came later, unless each
  /// may hide the other.
  private func isHidden(_ post: ListedPost, in list: Int64) throws(StoreError) -> Bool {
    guard try twins.isHidden(post.id, in: list) else { return false }
    if try entries.reason(list, post.orderKey) == nil { return true }
    return try twins.isRivalled(post.id, in: list)
  }

  private func mentions(for post: ListedPost) throws(StoreError) -> [Place] {
    if post.addressed.isEmpty { return [] }
    let audience = try groups.resolve(post.audience)
    let own = try lists.own()
    return post.addressed.sorted { $0.rawValue < $1.rawValue }.compactMap { account in
      guard audience.includes(account), let list = own[account]?.mentions else { return nil }
      return Place(list: list, name: .mentions(account), account: account, reason: [])
    }
  }
}

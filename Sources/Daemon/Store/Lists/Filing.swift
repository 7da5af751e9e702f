internal import Dates
internal import Posts

/// Posts go into lists when they are written, in the same transaction (docs/adr/0011): reading a list is reading one
/// index.
struct Filing {
  private let entries: Entries
  private let lists: ListLookup
  private let circles: CircleLookup
  private let posts: ListedPosts

  init(_ entries: Entries, _ lists: ListLookup, _ circles: CircleLookup, _ posts: ListedPosts) {
    (self.entries, self.lists, self.circles, self.posts) = (entries, lists, circles, posts)
  }

  /// Puts a post that is in no list yet into those it belongs to.
  func file(_ post: ListedPost) throws(StoreError) {
    for place in try places(for: post) { try entries.insert(post.orderKey, place) }
    if case .circle(let circle) = post.audience { try renewMessages(of: circle, without: nil) }
  }

  /// Moves a post to the lists it belongs to from those it was in as it stood at `old`, by `author` and for `audience`.
  func refile(
    _ post: ListedPost, from old: OrderKey, _ author: AuthorID, _ audience: Audience
  ) throws(StoreError) {
    // Who imported it is known to entries alone, and who was addressed to nobody any more: those are asked for. Of
    // other lists it was in those of its author, and that of its conversation.
    var candidates = try entries.ownPlaces(of: old) + lists.places(of: author)
    var affected: [CircleID] = []
    for case .circle(let circle) in [audience, post.audience] where !affected.contains(circle) {
      affected.append(circle)
      if let place = try circles.place(of: circle) { candidates.append(place) }
    }
    let wanted = try places(for: post)
    var met: Set<Int64> = []
    try refile(post, from: old, in: (candidates + wanted).filter { met.insert($0.list).inserted }, wanted)
    for circle in affected { try renewMessages(of: circle, without: old) }
  }

  /// The same of a post that stays where it is, by the same author and for the same audience.
  func refile(_ post: ListedPost) throws(StoreError) {
    try refile(post, from: post.orderKey, post.author, post.audience)
  }

  /// Has what is for a circle filed again in the lists of an account that came into it or left it.
  func refile(_ circle: CircleID, for account: AccountID) throws(StoreError) {
    guard let own = try lists.own(of: account) else { return }
    let home = Place(list: own.home, name: .home(account), account: account, reason: [])
    let mentions = Place(list: own.mentions, name: .mentions(account), account: account, reason: [])
    for post in try posts.listed(for: circle) {
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
        try circles.readers(of: post.audience).includes(account)
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

  /// Has the answers to a post filed again, because somebody else wrote it now or it is gone.
  func refileReplies(to id: PostID) throws(StoreError) { for reply in try posts.replies(to: id) { try refile(reply) } }

  /// Puts a post that is found to be a mention into those lists.
  func fileMentions(_ id: PostID) throws(StoreError) {
    guard let post = try posts.listed(id), post.isEntry else { return }
    for place in try mentions(for: post) where try entries.reason(place.list, post.orderKey) == nil {
      try entries.insert(post.orderKey, place)
    }
  }

  /// Notes that `account` imported a post that another had imported before; true if that brought it into its home list.
  func fileImported(_ key: OrderKey, audience: Audience, by account: AccountID) throws(StoreError) -> Bool {
    guard try circles.readers(of: audience).includes(account), let home = try lists.own(of: account)?.home else {
      return false
    }
    let present = try entries.reason(home, key)
    guard present?.contains(.imported) != true else { return false }
    let reason = (present ?? []).union(.imported)
    let place = Place(list: home, name: .home(account), account: account, reason: reason)
    if present != nil {
      try entries.update(key, place)
      return false
    }
    try entries.insert(key, place)
    return true
  }

  // MARK: Where a post belongs

  /// The lists that a post belongs to, each once, but for messages.
  private func places(for post: ListedPost) throws(StoreError) -> [Place] {
    guard post.isEntry else { return [] }
    var found: [Place] = []
    let audience = try circles.readers(of: post.audience)
    for place in try lists.places(of: post.author) where place.account.map(audience.includes) ?? false {
      found.append(place)
    }
    if audience.includes(post.owner), let home = try lists.own(of: post.owner)?.home {
      if let index = found.firstIndex(where: { $0.list == home }) {
        found[index].reason.insert(.own)
      } else {
        found.append(Place(list: home, name: .home(post.owner), account: post.owner, reason: .own))
      }
    }
    found += try mentions(for: post)
    if case .circle(let circle) = post.audience, let place = try circles.place(of: circle) { found.append(place) }
    return found
  }

  private func mentions(for post: ListedPost) throws(StoreError) -> [Place] {
    if post.addressed.isEmpty { return [] }
    let audience = try circles.readers(of: post.audience)
    let own = try lists.own()
    return post.addressed.sorted { $0.rawValue < $1.rawValue }.compactMap { account in
      guard audience.includes(account), let list = own[account]?.mentions else { return nil }
      return Place(list: list, name: .mentions(account), account: account, reason: [])
    }
  }

  /// Sees that the people of a conversation have its newest post, and no other, among their messages; `gone` is what
  /// they may have had of it that is not there any more.
  private func renewMessages(of circle: CircleID, without gone: OrderKey?) throws(StoreError) {
    guard let list = try circles.place(of: circle)?.list else { return }
    let newest = try entries.newest(of: list, limit: 2)
    for account in try circles.members(of: circle).sorted(by: { $0.rawValue < $1.rawValue }) {
      guard let messages = try lists.own(of: account)?.messages else { continue }
      let place = Place(list: messages, name: .messages(account), account: account, reason: [])
      for old in [gone, newest.dropFirst().first].compactMap({ $0 }) where old != newest.first {
        if try entries.reason(messages, old) != nil { try entries.remove(old, place) }
      }
      if let first = newest.first, try entries.reason(messages, first) == nil { try entries.insert(first, place) }
    }
  }
}

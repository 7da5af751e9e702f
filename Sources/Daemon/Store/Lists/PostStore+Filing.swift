internal import Dates
internal import Posts

/// Posts go into lists when they are written, in the same transaction (docs/adr/0011): reading a list is reading one
/// index.
extension PostStore {
  /// Puts a post that is in no list yet into those it belongs to.
  func file(_ post: ListedPost) throws(StoreError) {
    for place in try places(for: post) { try insert(post.orderKey, place) }
    if case .circle(let circle) = post.audience { try renewMessages(of: circle, without: nil) }
  }

  /// Moves a post to the lists it belongs to from those it was in as it stood at `old`, by `author` and for `audience`.
  func refile(
    _ post: ListedPost, from old: OrderKey, _ author: AuthorID, _ audience: Audience
  ) throws(StoreError) {
    // Who imported it is known to entries alone, and who was addressed to nobody any more: those are asked for. Of
    // other lists it was in those of its author, and that of its conversation.
    var candidates = try ownPlaces(of: old) + places(of: author)
    var circles: [CircleID] = []
    for case .circle(let circle) in [audience, post.audience] where !circles.contains(circle) {
      circles.append(circle)
      if let place = try place(of: circle) { candidates.append(place) }
    }
    let wanted = try places(for: post)
    var met: Set<Int64> = []
    try refile(post, from: old, in: (candidates + wanted).filter { met.insert($0.list).inserted }, wanted)
    for circle in circles { try renewMessages(of: circle, without: old) }
  }

  /// The same for some lists only: what it is in of `candidates` and does not belong to it leaves.
  func refile(_ post: ListedPost, from old: OrderKey, in candidates: [Place]) throws(StoreError) {
    try refile(post, from: old, in: candidates, try places(for: post))
  }

  private func refile(
    _ post: ListedPost, from old: OrderKey, in candidates: [Place], _ wanted: [Place]
  ) throws(StoreError) {
    let wanted = Dictionary(wanted.map { ($0.list, $0.reason) }, uniquingKeysWith: { $0.union($1) })
    for place in candidates {
      let present = try reason(place.list, old)
      var reason = wanted[place.list]
      if let present, present.contains(.imported), let account = place.account, post.isEntry,
        try mayBeSeen(post.audience, by: account)
      {
        reason = (reason ?? []).union(.imported)
      }
      if present != nil && (reason == nil || old != post.orderKey) { try remove(old, place) }
      guard let reason, present != reason || old != post.orderKey else { continue }
      let target = Place(list: place.list, name: place.name, account: place.account, reason: reason)
      if present == nil || old != post.orderKey {
        try insert(post.orderKey, target)
      } else {
        try set(post.orderKey, target)
      }
    }
  }

  /// Has the answers to a post filed again, because somebody else wrote it now or it is gone.
  func refileReplies(to id: PostID) throws(StoreError) {
    for reply in try replies(to: id) { try refile(reply, from: reply.orderKey, reply.author, reply.audience) }
  }

  /// The answers to a post, as lists see them.
  func replies(to id: PostID) throws(StoreError) -> [ListedPost] {
    let statement = try connection.statement(.listedReplies)
    defer { statement.reset() }
    statement.bind(1, id.rawValue)
    return try listed(statement)
  }

  /// Puts a post that is found to be a mention into those lists.
  func fileMentions(_ id: PostID) throws(StoreError) {
    guard let post = try listed(id), post.isEntry else { return }
    for place in try mentions(for: post) where try reason(place.list, post.orderKey) == nil {
      try insert(post.orderKey, place)
    }
  }

  /// Notes that `account` imported a post that another had imported before; true if that brought it into its home list.
  func fileImported(_ key: OrderKey, audience: Audience, by account: AccountID) throws(StoreError) -> Bool {
    guard try mayBeSeen(audience, by: account), let home = try ownLists()[account]?.home else { return false }
    let present = try reason(home, key)
    guard present?.contains(.imported) != true else { return false }
    let reason = (present ?? []).union(.imported)
    let place = Place(list: home, name: .home(account), account: account, reason: reason)
    if present != nil {
      try set(key, place)
      return false
    }
    try insert(key, place)
    return true
  }

  // MARK: Where a post belongs

  /// The lists that a post belongs to, each once, but for messages.
  private func places(for post: ListedPost) throws(StoreError) -> [Place] {
    guard post.isEntry else { return [] }
    var found: [Place] = []
    let audience = try readers(of: post.audience)
    for place in try places(of: post.author) where audience.includes(place.account!) { found.append(place) }
    if audience.includes(post.owner), let home = try ownLists()[post.owner]?.home {
      if let index = found.firstIndex(where: { $0.list == home }) {
        found[index].reason.insert(.own)
      } else {
        found.append(Place(list: home, name: .home(post.owner), account: post.owner, reason: .own))
      }
    }
    found += try mentions(for: post)
    if case .circle(let circle) = post.audience, let place = try place(of: circle) { found.append(place) }
    return found
  }

  private func mentions(for post: ListedPost) throws(StoreError) -> [Place] {
    if post.addressed.isEmpty { return [] }
    let audience = try readers(of: post.audience)
    let lists = try ownLists()
    return post.addressed.sorted { $0.rawValue < $1.rawValue }.compactMap { account in
      guard audience.includes(account), let list = lists[account]?.mentions else { return nil }
      return Place(list: list, name: .mentions(account), account: account, reason: [])
    }
  }

  // MARK: Entries

  /// The home lists and mentions, of all accounts, in which a post is. A look at each, but one statement.
  private func ownPlaces(of key: OrderKey) throws(StoreError) -> [Place] {
    let statement = try connection.statement(.ownEntries)
    defer { statement.reset() }
    statement.bind(1, key.createdAt.milliseconds)
    statement.bind(2, key.id.rawValue)
    var places: [Place] = []
    while try statement.step() {
      let account = AccountID(statement.integer(2))
      let isHome = statement.integer(1) == ListKind.home.rawValue
      places.append(
        Place(
          list: statement.integer(0), name: isHome ? .home(account) : .mentions(account), account: account, reason: []))
    }
    return places
  }

  /// Why a post is in a list; nil where it is not.
  private func reason(_ list: Int64, _ key: OrderKey) throws(StoreError) -> Reason? {
    let statement = try connection.statement(.entry)
    defer { statement.reset() }
    statement.bind(1, list)
    statement.bind(2, key.createdAt.milliseconds)
    statement.bind(3, key.id.rawValue)
    return try statement.step() ? Reason(rawValue: statement.integer(0)) : nil
  }

  private func insert(_ key: OrderKey, _ place: Place) throws(StoreError) {
    try write(.insertEntry, key, place)
    transaction!.tallies[place.list, default: 0] += 1
    transaction!.changes.enter(place.name, key.id)
  }

  private func set(_ key: OrderKey, _ place: Place) throws(StoreError) { try write(.updateEntry, key, place) }

  private func write(_ query: Query, _ key: OrderKey, _ place: Place) throws(StoreError) {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    statement.bind(1, place.list)
    statement.bind(2, key.createdAt.milliseconds)
    statement.bind(3, key.id.rawValue)
    statement.bind(4, place.reason.rawValue)
    _ = try statement.step()
    noteChange()
  }

  private func remove(_ key: OrderKey, _ place: Place) throws(StoreError) {
    let statement = try connection.statement(.deleteEntry)
    defer { statement.reset() }
    statement.bind(1, place.list)
    statement.bind(2, key.createdAt.milliseconds)
    statement.bind(3, key.id.rawValue)
    _ = try statement.step()
    noteChange()
    transaction!.tallies[place.list, default: 0] -= 1
    transaction!.changes.leave(place.name, key)
  }

  // MARK: Messages

  /// Sees that the people of a conversation have its newest post, and no other, among their messages; `gone` is what
  /// they may have had of it that is not there any more.
  private func renewMessages(of circle: CircleID, without gone: OrderKey?) throws(StoreError) {
    guard let list = try place(of: circle)?.list else { return }
    let newest = try newest(of: list, limit: 2)
    for account in try members(of: circle).sorted(by: { $0.rawValue < $1.rawValue }) {
      guard let messages = try ownLists()[account]?.messages else { continue }
      let place = Place(list: messages, name: .messages(account), account: account, reason: [])
      for old in [gone, newest.dropFirst().first].compactMap({ $0 }) where old != newest.first {
        if try reason(messages, old) != nil { try remove(old, place) }
      }
      if let first = newest.first, try reason(messages, first) == nil { try insert(first, place) }
    }
  }

  private func newest(of list: Int64, limit: Int64) throws(StoreError) -> [OrderKey] {
    let statement = try connection.statement(.newestEntries)
    defer { statement.reset() }
    statement.bind(1, list)
    statement.bind(2, limit)
    var keys: [OrderKey] = []
    while try statement.step() { keys.append(OrderKey(row: statement)) }
    return keys
  }
}

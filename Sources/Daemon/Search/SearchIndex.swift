public import Dates
public import Posts

/// The searches that are open, so that a post can be told which of them find it without asking each.
///
/// Every search waits under one *key*: the rarest of what it requires, as far as is known from the posts seen. A post's tokens are looked
/// up among the keys, which takes the same time whatever the number of searches; the searches found there are then checked in full.
/// Searches that require nothing (`-word`, `before:`) have no key and are checked each time. `from:` is compared with the handle that the
/// author has when the post comes, so authors who come later are found too.
///
/// Who may see a post is not asked here. A repost is never found, its original is: whoever has a repost hands in that.
public struct SearchIndex {
  /// Places for searches; those without one are free.
  private var searches: [OpenSearch?] = []
  private var free: [Int] = []
  /// The searches under each key.
  private var keys: [UInt64: [Int]] = [:]
  /// One bit for each low end of a key, which most tokens of most posts are not.
  private var filter: [UInt64] = Array(repeating: 0, count: 1 << (Self.filterBits - 6))
  /// How many keys have each bit of the filter.
  private var filterCounts: [UInt32] = Array(repeating: 0, count: 1 << Self.filterBits)
  /// Searches without a key.
  private var keyless: Set<Int> = []
  private var sightings = Sightings()
  private var tokens = PostTokens()
  /// Counts posts, so that a search that several tokens lead to is checked once.
  private var turn = 0

  private static let filterBits = 14

  /// No searches.
  public init() {}

  /// How many searches are open.
  public var count: Int { searches.count - free.count }

  /// Opens a search. The same query opened twice is two searches.
  public mutating func open(_ query: SearchQuery) -> SearchID {
    var search = OpenSearch(query)
    search.keys = search.rarestKeys(sightings)
    let place = free.popLast() ?? searches.count
    if place == searches.count { searches.append(nil) }
    file(search.keys, place)
    searches[place] = search
    return SearchID(rawValue: place)
  }

  /// Closes a search; its number may be given to another. Closing one that is not open is a mistake of the caller.
  public mutating func close(_ id: SearchID) {
    guard let search = searches[id.rawValue] else { preconditionFailure("a search is closed once") }
    unfile(search.keys, id.rawValue)
    searches[id.rawValue] = nil
    free.append(id.rawValue)
  }

  /// The searches with `from:`, or `-from:`, one of these handles: what they find may change wholesale when an author is renamed.
  public func searches(naming handles: [SafeText]) -> [SearchID] {
    let handles = Set(handles.map { SearchQuery.handle($0.utf8) })
    return searches.indices.filter { place in
      guard let query = searches[place]?.query else { return false }
      return !handles.isDisjoint(with: query.authors) || !handles.isDisjoint(with: query.excludedAuthors)
    }.map { SearchID(rawValue: $0) }
  }

  /// The searches that find a post, in no order. `handle` is its author's.
  ///
  /// O(length of the post + searches found under its tokens); nothing at all while no search is open.
  public mutating func matches(_ post: StoredPost, by handle: SafeText) -> [SearchID] {
    guard count > 0, let body = post.body.unpacked() else { return [] }
    return matches(body, at: post.createdAt, by: handle)
  }

  /// The same for a post whose body is unpacked.
  public mutating func matches(_ body: PostBody, at instant: Instant, by handle: SafeText) -> [SearchID] {
    guard count > 0 else { return [] }
    turn += 1
    tokens.read { $0.read(body) }
    let handle = SearchQuery.handle(handle.utf8)
    var found: [SearchID] = []
    for token in tokens.hashes.indices {
      let hash = tokens.hashes[token]
      sightings.note(hash)
      check(hash, instant, handle, &found)
      let first = tokens.firsts[token]
      if first != 0 { check(OpenSearch.key(prefix: first), instant, handle, &found) }
    }
    check(OpenSearch.key(author: handle), instant, handle, &found)
    for place in keyless { check(place, instant, handle, &found) }
    return found
  }

  /// Checks the searches under a key.
  @inline(__always)
  private mutating func check(_ key: UInt64, _ instant: Instant, _ handle: [UInt8], _ found: inout [SearchID]) {
    let bit = Int(truncatingIfNeeded: key) & (1 << Self.filterBits - 1)
    if filter[bit >> 6] & 1 << UInt64(bit & 63) == 0 { return }
    for place in keys[key] ?? [] { check(place, instant, handle, &found) }
  }

  private mutating func check(_ place: Int, _ instant: Instant, _ handle: [UInt8], _ found: inout [SearchID]) {
    guard searches[place]!.lastTurn != turn else { return }
    searches[place]!.lastTurn = turn
    if searches[place]!.finds(&tokens, instant, handle) {
      found.append(SearchID(rawValue: place))
    } else if searches[place]!.missed() {
      refile(place)
    }
  }

  /// Looks for a rarer key: what is rare when a search is opened may be in every post a day later.
  private mutating func refile(_ place: Int) {
    let rarest = searches[place]!.rarestKeys(sightings)
    guard rarest != searches[place]!.keys else { return }
    unfile(searches[place]!.keys, place)
    file(rarest, place)
    searches[place]!.keys = rarest
  }

  private mutating func file(_ list: [UInt64], _ place: Int) {
    if list.isEmpty { keyless.insert(place) }
    for key in list {
      keys[key, default: []].append(place)
      let bit = Int(truncatingIfNeeded: key) & (1 << Self.filterBits - 1)
      filterCounts[bit] += 1
      filter[bit >> 6] |= 1 << UInt64(bit & 63)
    }
  }

  private mutating func unfile(_ list: [UInt64], _ place: Int) {
    if list.isEmpty { keyless.remove(place) }
    for key in list {
      keys[key]!.removeAll { $0 == place }
      if keys[key]!.isEmpty { keys[key] = nil }
      let bit = Int(truncatingIfNeeded: key) & (1 << Self.filterBits - 1)
      filterCounts[bit] -= 1
      if filterCounts[bit] == 0 { filter[bit >> 6] &= ~(1 << UInt64(bit & 63)) }
    }
  }
}

/// The number of an open search.
public struct SearchID: Hashable, Sendable {
  /// Small: what was closed is given again.
  public let rawValue: Int
}

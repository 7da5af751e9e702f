public import Dates
public import Posts

/// The searches that are open, so that a post can be told which of them find it without asking each.
///
/// Every search waits under one *key*: the rarest of what it requires, as far as is known from the posts seen. A post's
/// tokens are looked up among the keys, which takes the same time whatever the number of searches; the searches found
/// there are then asked in full. Searches that require nothing (`-word`, `before:`) have no key and are asked each
/// time. `from:` is compared with the handle that the author has when the post comes, so authors who come later are
/// found too.
///
/// Who may see a post is not asked here. A repost is never found, its original is: whoever has a repost hands in that.
public struct SearchIndex {
  /// A place for a search.
  private struct Place {
    var search: OpenSearch
    var isOpen = true
    /// Under which keys it waits.
    var keys: [UInt64] = []
    /// The turn in which it was last asked.
    var lastTurn = 0
    /// How often it was asked in vain since its keys were chosen.
    var misses = 0
  }

  private var places: [Place] = []
  /// Places of closed searches.
  private var free: [Int] = []
  /// How many searches look for characters and not only for tokens.
  private var prefixSearches = 0
  private var keys = KeyTable()
  /// Searches without a key.
  private var keyless: Set<Int> = []
  private var sightings = Sightings()
  private var tokens = PostTokens()
  /// Counts posts, so that a search that several tokens lead to is asked once.
  private var turn = 0

  /// Times that a search is asked in vain before a rarer key is looked for.
  private static let missLimit = 256

  /// No searches.
  public init() {}

  /// How many searches are open.
  public var count: Int { places.count - free.count }

  /// Opens a search. The same query opened twice is two searches.
  public mutating func open(_ query: SearchQuery) -> SearchID {
    let place = Place(search: OpenSearch(query))
    if place.search.hasPrefix { prefixSearches += 1 }
    let number = free.popLast() ?? places.count
    if number == places.count { places.append(place) } else { places[number] = place }
    file(number, place.search.rarestKeys(sightings))
    return SearchID(rawValue: number)
  }

  /// Closes a search; its number may be given to another. Closing one that is not open is a mistake of the caller.
  public mutating func close(_ id: SearchID) {
    let number = id.rawValue
    precondition(places[number].isOpen, "a search is closed once")
    unfile(number)
    if places[number].search.hasPrefix { prefixSearches -= 1 }
    places[number].isOpen = false
    free.append(number)
  }

  /// The searches with `from:`, or `-from:`, one of these handles: what they find may change wholesale when an author
  /// is renamed.
  public func searches(naming handles: [SafeText]) -> [SearchID] {
    let handles = Set(handles.map { SearchQuery.handle($0.utf8) })
    return places.indices.filter { number in
      let query = places[number].search.query
      let isNamed = !handles.isDisjoint(with: query.authors) || !handles.isDisjoint(with: query.excludedAuthors)
      return isNamed && places[number].isOpen
    }.map { SearchID(rawValue: $0) }
  }

  /// The searches that find a post, in no order. `handle` is its author's.
  ///
  /// O(length of the post + searches found under its tokens); nothing at all while no search is open.
  public mutating func matches(_ post: StoredPost, by handle: SafeText) -> [SearchID] {
    guard count > 0 else { return [] }
    return matches(post.body.unpacked() ?? PostBody(text: .empty), at: post.createdAt, by: handle)
  }

  /// The same for a post whose body is unpacked.
  public mutating func matches(_ body: PostBody, at instant: Instant, by handle: SafeText) -> [SearchID] {
    guard count > 0 else { return [] }
    turn += 1
    tokens.read(body, withFirsts: prefixSearches > 0)
    let handle = SearchQuery.handle(handle.utf8)
    var found: [SearchID] = []
    for hash in tokens.hashes {
      sightings.note(hash)
      if keys.mayHave(hash) { ask(keys[hash], instant, handle, &found) }
    }
    for first in tokens.firsts where first != 0 { ask(keys[OpenSearch.key(prefix: first)], instant, handle, &found) }
    ask(keys[OpenSearch.key(author: handle)], instant, handle, &found)
    for number in keyless { ask([number], instant, handle, &found) }
    return found
  }

  private mutating func ask(_ numbers: [Int], _ instant: Instant, _ handle: [UInt8], _ found: inout [SearchID]) {
    for number in numbers where places[number].lastTurn != turn {
      places[number].lastTurn = turn
      if places[number].search.finds(&tokens, instant, handle) {
        found.append(SearchID(rawValue: number))
        continue
      }
      places[number].misses += 1
      if places[number].misses > Self.missLimit { refile(number) }
    }
  }

  /// Looks for rarer keys: what is rare when a search is opened may be in every post a day later.
  private mutating func refile(_ number: Int) {
    places[number].misses = 0
    let rarest = places[number].search.rarestKeys(sightings)
    guard rarest != places[number].keys else { return }
    unfile(number)
    file(number, rarest)
  }

  private mutating func file(_ number: Int, _ keys: [UInt64]) {
    places[number].keys = keys
    if keys.isEmpty { keyless.insert(number) }
    for key in keys { self.keys.insert(number, key) }
  }

  private mutating func unfile(_ number: Int) {
    if places[number].keys.isEmpty { keyless.remove(number) }
    for key in places[number].keys { keys.remove(number, key) }
  }
}

/// The number of an open search.
public struct SearchID: Hashable, Sendable {
  /// Small: what was closed is given again.
  public let rawValue: Int
}

internal import Dates
public import Posts

/// The open searches, indexed so that the searches that find a post are known without evaluating each of them.
///
/// Every search is filed under one *key*: its rarest required token, judged by the posts seen so far. A post's tokens
/// are looked up among the keys, which takes the same time for any number of searches; the searches found are then
/// evaluated in full. Searches that require nothing (`-word`, `before:`) have no key and are always evaluated. `from:`
/// is compared with the author's names at the time of the post, so it also finds authors who join later.
///
/// The index ignores visibility. It never finds a repost, only its original: for a repost, pass the original.
public struct SearchIndex {
  /// A slot for a search.
  private struct Place {
    var search: OpenSearch
    var isOpen = true
    /// The keys that the search is filed under.
    var keys: [UInt64] = []
    /// The turn in which it was last evaluated.
    var lastTurn = 0
    /// The number of evaluations without a match since its keys were chosen.
    var misses = 0
  }

  private var places: [Place] = []
  /// Slots of closed searches.
  private var free: [Int] = []
  /// The number of searches with a prefix.
  private var prefixSearches = 0
  private var keys = KeyTable()
  /// Searches without a key.
  private var keyless: Set<Int> = []
  private var sightings = Sightings()
  private var tokens = PostTokens()
  /// Counts posts, so that a search reached through several tokens is evaluated once.
  private var turn = 0

  /// The number of evaluations without a match after which rarer keys are chosen.
  private static let missLimit = 256

  /// Creates an index without searches.
  public init() {}

  /// The number of open searches.
  public var count: Int { places.count - free.count }

  /// Opens a search. Opening the same query twice makes two searches.
  public mutating func open(_ query: SearchQuery) -> SearchID {
    let place = Place(search: OpenSearch(query))
    if place.search.hasPrefix { prefixSearches += 1 }
    let number = free.popLast() ?? places.count
    if number == places.count { places.append(place) } else { places[number] = place }
    file(number, place.search.rarestKeys(sightings))
    return SearchID(rawValue: number)
  }

  /// Closes a search, whose number may be reused. Closing a search that is not open is a programming error.
  public mutating func close(_ id: SearchID) {
    let number = id.rawValue
    precondition(places[number].isOpen, "the search is already closed")
    unfile(number)
    if places[number].search.hasPrefix { prefixSearches -= 1 }
    places[number].isOpen = false
    free.append(number)
  }

  /// Returns the searches with `from:` or `-from:` one of these names. Their results may change entirely when an author
  /// is renamed.
  public func searches(naming names: [SafeText]) -> [SearchID] {
    let handles = Set(names.map { SearchQuery.handle($0.utf8) })
    return places.indices.filter { number in
      let query = places[number].search.query
      let isNamed = !handles.isDisjoint(with: query.authors) || !handles.isDisjoint(with: query.excludedAuthors)
      return isNamed && places[number].isOpen
    }.map { SearchID(rawValue: $0) }
  }

  /// Returns the searches that find a post, in no particular order; `names` are the author's (``Author/searchNames``).
  ///
  /// O(length of the post + searches filed under its tokens); O(1) while no search is open.
  public mutating func matches(_ post: StoredPost, by names: [SafeText]) -> [SearchID] {
    guard count > 0 else { return [] }
    let body = post.body.unpacked() ?? PostBody(text: .empty)
    return matches(body, at: post.createdAt, by: names, marks: post.marks, owner: post.owner)
  }

  /// Returns the searches that find a post of `owner` whose body is unpacked.
  mutating func matches(
    _ body: PostBody, at instant: Instant, by names: [SafeText], marks: PostMarks, owner: AccountID
  ) -> [SearchID] {
    guard count > 0 else { return [] }
    turn += 1
    tokens.read(body, marks: marks, owner: owner, withFirsts: prefixSearches > 0)
    let names = names.map { SearchQuery.handle($0.utf8) }
    var found: [SearchID] = []
    for hash in tokens.hashes {
      sightings.count(tokenHash: hash)
      if keys.mayHave(hash) { evaluate(keys[hash], instant, names, &found) }
    }
    for first in tokens.firsts where first != 0 {
      evaluate(keys[OpenSearch.key(prefix: first)], instant, names, &found)
    }
    for name in names { evaluate(keys[OpenSearch.key(author: name)], instant, names, &found) }
    for number in keyless { evaluate([number], instant, names, &found) }
    return found
  }

  private mutating func evaluate(_ numbers: [Int], _ instant: Instant, _ names: [[UInt8]], _ found: inout [SearchID]) {
    for number in numbers where places[number].lastTurn != turn {
      places[number].lastTurn = turn
      if places[number].search.finds(&tokens, instant, names) {
        found.append(SearchID(rawValue: number))
        continue
      }
      places[number].misses += 1
      if places[number].misses > Self.missLimit { refile(number) }
    }
  }

  /// Chooses rarer keys: a token that is rare when a search is opened may be in every post a day later.
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
  /// A small number; numbers of closed searches are reused.
  public let rawValue: Int
}

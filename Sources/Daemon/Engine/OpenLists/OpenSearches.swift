internal import OrderedCollections
internal import Posts
internal import Search

/// The open searches, each only once, no matter how many lists show its results.
struct OpenSearches {
  private struct Open {
    let id: SearchID
    var lists: OrderedSet<UInt32>
  }

  private var index = SearchIndex()
  private var open: [String: Open] = [:]
  private var queries: [SearchID: String] = [:]

  /// Opens the search of an account with a canonical text for a list. An invalid one finds nothing.
  mutating func open(_ text: String, of account: AccountID, _ list: UInt32) {
    if open[text]?.lists.append(list) != nil { return }
    guard let search = SearchQuery(canonical: text) else { return }
    // No other account finds the same with it.
    let query = search.isPersonal ? Self.name(text, account) : text
    if open[query]?.lists.append(list) != nil { return }
    let id = index.open(search.bound(to: account))
    open[query] = Open(id: id, lists: [list])
    queries[id] = query
  }

  private static func name(_ text: String, _ account: AccountID) -> String { "\(account.rawValue) \(text)" }

  /// Closes the search of an account's list.
  mutating func close(_ text: String, of account: AccountID, _ list: UInt32) {
    let personal = Self.name(text, account)
    let query = open[personal]?.lists.contains(list) == true ? personal : text
    guard let search = open[query] else { return }
    open[query]?.lists.remove(list)
    guard open[query]?.lists.isEmpty == true else { return }
    index.close(search.id)
    open[query] = nil
    queries[search.id] = nil
  }

  /// Returns the lists of the searches that find a post, regardless of its audience. A repost is never found; its
  /// original is.
  mutating func lists(finding post: StoredPost, by names: [SafeText]) -> Set<UInt32> {
    guard post.repostedBy == nil else { return [] }
    return lists(of: index.matches(post, by: names))
  }

  /// Returns the lists of the searches that require or exclude an author with one of these names.
  func lists(naming names: [SafeText]) -> Set<UInt32> { lists(of: index.searches(naming: names)) }

  private func lists(of ids: [SearchID]) -> Set<UInt32> {
    ids.reduce(into: []) { lists, id in lists.formUnion(queries[id].flatMap { open[$0]?.lists } ?? []) }
  }
}

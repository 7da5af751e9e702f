internal import OrderedCollections
internal import Posts
internal import Search

/// The open searches, each only once, no matter how many lists show its results.
struct OpenSearches {
  private struct Open {
    let id: SearchID
    var lists: OrderedSet<UInt32>
  }

  /// A search: its canonical text and, if no other account finds the same with it, its account.
  private struct Key: Hashable {
    var account: AccountID?
    var text: String
  }

  private var index = SearchIndex()
  private var open: [Key: Open] = [:]
  private var queries: [SearchID: Key] = [:]

  /// Opens the search of an account with a canonical text for a list. An invalid one finds nothing.
  mutating func open(_ text: String, of account: AccountID, _ list: UInt32) {
    if open[Key(text: text)]?.lists.append(list) != nil { return }
    guard let search = SearchQuery(canonical: text) else { return }
    let query = Key(account: search.isPersonal ? account : nil, text: text)
    if open[query]?.lists.append(list) != nil { return }
    let id = index.open(search.bound(to: account))
    open[query] = Open(id: id, lists: [list])
    queries[id] = query
  }

  /// Closes the search of an account's list.
  mutating func close(_ text: String, of account: AccountID, _ list: UInt32) {
    let personal = Key(account: account, text: text)
    let query = open[personal]?.lists.contains(list) == true ? personal : Key(text: text)
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

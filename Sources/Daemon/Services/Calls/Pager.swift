internal import Engine
internal import Messages

/// The sort key of an item in a paged list.
struct PageKey: Comparable {
  /// The primary key: a kind, or an instant.
  var rank: Int64 = 0
  /// A name.
  var text = ""
  /// The item's number, if its name is not unique.
  var number: Int64 = 0

  static func < (one: PageKey, other: PageKey) -> Bool {
    guard one.rank == other.rank else { return one.rank < other.rank }
    // Compared by bytes: canonically equivalent names are different names.
    if one.text.utf8.lexicographicallyPrecedes(other.text.utf8) { return true }
    return one.number < other.number && one.text.utf8.elementsEqual(other.text.utf8)
  }
}

extension PageKey {
  /// The key of a feed in a list of sources, behind all logins.
  init(feed number: Int64) { self.init(rank: 1, number: number) }
}

/// Cuts lists into pages (`types.proto`). A page token is the key of the page's last item, so that changes elsewhere in
/// the list do not affect a client that reads on.
enum Pager {
  /// Maximum number of items in a page.
  static let itemLimit = 1000
  /// Size in bytes after which no further item is added to a page. A single item may be larger.
  static let byteLimit = 1 << 20

  /// Returns the requested page of a list: its items as messages, and the token of the next page.
  ///
  /// O(n log n) in the length of the list; messages are built for this page only.
  ///
  /// - Parameter method: the path of the method, which its tokens name.
  /// - Throws: INVALID_ARGUMENT for a token that did not come from that method.
  static func page<Element, Item: WireMessage>(
    _ request: PageRequest, of list: [Element], for method: String, by key: (Element) -> PageKey,
    _ make: (Element) -> Item
  ) throws(EngineError) -> (items: [Item], nextPageToken: String) {
    let last = try request.token.isEmpty ? nil : Self.key(of: request.token, for: method)
    let keyed = list.map { (key: key($0), element: $0) }
    let rest = keyed.filter { item in last.map { item.key > $0 } ?? true }.sorted { $0.key < $1.key }
    let size = request.size == 0 ? itemLimit : min(request.size, itemLimit)
    var items: [Item] = []
    var bytes = 0
    for (_, element) in rest.prefix(size) where bytes < byteLimit {
      let item = make(element)
      bytes += item.encoded().count
      items.append(item)
    }
    let token = items.count < rest.count ? Self.token(of: rest[items.count - 1].key, for: method) : ""
    return (items, token)
  }

  /// Returns the items from which the requested page is made, in any order, and one more if there is one: a cheap first
  /// pass over a long list whose messages are expensive. O(n log n).
  static func rest<Element>(
    _ request: PageRequest, of list: [Element], for method: String, by key: (Element) -> PageKey
  ) throws(EngineError) -> [Element] {
    let last = try request.token.isEmpty ? nil : Self.key(of: request.token, for: method)
    let rest = list.filter { element in last.map { key(element) > $0 } ?? true }
    return Array(rest.sorted { key($0) < key($1) }.prefix(itemLimit + 1))
  }

  private static func token(of key: PageKey, for method: String) -> String {
    "\(name(of: method)):\(key.rank):\(key.number):\(key.text)"
  }

  private static func key(of token: String, for method: String) throws(EngineError) -> PageKey {
    let parts = token.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == name(of: method), let rank = Int64(parts[1]), let number = Int64(parts[2])
    else {
      let message = "page_token did not come from \(name(of: method)); omit it to start with the first page"
      throw EngineError(.invalidArgument, message, field: "page_token")
    }
    return PageKey(rank: rank, text: String(parts[3]), number: number)
  }

  private static func name(of method: String) -> Substring { method.split(separator: "/").last ?? "" }
}

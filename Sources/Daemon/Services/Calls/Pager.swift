internal import Engine
internal import Messages

/// Where an item stands in a list that has pages: lists are in the order of these.
struct PageKey: Comparable {
  /// What comes before all else: a kind, or an instant.
  var rank: Int64 = 0
  /// A name.
  var text = ""
  /// The item's number, where its name does not tell it from all others.
  var number: Int64 = 0

  static func < (one: PageKey, other: PageKey) -> Bool {
    guard one.rank == other.rank else { return one.rank < other.rank }
    // By bytes: two names of the same letters are two names.
    if one.text.utf8.lexicographicallyPrecedes(other.text.utf8) { return true }
    return one.number < other.number && one.text.utf8.elementsEqual(other.text.utf8)
  }
}

/// Cuts lists into pages (`types.proto`). A page's token is the key of its last item, so that what comes or goes
/// elsewhere in the list changes nothing for those who read on.
enum Pager {
  /// Items of a page at most.
  static let itemLimit = 1000
  /// Bytes of a page after which no further item is put into it. An item alone may be larger.
  static let byteLimit = 1 << 20

  /// The page of a list that was asked for: its items as messages, and the token of the next one.
  ///
  /// O(n log n) in the length of the list; messages are made for the page alone.
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

  private static func token(of key: PageKey, for method: String) -> String {
    "\(name(of: method)):\(key.rank):\(key.number):\(key.text)"
  }

  private static func key(of token: String, for method: String) throws(EngineError) -> PageKey {
    let parts = token.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == name(of: method), let rank = Int64(parts[1]), let number = Int64(parts[2])
    else {
      let message = "page_token is none that \(name(of: method)) gave; leave it out to begin with the first page"
      throw EngineError(.invalidArgument, message, field: "page_token")
    }
    return PageKey(rank: rank, text: String(parts[3]), number: number)
  }

  private static func name(of method: String) -> Substring { method.split(separator: "/").last ?? "" }
}

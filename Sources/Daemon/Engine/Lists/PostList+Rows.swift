internal import Dates
internal import Posts
internal import ViewState

/// Rows as they are shown: the newest on top, the oldest on top, or a conversation in its order. A rank counts from the
/// end at which heights are kept: from the oldest post, or from the top of a conversation.
extension PostList {
  /// Rows that are loaded and shown.
  var count: Int { order?.rows.count ?? columns.count }

  /// Whether rows are shown with the newest on top.
  var isNewestFirst: Bool {
    switch key.base {
    case .conversation, .direct, .lists, .launch: false
    case .home, .mentions, .messages, .made, .author, .own, .search, .filtered: true
    }
  }

  /// What its rows are.
  var kind: RowContent.Kind {
    switch key.base {
    case .lists: .list
    case .launch: .notice
    case .home, .mentions, .messages, .made, .author, .own, .search, .conversation, .direct, .filtered: .post
    }
  }

  /// The display index of the row that is the anchor where `index` would be: gaps are none (rule 34), and the next row
  /// is, or where there is none below, the last above. O(gaps beside each other).
  mutating func anchor(displayed index: Int) -> Int {
    guard !gapRows.isEmpty else { return index }
    var next = index
    while next < count, gapRows.contains(key(displayed: next).id) { next += 1 }
    if next < count { return next }
    next = index
    while next > 0, gapRows.contains(key(displayed: next).id) { next -= 1 }
    return next
  }

  /// How many gaps are rows above a key.
  func gapCount(above key: OrderKey) -> Int {
    gapRows.isEmpty ? 0 : gaps.count { gapRows.contains($0.id) && $0.orderKey > key }
  }

  /// Whether rows tell a time.
  var tellsTimes: Bool { kind == .post }

  /// Chooses what is collapsed in a conversation: what is said of rows from now on is said of the order that this
  /// makes.
  mutating func arrange(_ collapsed: [PostID]) {
    guard order != nil, case .conversation(_, let subject) = key else { return }
    if let known = orders[collapsed] {
      order = known
      return
    }
    if orders.count >= Self.mostOrders { orders = [:] }
    order = ThreadOrder(around: subject, collapsed: Set(collapsed), of: columns.links())
    orders[collapsed] = order
  }

  /// Orders that are kept; with more of them all are made again.
  private static let mostOrders = 16

  /// The rank of display row `index` (from the top), and the other way round.
  func rank(ofDisplayed index: Int) -> Int { isNewestFirst ? count - 1 - index : index }

  /// The ranks of the loaded rows that are shown above display row `index`, which may be their number.
  func ranks(aboveDisplayed index: Int) -> Range<Int> { isNewestFirst ? count - index..<count : 0..<index }

  private func column(ofRank rank: Int) -> Int { order.map { Int($0.rows[rank].rank) } ?? rank }

  /// The post at a rank.
  mutating func post(atRank rank: Int) -> StoredPost { columns.post(at: column(ofRank: rank)) }

  /// The key of the row at a rank.
  mutating func key(atRank rank: Int) -> OrderKey { columns.key(at: column(ofRank: rank)) }

  /// How deep in the tree of a conversation the row at a rank stands.
  func depth(ofRank rank: Int) -> Int { order.map { Int($0.rows[rank].depth) } ?? 0 }

  /// Where in the tree of a conversation the row at a rank stands.
  func place(ofRank rank: Int) -> TreePlace {
    var place = TreePlace()
    guard let row = order?.rows[rank] else { return place }
    place.depth = Int(row.depth)
    place.collapsedReplies = Int(row.collapsed)
    return place
  }

  /// How deep the row with a key stands, or the one that took its place.
  mutating func depth(near key: OrderKey) -> Int {
    guard order != nil, count > 0 else { return 0 }
    return depth(ofRank: displayedIndex(near: key))
  }

  /// Lends the texts of rows, in order, with how deep they stand; see ``PostColumns/withTexts(in:_:)``.
  mutating func withTexts(
    in ranks: Range<Int>, _ body: (_ rank: Int, _ text: Swift.Span<UInt8>, _ isRepost: Bool, _ depth: Int) -> Void
  ) {
    guard order != nil else { return columns.withTexts(in: ranks) { body($0, $1, $2, 0) } }
    for rank in ranks {
      let (column, depth) = (column(ofRank: rank), depth(ofRank: rank))
      columns.withTexts(in: column..<column + 1) { body(rank, $1, $2, depth) }
    }
  }

  /// The post of display row `index`.
  mutating func post(displayed index: Int) -> StoredPost { post(atRank: rank(ofDisplayed: index)) }

  /// The key of display row `index`.
  mutating func key(displayed index: Int) -> OrderKey { key(atRank: rank(ofDisplayed: index)) }

  /// The post with `key`; nil where it is not loaded or not there.
  mutating func post(with key: OrderKey) -> StoredPost? { columns.rank(of: key).map { columns.post(at: $0) } }

  /// The key of the post with a number; nil where it is not loaded or not there.
  mutating func key(of id: PostID) -> OrderKey? { columns.rank(of: id).map { columns.key(at: $0) } }

  /// Whether the post with a number is loaded.
  mutating func contains(_ id: PostID) -> Bool { columns.rank(of: id) != nil }

  /// The display index of the row with `id`; nil where it is not loaded, not there or hidden.
  mutating func displayedIndex(of id: PostID) -> Int? {
    guard let column = columns.rank(of: id) else { return nil }
    guard let order else { return rank(ofDisplayed: column) }
    return order.row(ofRank: column).flatMap { $0.isHidden ? nil : $0.index }
  }

  /// The display index of the row with `key`, or of the one that took its place.
  mutating func displayedIndex(near key: OrderKey) -> Int {
    guard count > 0 else { return 0 }
    // The rank of the row, or of the next newer one; with the newest on top it is the next older one that moves up into
    // the place.
    var rank = columns.rank(lowerBound: key)
    if let order { return order.row(nearRank: rank) }
    if isNewestFirst, rank == columns.count || columns.key(at: rank) != key { rank -= 1 }
    return self.rank(ofDisplayed: max(0, min(columns.count - 1, rank)))
  }

  /// The key of the first row that an instant leads to: the newest that is not later where the newest is on top,
  /// otherwise the oldest that is not earlier; nil without rows.
  mutating func key(at instant: Instant) -> OrderKey? {
    guard columns.count > 0 else { return nil }
    let later = columns.rank(
      lowerBound: OrderKey(createdAt: instant.adding(milliseconds: isNewestFirst ? 1 : 0), id: PostID(.min)))
    let rank = max(0, min(columns.count - 1, isNewestFirst ? later - 1 : later))
    return gapRows.isEmpty ? columns.key(at: rank) : key(displayed: anchor(displayed: self.rank(ofDisplayed: rank)))
  }

  /// Whether the row with a key, or the one that took its place, is loaded if it is there.
  func hasLoaded(_ key: OrderKey) -> Bool { isComplete || floor.map { $0 <= key } ?? false }
}

internal import Dates
internal import Posts
internal import ViewState

/// Rows in display order: newest on top, oldest on top, or in the order of a conversation. Ranks count from the end at
/// which heights are stored: from the oldest post, or from the top of a conversation.
extension PostList {
  /// Number of rows that are loaded and not collapsed.
  var count: Int { order?.rows.count ?? columns.count }

  /// True if the newest row is on top.
  var isNewestFirst: Bool {
    switch key.base {
    case .conversation, .direct, .lists, .launch: false
    case .home, .mentions, .messages, .made, .author, .own, .search, .filtered: true
    }
  }

  /// The kind of its rows.
  var kind: RowContent.Kind {
    switch key.base {
    case .lists: .list
    case .launch: .notice
    case .home, .mentions, .messages, .made, .author, .own, .search, .conversation, .direct, .filtered: .post
    }
  }

  /// Returns the display index of the row that serves as anchor for `index`. Gaps and requests are never anchors
  /// (docs/BEHAVIOUR.md, rule 34): the next row below takes their place, or, if there is none, the last above. O(adjacent
  /// placeholders).
  mutating func anchor(displayed index: Int) -> Int {
    guard !placeholderRows.isEmpty else { return index }
    var next = index
    while next < count, placeholderRows.contains(key(displayed: next).id) { next += 1 }
    if next < count { return next }
    next = index
    while next > 0, placeholderRows.contains(key(displayed: next).id) { next -= 1 }
    return next
  }

  /// Returns the number of rows above a key that are not posts.
  func placeholderCount(above key: OrderKey) -> Int {
    placeholderRows.isEmpty ? 0 : placeholders.count { placeholderRows.contains($0.id) && $0.orderKey > key }
  }

  /// True if rows show times.
  var showsTimes: Bool { kind == .post }

  /// Arranges the rows as a pane shows them. From then on, ranks and display indexes refer to that order.
  mutating func arrange(for pane: PaneRecord) { arrange(pane.collapsed, unfolded: pane.unfolded) }

  /// Orders a conversation with these posts collapsed, and unfolds these rows. From then on, ranks and display indexes
  /// refer to that order.
  mutating func arrange(_ collapsed: [PostID], unfolded: [PostID]) {
    self.unfolded = unfolded
    guard order != nil, case .conversation(_, let subject) = key else { return }
    if let known = orders[collapsed] {
      order = known
      return
    }
    if orders.count >= Self.mostOrders { orders = [:] }
    order = ThreadOrder(around: subject, collapsed: Set(collapsed), of: columns.links())
    orders[collapsed] = order
  }

  /// Returns the folding of a row's text: what was opened on purpose is whole (docs/BEHAVIOUR.md, rule 49).
  func folding(of row: PostID) -> RowFolding {
    switch key {
    case .conversation(_, let subject) where subject == row: .whole
    case .lists, .launch: .whole
    default: unfolded.contains(row) ? .unfolded : .folded
    }
  }

  /// The rows that are not folded although others are.
  var wholeRows: [PostID] {
    if case .conversation(_, let subject) = key { unfolded + [subject] } else { unfolded }
  }

  /// The most cached orders; the cache is cleared when it is full.
  private static let mostOrders = 16

  /// Converts a display index, counted from the top, to a rank. The same formula converts a rank to a display index.
  func rank(ofDisplayed index: Int) -> Int { isNewestFirst ? count - 1 - index : index }

  /// Returns the ranks of the rows above display row `index`, which may be ``count``.
  func ranks(aboveDisplayed index: Int) -> Range<Int> { isNewestFirst ? count - index..<count : 0..<index }

  private func column(ofRank rank: Int) -> Int { order.map { Int($0.rows[rank].rank) } ?? rank }

  /// Returns the post at a rank.
  mutating func post(atRank rank: Int) -> StoredPost { columns.post(at: column(ofRank: rank)) }

  /// Returns the key of the row at a rank.
  mutating func key(atRank rank: Int) -> OrderKey { columns.key(at: column(ofRank: rank)) }

  /// Returns the depth of the row at a rank in the tree of a conversation.
  func depth(ofRank rank: Int) -> Int { order.map { Int($0.rows[rank].depth) } ?? 0 }

  /// Returns the place of the row at a rank in the tree of a conversation.
  func place(ofRank rank: Int) -> TreePlace {
    var place = TreePlace()
    guard let row = order?.rows[rank] else { return place }
    place.depth = Int(row.depth)
    place.collapsedReplies = Int(row.collapsed)
    return place
  }

  /// Returns the depth of the row with a key, or of the row that took its place.
  mutating func depth(near key: OrderKey) -> Int {
    guard order != nil, count > 0 else { return 0 }
    return depth(ofRank: displayedIndex(near: key))
  }

  /// Lends the texts of rows, in order, with their depths; see
  /// ``PostColumns/withTexts(in:for:_:)``.
  mutating func withTexts(
    in ranks: Range<Int>, _ body: (_ rank: Int, _ text: Swift.Span<UInt8>, _ parts: RowParts, _ depth: Int) -> Void
  ) {
    guard order != nil else { return columns.withTexts(in: ranks, for: key.account) { body($0, $1, $2, 0) } }
    for rank in ranks {
      let (column, depth) = (column(ofRank: rank), depth(ofRank: rank))
      columns.withTexts(in: column..<column + 1, for: key.account) { body(rank, $1, $2, depth) }
    }
  }

  /// Returns the post of display row `index`.
  mutating func post(displayed index: Int) -> StoredPost { post(atRank: rank(ofDisplayed: index)) }

  /// Returns the key of display row `index`.
  mutating func key(displayed index: Int) -> OrderKey { key(atRank: rank(ofDisplayed: index)) }

  /// Returns the post with `key`; nil if it is not loaded or does not exist.
  mutating func post(with key: OrderKey) -> StoredPost? { columns.rank(of: key).map { columns.post(at: $0) } }

  /// Returns the key of the post with an ID; nil if it is not loaded or does not exist.
  mutating func key(of id: PostID) -> OrderKey? { columns.rank(of: id).map { columns.key(at: $0) } }

  /// Returns true if the post with an ID is loaded.
  mutating func contains(_ id: PostID) -> Bool { columns.rank(of: id) != nil }

  /// Returns the display index of the row with `id`; nil if it is not loaded, does not exist or is collapsed.
  mutating func displayedIndex(of id: PostID) -> Int? {
    guard let column = columns.rank(of: id) else { return nil }
    guard let order else { return rank(ofDisplayed: column) }
    return order.row(ofRank: column).flatMap { $0.isHidden ? nil : $0.index }
  }

  /// Returns the rank of the row with `id`; nil if it has none.
  mutating func rank(ofRow id: PostID) -> Int? { displayedIndex(of: id).map { rank(ofDisplayed: $0) } }

  /// Returns the display index of the row with `key`, or of the row that took its place.
  mutating func displayedIndex(near key: OrderKey) -> Int {
    guard count > 0 else { return 0 }
    // This is the rank of the row or of the next newer one. With the newest on top, the next older one moves up into
    // its place.
    var rank = columns.rank(lowerBound: key)
    if let order { return order.row(nearRank: rank) }
    if isNewestFirst, rank == columns.count || columns.key(at: rank) != key { rank -= 1 }
    return self.rank(ofDisplayed: max(0, min(columns.count - 1, rank)))
  }

  /// Returns the key of the row at an instant: the newest that is not later if the newest is on top, otherwise the
  /// oldest that is not earlier; nil if there are no rows.
  mutating func key(at instant: Instant) -> OrderKey? {
    guard columns.count > 0 else { return nil }
    let later = columns.rank(
      lowerBound: OrderKey(createdAt: instant.adding(milliseconds: isNewestFirst ? 1 : 0), id: PostID(.min)))
    let rank = max(0, min(columns.count - 1, isNewestFirst ? later - 1 : later))
    return placeholderRows.isEmpty
      ? columns.key(at: rank) : key(displayed: anchor(displayed: self.rank(ofDisplayed: rank)))
  }

  /// Returns true if the place of a key is loaded, so that its row is either present or does not exist.
  func hasLoaded(_ key: OrderKey) -> Bool { isComplete || floor.map { $0 <= key } ?? false }
}

extension ViewSnapshot {
  /// Returns the operations that turn `base` into `self`, in the order of a frame; empty if both show the same.
  ///
  /// The law, which the tests check for random pairs: `base.applying(target.operations(from: base)) == target`, except
  /// for header fields. O(rows held log rows held); unchanged rows are detected by identity.
  public func operations(from base: ViewSnapshot) -> [Operation] {
    var operations: [Operation] = []
    let kept = zip(base.panes, panes).prefix { $0.header == $1.header }.count
    for pane in base.panes[kept...].reversed() { operations.append(.panePopped(pane.header.paneID)) }
    for pane in panes[kept...] { operations.append(.panePushed(pane.header)) }
    if position != base.position || paneFrames != base.paneFrames {
      operations.append(.stackMoved(position: position, frames: paneFrames))
    }
    var tail = PaneTail()
    for (index, pane) in panes.enumerated() {
      let held = index < kept ? base.panes[index] : Pane(header: pane.header)
      pane.appendRowOperations(from: held, to: &operations, tail: &tail)
    }
    operations += tail.statuses
    operations += tail.heights
    operations += tail.times
    operations += tail.clocks
    operations += tail.selections
    if navigation != base.navigation { operations.append(.navigationChanged(navigation)) }
    return operations
  }
}

/// Operations that follow the row operations of every pane.
private struct PaneTail {
  var statuses: [Operation] = []
  var heights: [Operation] = []
  var times: [Operation] = []
  var clocks: [Operation] = []
  var selections: [Operation] = []
}

extension Pane {
  fileprivate func appendRowOperations(from held: Pane, to operations: inout [Operation], tail: inout PaneTail) {
    let paneID = header.paneID
    if selection != held.selection { tail.selections.append(.selectionChanged(pane: paneID, selection)) }
    if clock != held.clock { tail.clocks.append(.clockMoved(pane: paneID, clock)) }
    if status != held.status { tail.statuses.append(.paneStatus(pane: paneID, status)) }
    // Held panes are usually the same array; unchanged rows compare by identity of their content.
    var heldIndex: [UInt64: Int] = Dictionary(minimumCapacity: held.rows.count)
    for (index, row) in held.rows.enumerated() { heldIndex[row.rowID] = index }
    let stays = rowsThatStay(heldIndex)

    var staying = Set<UInt64>(minimumCapacity: rows.count)
    for stay in stays { staying.insert(rows[stay.index].rowID) }
    let removed = held.rows.lazy.map(\.rowID).filter { !staying.contains($0) }
    if !removed.isEmpty { operations.append(.rowsRemoved(pane: paneID, rows: Array(removed))) }

    appendInsertions(staying, to: &operations)

    var changes: [RowChange] = []
    var relayouts: [RowRelayout] = []
    var labels = LabelTable()
    for stay in stays {
      let row = rows[stay.index]
      let old = held.rows[stay.heldIndex]
      let caps = row.caps == old.caps ? nil : row.caps
      let content = row.content == old.content ? nil : row.row
      let day: DayLine?? = row.day == old.day ? nil : .some(row.day)
      let tree = row.tree == old.tree ? nil : row.tree
      if caps != nil || content != nil || day != nil || tree != nil {
        changes.append(RowChange(rowID: row.rowID, caps: caps, row: content, day: day, tree: tree))
      }
      if content == nil && row.layout != old.layout {
        relayouts.append(RowRelayout(rowID: row.rowID, layout: row.layout))
      }
      if row.label != old.label { labels.append(row.rowID, row.label) }
    }
    if !changes.isEmpty { operations.append(.rowsChanged(pane: paneID, changes: changes)) }
    if !relayouts.isEmpty { tail.heights.append(.heightsChanged(pane: paneID, rows: relayouts)) }
    if !labels.rows.isEmpty {
      tail.times.append(
        .timesRefreshed(pane: paneID, labels: labels.texts, rows: labels.rows, indexes: labels.indexes))
    }
  }

  /// Returns the indexes of held rows that need not move: the longest run of held rows in their old order.
  private func rowsThatStay(_ heldIndex: [UInt64: Int]) -> [(index: Int, heldIndex: Int)] {
    var common: [(index: Int, heldIndex: Int)] = []
    common.reserveCapacity(rows.count)
    for (index, row) in rows.enumerated() {
      if let old = heldIndex[row.rowID] { common.append((index, old)) }
    }
    return longestAscendingSubsequence(common) { $0.heldIndex }
  }

  /// Appends one insertion for each run of rows that are not held.
  private func appendInsertions(_ staying: Set<UInt64>, to operations: inout [Operation]) {
    var after: UInt64 = 0
    var run: [PlacedRow] = []
    func flush(_ operations: inout [Operation]) {
      guard !run.isEmpty else { return }
      operations.append(.rowsInserted(pane: header.paneID, after: after, rows: run))
      run = []
    }
    for row in rows {
      if staying.contains(row.rowID) {
        flush(&operations)
        after = row.rowID
      } else {
        run.append(row)
      }
    }
    flush(&operations)
  }
}

/// The texts of a TimesRefreshed, each once.
private struct LabelTable {
  var texts: [String] = []
  var rows: [UInt64] = []
  var indexes: [UInt32] = []
  private var index: [String: UInt32] = [:]

  init() {}

  mutating func append(_ row: UInt64, _ text: String) {
    rows.append(row)
    if let known = index[text] {
      indexes.append(known)
    } else {
      index[text] = UInt32(texts.count)
      indexes.append(UInt32(texts.count))
      texts.append(text)
    }
  }
}

/// Returns the longest subsequence of `elements` with ascending keys, by patience sorting. O(n log n).
func longestAscendingSubsequence<Element>(_ elements: [Element], key: (Element) -> Int) -> [Element] {
  var piles: [Int] = []
  var predecessor = [Int](repeating: -1, count: elements.count)
  for (index, element) in elements.enumerated() {
    let value = key(element)
    var low = 0
    var high = piles.count
    while low < high {
      let middle = (low + high) / 2
      if key(elements[piles[middle]]) < value { low = middle + 1 } else { high = middle }
    }
    if low > 0 { predecessor[index] = piles[low - 1] }
    if low == piles.count { piles.append(index) } else { piles[low] = index }
  }
  var result: [Element] = []
  var cursor = piles.last ?? -1
  while cursor >= 0 {
    result.append(elements[cursor])
    cursor = predecessor[cursor]
  }
  return result.reversed()
}

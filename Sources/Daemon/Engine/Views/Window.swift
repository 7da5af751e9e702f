internal import Posts
internal import ViewState

/// The rows of a pane that a view holds: what it shows, and a viewport's height above and below (protocol.md, section 4).
struct Window {
  /// What a row that was not measured counts for: author, two lines of text, counts, separator.
  static let estimatedRowHeight = 5

  /// Display index of the first row.
  var first: Int
  var rows: [RowContentAndLayout]
}

extension StackEngine {
  /// The window around `place`, which is moved to the row that took its place where the row has gone (rule 34).
  ///
  /// Rows are laid out until a viewport's height is covered above, and two from the anchor on; then the window grows to
  /// the least number of rows. Cost: the window.
  mutating func window(
    in list: inout PostList, at place: inout View.Place, height: Int, key: LayoutKey, account: AccountID
  ) -> Window {
    let count = list.columns.count
    guard count > 0 else { return Window(first: 0, rows: []) }
    let anchor = anchorIndex(of: &place, in: &list)

    func row(_ index: Int, _ list: inout PostList) -> RowContentAndLayout {
      let entry = list.post(displayed: index)
      return cache.row(entry.post, revision: entry.revision, account: account, key: key)
    }

    var below: [RowContentAndLayout] = []
    var lines = 0
    var next = anchor
    while next < count, below.count < limits.windowRows, lines < place.line + 2 * height {
      let measured = row(next, &list)
      lines += measured.layout.height
      below.append(measured)
      next += 1
    }
    var above: [RowContentAndLayout] = []
    lines = 0
    var first = anchor
    while first > 0, above.count + below.count < limits.windowRows, lines < height {
      first -= 1
      let measured = row(first, &list)
      lines += measured.layout.height
      above.append(measured)
    }
    while next < count, above.count + below.count < limits.smallestWindowRows {
      below.append(row(next, &list))
      next += 1
    }
    while first > 0, above.count + below.count < limits.smallestWindowRows {
      first -= 1
      above.append(row(first, &list))
    }
    return Window(first: first, rows: above.reversed() + below)
  }

  private func anchorIndex(of place: inout View.Place, in list: inout PostList) -> Int {
    guard let anchor = place.anchor else { return 0 }
    if let key = place.key {
      let index = list.displayedIndex(near: key)
      if list.key(displayed: index) != key { place = View.Place(anchor: nil, key: key, line: 0).anchored(in: &list, index) }
      return index
    }
    guard let index = list.displayedIndex(of: anchor) else {
      // Not loaded yet, or gone: the beginning, until it turns up.
      return 0
    }
    place.key = list.key(displayed: index)
    return index
  }
}

extension View.Place {
  /// A place at the row that stands at `index` now.
  fileprivate func anchored(in list: inout PostList, _ index: Int) -> View.Place {
    let key = list.key(displayed: index)
    return View.Place(anchor: key.id, key: key, line: 0)
  }
}

extension View {
  /// Follows the session's stack: after a push the new pane shows whole, after a pop the position stays valid (rule 10).
  mutating func notice(_ stack: PaneStack, _ geometry: PaneGeometry) {
    let panes = stack.panes.map(\.id)
    if panes.last.map({ !knownPanes.contains($0) }) ?? false, !knownPanes.isEmpty || panes.count > 1 {
      position = geometry.positionAfterPush
    } else {
      position = geometry.position(notAbove: position)
    }
    knownPanes = panes
    places = places.filter { panes.contains($0.key) }
  }

  /// Takes the newest viewport the client sent, now that the panes are known.
  mutating func applyPendingViewport(to stack: PaneStack) {
    guard let viewport = pendingViewport else { return }
    pendingViewport = nil
    viewportGeneration = viewport.generation
    let pane = viewport.paneID == 0 ? stack.top.id : viewport.paneID
    guard stack.panes.contains(where: { $0.id == pane }) else { return }
    let anchor = viewport.anchorRow == 0 ? nil : PostID(Int64(clamping: viewport.anchorRow))
    places[pane] = Place(anchor: anchor, key: nil, line: viewport.line)
  }
}

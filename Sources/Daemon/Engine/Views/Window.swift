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

/// How much a window may still take.
struct WindowBudget {
  private let limits: EngineLimits
  /// Height taken in the present direction.
  var lines: Int
  private var rows = 1
  private var bytes: Int
  private let byteLimit: Int

  /// A budget, for one of `panes` that share a frame, of which the first row is taken already.
  init(_ limits: EngineLimits, panes: Int, first: RowContentAndLayout) {
    self.limits = limits
    byteLimit = limits.windowBytes / max(1, panes)
    lines = first.layout.height
    bytes = first.byteCount
  }

  /// Whether another row may be taken towards a height of `lines`.
  func allows(lines: Int) -> Bool { self.lines < lines && hasRoom }

  /// Whether another row may be taken because there are so few.
  var isBelowSmallest: Bool { rows < limits.smallestWindowRows && hasRoom }

  private var hasRoom: Bool { rows < limits.windowRows && bytes < byteLimit }

  /// Counts a row that was taken.
  mutating func take(_ row: RowContentAndLayout) {
    lines += row.layout.height
    rows += 1
    bytes += row.byteCount
  }
}

extension RowContentAndLayout {
  /// About how many bytes the row takes in a message: its text, and what belongs to it.
  var byteCount: Int {
    let fields = content.fields
    let media = fields.media.reduce(0) { $0 + $1.url.count + $1.altText.count }
    let spans = fields.spans.reduce(0) { $0 + $1.target.count + 12 }
    return 200 + fields.text.count + 4 * layout.lineEnds.count + media + spans + fields.permalink.count
  }
}

extension StackEngine {
  /// The window around `place`, which is moved to the row that took its place where the row has gone (rule 34).
  ///
  /// Rows are laid out until a viewport's height is covered above, and two from the anchor on; then the window grows to
  /// the least number of rows. Cost: the window.
  mutating func window(
    in list: inout PostList, at place: inout View.Place, height: Int, key: LayoutKey, account: AccountID, panes: Int
  ) -> Window {
    let count = list.columns.count
    guard count > 0 else { return Window(first: 0, rows: []) }
    let anchor = anchorIndex(of: &place, in: &list)

    func row(_ index: Int, _ list: inout PostList) -> RowContentAndLayout {
      let entry = list.post(displayed: index)
      return cache.row(entry.post, revision: entry.revision, account: account, key: key)
    }

    var rows: [RowContentAndLayout] = [row(anchor, &list)]
    var budget = WindowBudget(limits, panes: panes, first: rows[0])
    var next = anchor + 1
    while next < count, budget.allows(lines: place.line + 2 * height) {
      rows.append(row(next, &list))
      budget.take(rows[rows.count - 1])
      next += 1
    }
    var above: [RowContentAndLayout] = []
    var first = anchor
    budget.lines = 0
    while first > 0, budget.allows(lines: height) {
      first -= 1
      above.append(row(first, &list))
      budget.take(above[above.count - 1])
    }
    while next < count, budget.isBelowSmallest {
      rows.append(row(next, &list))
      budget.take(rows[rows.count - 1])
      next += 1
    }
    while first > 0, budget.isBelowSmallest {
      first -= 1
      above.append(row(first, &list))
      budget.take(above[above.count - 1])
    }
    return Window(first: first, rows: above.reversed() + rows)
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

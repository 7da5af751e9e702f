internal import Dates
internal import OrderedCollections
internal import Posts
internal import ViewState

/// Where a scene looks, as panes come and go, get other widths and have their rows loaded.
extension Scene {
  /// Where the panes of a stack lie in it.
  func geometry(of stack: PaneStack) -> PaneGeometry { PaneGeometry(identity.layout, of: stack) }

  /// Where it looks in a pane; nil at its beginning.
  func anchor(of record: PaneRecord, width: Int, in lists: inout ListTable) -> RowAnchor? {
    guard let place = viewpoint.places[record.id], let key = place.key else { return nil }
    let list = record.list(of: identity.session.account)
    lists.open.read(list) { $0.arrange(record.collapsed) }
    let lines = place.line == 0 ? nil : lists.rowLines(of: key, in: list, zone, identity.layout, width: width)
    return RowAnchor(key: key, place: lines?.place(atLine: place.line, word: place.word) ?? .head(place.line))
  }

  /// Where it looks in each pane of a stack, also where the rows for that are not loaded yet. O(panes), and for each
  /// that is looked at within a row the length of its text.
  func anchors(of stack: PaneStack, in lists: inout ListTable) -> [UInt64: RowAnchor] {
    let widths = geometry(of: stack).widths
    var anchors: [UInt64: RowAnchor] = [:]
    for (index, record) in stack.panes.enumerated() {
      anchors[record.id] = viewpoint.arriving[record.id] ?? anchor(of: record, width: widths[index], in: &lists)
    }
    return anchors
  }

  /// Begins, where it shows nothing yet, at the places of its session (rule 14). In line mode it begins at the top of
  /// the topmost pane.
  mutating func begin(_ stack: PaneStack, at places: Places, _ lists: inout ListTable) {
    let geometry = geometry(of: stack)
    viewpoint.knownPanes = stack.panes.map(\.id)
    guard !identity.layout.isSinglePane else {
      viewpoint.position = geometry.positionAfterPush
      return
    }
    // A root that nobody has looked at yet lies beside the menu.
    viewpoint.position = geometry.position(notAbove: places.position ?? (stack.panes.count > 1 ? .max : 0))
    for pane in viewpoint.knownPanes { viewpoint.arriving[pane] = places.anchors[pane] }
    settle(stack, &lists)
  }

  /// Follows its session's stack from what that was: places of panes that have gone are put aside, those of panes that
  /// have come are taken up again, and where a pane has another width the word that was first stays.
  mutating func follow(_ stack: PaneStack, from old: PaneStack, at places: Places, _ lists: inout ListTable) {
    let layout = identity.layout
    let remembered = stack.rememberedPanes
    let (before, after) = (geometry(of: old), geometry(of: stack))
    for (index, record) in old.panes.enumerated() {
      let kept = stack.panes.firstIndex { $0.id == record.id }
      if let kept, stack.panes[kept].filter == record.filter {
        carry(record, from: before.widths[index], to: layout, zone, after.widths[kept], &lists)
        continue
      }
      guard kept != nil || remembered.contains(record.id) else { continue }
      let here = viewpoint.arriving[record.id] ?? anchor(of: record, width: before.widths[index], in: &lists)
      guard kept != nil else {
        viewpoint.shelved[record.id] = here
        continue
      }
      // It looks where it did as soon as that is known of the rows that are left.
      viewpoint.arriving[record.id] = here
      viewpoint.places[record.id] = nil
      viewpoint.anchorDays[record.id] = nil
    }
    let known = viewpoint.knownPanes
    viewpoint.follow(stack.panes.map(\.id), after)
    for pane in viewpoint.knownPanes where !known.contains(pane) {
      let own = viewpoint.shelved.removeValue(forKey: pane)
      viewpoint.arriving[pane] = own ?? (layout.isSinglePane ? nil : places.anchors[pane])
    }
    viewpoint.shelved = viewpoint.shelved.filter { remembered.contains($0.key) }
    settle(stack, &lists)
  }

  /// Goes to where it is to look, as far as the rows for that are loaded. One that has gone is where its neighbour is
  /// (rule 34).
  mutating func settle(_ stack: PaneStack, _ lists: inout ListTable) {
    guard !viewpoint.arriving.isEmpty else { return }
    let widths = geometry(of: stack).widths
    for (number, record) in stack.panes.enumerated() {
      let key = record.list(of: identity.session.account)
      guard let anchor = viewpoint.arriving[record.id], let list = lists[key], list.hasLoaded(anchor.key) else {
        continue
      }
      viewpoint.arriving[record.id] = nil
      guard list.count > 0 else { continue }
      let nearest = lists.open.read(key) { list in
        list.arrange(record.collapsed)
        return list.key(displayed: list.anchor(displayed: list.displayedIndex(near: anchor.key)))
      }
      guard let found = nearest else { continue }
      var place = Viewpoint.Place(anchor: found.id, key: found, line: 0, isMoved: true)
      if found == anchor.key,
        let lines = lists.rowLines(of: found, in: key, zone, identity.layout, width: widths[number])
      {
        place.line = lines.line(of: anchor.place)
        if case .text(let byte, _) = anchor.place { place.word = byte }
        viewpoint.anchorDays[record.id] = lines.dayHeight
      }
      viewpoint.places[record.id] = place
    }
  }

  /// Whether it knows where to look in every pane that is seen.
  func isSettled(_ stack: PaneStack) -> Bool {
    guard !viewpoint.arriving.isEmpty else { return true }
    let seen = geometry(of: stack).visible(at: viewpoint.position)
    return !zip(viewpoint.knownPanes, seen).contains { pane, isSeen in isSeen && viewpoint.arriving[pane] != nil }
  }

  // MARK: Another layout

  /// Goes to another layout: its panes keep their places.
  mutating func relayout(_ layout: LayoutParameters, _ newZone: Zone, _ stack: PaneStack, _ lists: inout ListTable) {
    let (old, new) = (geometry(of: stack), PaneGeometry(layout, of: stack))
    for (index, record) in stack.panes.enumerated() {
      carry(record, from: old.widths[index], to: layout, newZone, new.widths[index], &lists)
    }
  }

  /// Keeps its place in a pane that is about to be laid out in another way: the line that has the word that was first
  /// stays the first (rule 38).
  private mutating func carry(
    _ record: PaneRecord, from oldWidth: Int, to layout: LayoutParameters, _ newZone: Zone, _ width: Int,
    _ lists: inout ListTable
  ) {
    let old = identity.layout
    guard let place = viewpoint.places[record.id], place.line > 0, let key = place.key else {
      // What is at the top of a row is there with the line of its day or without.
      if old.hasDayLines != layout.hasDayLines { viewpoint.anchorDays[record.id] = nil }
      return
    }
    let (from, to) = (LayoutKey(old, paneWidth: oldWidth), LayoutKey(layout, paneWidth: width))
    guard from != to || layout.hasDayLines != old.hasDayLines else { return }
    let list = record.list(of: identity.session.account)
    lists.open.read(list) { $0.arrange(record.collapsed) }
    guard let before = lists.rowLines(of: key, in: list, zone, old, width: oldWidth),
      let after = lists.rowLines(of: key, in: list, newZone, layout, width: width)
    else { return }
    viewpoint.places[record.id] = place.carried(from: before, to: after)
    viewpoint.anchorDays[record.id] = after.dayHeight
  }

  // MARK: What is seen

  /// Whether the newest rows of a stack's root are seen, and those that come.
  func showsNewest(of stack: PaneStack) -> Bool {
    let root = stack.panes[0].id
    guard viewpoint.places[root] == nil, viewpoint.arriving[root] == nil else { return false }
    return geometry(of: stack).visible(at: viewpoint.position)[0]
  }

  /// The newest row that is seen of a root, where a view holds `held`; nil where that is not known.
  func newestSeen(in held: ViewSnapshot, of root: PaneRecord) -> OrderKey? {
    let pane = held.panes.first { $0.header.paneID == root.id }
    let anchor = viewpoint.places[root.id]?.anchor.map { UInt64($0.rawValue) }
    guard let rows = pane?.rows, let top = anchor.map({ id in rows.first { $0.rowID == id } }) ?? rows.first,
      anchor != nil || pane?.status.rowsAbove == 0
    else { return nil }
    return OrderKey(of: top)
  }
}

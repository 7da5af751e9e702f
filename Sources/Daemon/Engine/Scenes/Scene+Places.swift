internal import Dates
internal import OrderedCollections
internal import Posts
internal import ViewState

/// Places of a scene, as panes come and go, change width and have their rows loaded.
extension Scene {
  /// Returns the geometry of a stack in it.
  func geometry(of stack: PaneStack) -> PaneGeometry { PaneGeometry(identity.layout, of: stack) }

  /// Returns its preview, and where that is placed; nil if there is none, if it has no room, or if it would show what
  /// the topmost pane does (docs/BEHAVIOUR.md, rule 50).
  func preview(of stack: PaneStack) -> (record: PaneRecord, x: Int, width: Int)? {
    guard let post = identity.preview, stack.top.content != .conversation(post),
      let place = geometry(of: stack).preview(at: viewpoint.position, in: identity.layout)
    else { return nil }
    return (PaneRecord(previewing: post), place.x, place.width)
  }

  /// Chooses another preview. The present one stays until that is loaded, if it is so itself (`isLoaded`), and otherwise
  /// the one that stays in its place. Returns the resulting identity.
  mutating func replacePreview(by post: PostID?, isLoaded: Bool) -> Identity {
    if isLoaded { viewpoint.formerPreview = identity.preview }
    if post == nil || post == viewpoint.formerPreview { viewpoint.formerPreview = nil }
    var identity = identity
    identity.preview = post
    let kept = viewpoint.knownPanes + (viewpoint.formerPreview.map { [PaneRecord(previewing: $0).id] } ?? [])
    viewpoint.forgetPanes { kept.contains($0) }
    return identity
  }

  /// The panes of its previews.
  private var previewPanes: [UInt64] {
    [identity.preview, viewpoint.formerPreview].compactMap { $0.map { PaneRecord(previewing: $0).id } }
  }

  /// Returns a pane of a stack, or the preview beside it, with its width; nil if it shows no such pane.
  func pane(_ id: UInt64, of stack: PaneStack) -> (record: PaneRecord, width: Int)? {
    if let index = stack.panes.firstIndex(where: { $0.id == id }) {
      return (stack.panes[index], geometry(of: stack).widths[index])
    }
    guard let preview = preview(of: stack), previewPanes.contains(id) else { return nil }
    let former = viewpoint.formerPreview.map { PaneRecord(previewing: $0) }
    return (preview.record.id == id ? preview.record : former ?? preview.record, preview.width)
  }

  /// Returns its anchor in a pane; nil at the pane's beginning.
  func anchor(of record: PaneRecord, width: Int, in lists: inout ListTable) -> RowAnchor? {
    guard let place = viewpoint.places[record.id], let key = place.key else { return nil }
    let list = record.list(of: identity.session.account)
    let lines = place.line == 0 ? nil : lists.rowLines(of: key, in: list, record, zone, identity.layout, width: width)
    return RowAnchor(key: key, place: lines?.place(atLine: place.line, word: place.word) ?? .head(place.line))
  }

  /// Returns its anchors in all panes of a stack, even if their rows are not loaded yet. O(panes), plus the text length
  /// of each row that a pane is scrolled into.
  func anchors(of stack: PaneStack, in lists: inout ListTable) -> [UInt64: RowAnchor] {
    let widths = geometry(of: stack).widths
    var anchors: [UInt64: RowAnchor] = [:]
    for (index, record) in stack.panes.enumerated() {
      anchors[record.id] = viewpoint.pendingAnchors[record.id] ?? anchor(of: record, width: widths[index], in: &lists)
    }
    return anchors
  }

  /// Starts an empty scene at the places of its session (docs/BEHAVIOUR.md, rule 14). In line mode it starts at the top
  /// of the topmost pane.
  mutating func begin(_ stack: PaneStack, at places: Places, _ lists: inout ListTable) {
    let geometry = geometry(of: stack)
    viewpoint.knownPanes = stack.panes.map(\.id)
    guard !identity.layout.isSinglePane else {
      viewpoint.position = geometry.positionAfterPush
      return
    }
    // A root that no view has shown yet lies beside the menu.
    viewpoint.position = geometry.position(notAbove: places.position ?? (stack.panes.count > 1 ? .max : 0))
    for pane in viewpoint.knownPanes { viewpoint.pendingAnchors[pane] = places.anchors[pane] }
    resolveAnchors(of: stack, &lists)
  }

  /// Switches to another stack of its session: anchors of removed panes are shelved, those of returning panes are
  /// restored, and where a pane's width changes the first word stays first.
  mutating func adoptStack(_ stack: PaneStack, from old: PaneStack, at places: Places, _ lists: inout ListTable) {
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
      let here = viewpoint.pendingAnchors[record.id] ?? anchor(of: record, width: before.widths[index], in: &lists)
      guard kept != nil else {
        viewpoint.shelved[record.id] = here
        continue
      }
      // The anchor is resolved again among the rows that are left.
      viewpoint.pendingAnchors[record.id] = here
      viewpoint.places[record.id] = nil
      viewpoint.anchorDays[record.id] = nil
    }
    let known = viewpoint.knownPanes
    viewpoint.adoptPanes(stack.panes.map(\.id), after, beside: previewPanes)
    for pane in viewpoint.knownPanes where !known.contains(pane) {
      let own = viewpoint.shelved.removeValue(forKey: pane)
      viewpoint.pendingAnchors[pane] = own ?? (layout.isSinglePane ? nil : places.anchors[pane])
    }
    viewpoint.shelved = viewpoint.shelved.filter { remembered.contains($0.key) }
    resolveAnchors(of: stack, &lists)
  }

  /// Resolves pending anchors whose rows are loaded. If an anchor's row is gone, its neighbour takes its place
  /// (docs/BEHAVIOUR.md, rule 34).
  mutating func resolveAnchors(of stack: PaneStack, _ lists: inout ListTable) {
    guard !viewpoint.pendingAnchors.isEmpty else { return }
    let widths = geometry(of: stack).widths
    for (number, record) in stack.panes.enumerated() {
      let key = record.list(of: identity.session.account)
      guard let anchor = viewpoint.pendingAnchors[record.id], let list = lists[key], list.hasLoaded(anchor.key) else {
        continue
      }
      viewpoint.pendingAnchors[record.id] = nil
      guard list.count > 0 else { continue }
      let nearest = lists.open.read(key) { list in
        list.arrange(for: record)
        return list.key(displayed: list.anchor(displayed: list.displayedIndex(near: anchor.key)))
      }
      guard let found = nearest else { continue }
      var place = Viewpoint.Place(anchor: found.id, key: found, line: 0, isMoved: true)
      if found == anchor.key,
        let lines = lists.rowLines(of: found, in: key, record, zone, identity.layout, width: widths[number])
      {
        place.line = lines.line(of: anchor.place)
        if case .text(let byte, _) = anchor.place { place.word = byte }
        viewpoint.anchorDays[record.id] = lines.dayHeight
      }
      viewpoint.places[record.id] = place
    }
  }

  /// Returns true if the anchors of all visible panes are resolved.
  func hasResolvedAnchors(of stack: PaneStack) -> Bool {
    guard !viewpoint.pendingAnchors.isEmpty else { return true }
    let seen = geometry(of: stack).visible(at: viewpoint.position)
    return !zip(viewpoint.knownPanes, seen).contains { pane, isSeen in isSeen && viewpoint.pendingAnchors[pane] != nil }
  }

  // MARK: Relayout

  /// Switches to another layout; panes keep their places.
  mutating func relayout(_ layout: LayoutParameters, _ newZone: Zone, _ stack: PaneStack, _ lists: inout ListTable) {
    let (old, new) = (geometry(of: stack), PaneGeometry(layout, of: stack))
    for (index, record) in stack.panes.enumerated() {
      carry(record, from: old.widths[index], to: layout, newZone, new.widths[index], &lists)
    }
    let position = new.position(notAbove: viewpoint.position)
    guard let preview = preview(of: stack), let place = new.preview(at: position, in: layout) else { return }
    carry(preview.record, from: preview.width, to: layout, newZone, place.width, &lists)
  }

  /// Takes the places of a scene that was laid out anew, and returns the resulting identity.
  mutating func become(
    _ carried: Scene, _ layout: LayoutParameters, _ newZone: Zone, _ geometry: PaneGeometry
  ) -> Identity {
    var identity = identity
    identity.layout = layout
    viewpoint.places = carried.viewpoint.places
    viewpoint.anchorDays = carried.viewpoint.anchorDays
    if layout.clockSize == 0 { (viewpoint.moving, viewpoint.faces) = ([:], [:]) }
    zone = newZone
    viewpoint.position = geometry.position(notAbove: viewpoint.position)
    return identity
  }

  /// Keeps its place in a pane that is about to be laid out differently: the line with the first word stays first
  /// (docs/BEHAVIOUR.md, rule 38).
  private mutating func carry(
    _ record: PaneRecord, from oldWidth: Int, to layout: LayoutParameters, _ newZone: Zone, _ width: Int,
    _ lists: inout ListTable
  ) {
    let old = identity.layout
    guard let place = viewpoint.places[record.id], place.line > 0, let key = place.key else {
      // The top of a row stays at the top, with or without its day line.
      if old.hasDayLines != layout.hasDayLines { viewpoint.anchorDays[record.id] = nil }
      return
    }
    let (from, to) = (LayoutKey(old, paneWidth: oldWidth), LayoutKey(layout, paneWidth: width))
    guard from != to || layout.hasDayLines != old.hasDayLines else { return }
    let list = record.list(of: identity.session.account)
    guard let before = lists.rowLines(of: key, in: list, record, zone, old, width: oldWidth),
      let after = lists.rowLines(of: key, in: list, record, newZone, layout, width: width)
    else { return }
    viewpoint.places[record.id] = place.carried(from: before, to: after)
    viewpoint.anchorDays[record.id] = after.dayHeight
  }

  // MARK: Visibility

  /// Returns true if the newest rows of a stack's root are visible, so that new ones appear, and count as seen.
  func seesNewest(of stack: PaneStack) -> Bool {
    guard !identity.onlyLooks else { return false }
    let root = stack.panes[0].id
    guard viewpoint.places[root] == nil, viewpoint.pendingAnchors[root] == nil else { return false }
    return geometry(of: stack).visible(at: viewpoint.position)[0]
  }

  /// Returns the newest visible row of a root in a view that holds `held`; nil if it is unknown.
  func newestSeen(in held: ViewSnapshot, of root: PaneRecord) -> OrderKey? {
    let pane = held.panes.first { $0.header.paneID == root.id }
    let anchor = viewpoint.places[root.id]?.anchor.map { UInt64($0.rawValue) }
    guard let rows = pane?.rows, let top = anchor.map({ id in rows.first { $0.rowID == id } }) ?? rows.first,
      anchor != nil || pane?.status.rowsAbove == 0
    else { return nil }
    return OrderKey(of: top)
  }
}

internal import Dates
internal import Posts
internal import ViewState

/// Reading positions of sections (docs/BEHAVIOUR.md, rule 39).
extension PaneRenderer {
  /// Returns the reading position of a reader who sees a root pane as shown; nil if it is not beyond `old`.
  func anchorRead(in pane: Pane, beyond old: RowAnchor?, of scene: Scene, _ lists: inout ListTable) -> RowAnchor? {
    let layout = scene.identity.layout
    guard !layout.isSinglePane, scene.viewpoint.pendingAnchors[record.id] == nil else { return nil }
    let place = scene.viewpoint.places[record.id] ?? Viewpoint.Place()
    let top = pane.status.rowsAbove == 0 ? pane.rows.first { $0.content.fields.kind == .post }?.rowID : nil
    let first = place.anchor.map { UInt64($0.rawValue) } ?? top
    guard let row = pane.rows.first(where: { $0.rowID == first }) else { return nil }
    var anchor = RowAnchor(key: OrderKey(of: row), place: .head(0))
    guard old.map({ $0.key <= anchor.key }) ?? true else { return nil }
    var lines: RowLines?
    if place.line > 0 {
      let list = record.list(of: scene.identity.session.account)
      lines = lists.rowLines(of: anchor.key, in: list, record, scene.zone, layout, width: width)
      guard let lines else { return nil }
      anchor.place = lines.place(atLine: place.line, word: place.word)
    }
    return old.map { anchor.isBeyond($0, in: lines) } ?? true ? anchor : nil
  }

  /// Puts a section's reading position into its pane's status.
  func reportReading(_ reading: RowAnchor, in pane: inout Pane, of scene: Scene, _ lists: inout ListTable) {
    let list = record.list(of: scene.identity.session.account)
    pane.status.readingRow = UInt64(reading.key.id.rawValue)
    if var found = lists[list], found.count > 0, found.hasLoaded(reading.key) {
      let (newer, row) = found.place(readTo: reading.key)
      pane.status.newRows = newer
      if let row, row != reading.key {
        pane.status.readingRow = UInt64(row.id.rawValue)
        return
      }
    }
    guard reading.place != .head(0) else { return }
    pane.status.readingLine =
      lists.rowLines(of: reading.key, in: list, record, scene.zone, scene.identity.layout, width: width)?
      .line(of: reading.place) ?? 0
  }
}

/// The rows a client holds of a view that ended, sent when it opens the next; the schema's Resume.
public struct Resume: Equatable, Sendable {
  /// The held rows of a pane.
  public struct HeldPane: Equatable, Sendable {
    public var paneID: UInt64
    /// From top to bottom.
    public var rows: [HeldRow]

    public init(paneID: UInt64, rows: [HeldRow]) {
      self.paneID = paneID
      self.rows = rows
    }
  }
  /// A held row.
  public struct HeldRow: Equatable, Sendable {
    public var rowID: UInt64
    /// ``RowContent/Fields/fingerprint`` of the held version.
    public var fingerprint: UInt64
    public var caps: Caps

    public init(rowID: UInt64, fingerprint: UInt64, caps: Caps) {
      self.rowID = rowID
      self.fingerprint = fingerprint
      self.caps = caps
    }
  }

  public var epoch: UInt64
  public var revision: UInt64
  public var layoutKey: UInt64
  public var labelsAtMilliseconds: Int64
  /// All panes, bottom first; covered ones hold no rows.
  public var panes: [HeldPane]

  public init(epoch: UInt64, revision: UInt64, layoutKey: UInt64, labelsAtMilliseconds: Int64, panes: [HeldPane]) {
    self.epoch = epoch
    self.revision = revision
    self.layoutKey = layoutKey
    self.labelsAtMilliseconds = labelsAtMilliseconds
    self.panes = panes
  }
}

extension ViewSnapshot {
  /// The resume state to send when opening the next view; nil while nothing is held.
  public var resume: Resume? {
    guard epoch != 0, layoutKey != 0 else { return nil }
    let held = panes.map { pane in
      Resume.HeldPane(
        paneID: pane.header.paneID,
        rows: pane.rows.map {
          Resume.HeldRow(rowID: $0.rowID, fingerprint: $0.content.fields.fingerprint, caps: $0.caps)
        })
    }
    return Resume(
      epoch: epoch, revision: revision, layoutKey: layoutKey, labelsAtMilliseconds: labelsAtMilliseconds, panes: held)
  }

  /// Reconstructs the state a client claims to hold, as far as it helps on the way to `self`: the difference from the
  /// result to `self` brings the client there.
  ///
  /// A held row with the fingerprint of a row of `self` is taken from there, with the label that `label` returns for
  /// it. Every other held row is represented by one that differs from any real row; so are positions and numbers of
  /// panes, and headers for which `isSameHeader` returns false because they may have changed. Returns nil if a pane or
  /// row is claimed twice, or if there are more than `paneLimit` panes or `rowLimit` rows in a pane: no client can be
  /// in such a state. O(rows held).
  ///
  /// With `hasOverlays`, assumes nothing about the elements drawn over the rows; with `hasDayLines`, nothing about the
  /// day lines between them.
  public func held(
    by resume: Resume, paneLimit: Int, rowLimit: Int, hasOverlays: Bool, hasDayLines: Bool,
    isSameHeader: (PaneHeader) -> Bool,
    label: (RowContent) -> String
  ) -> ViewSnapshot? {
    guard resume.panes.count <= paneLimit else { return nil }
    var state = ViewSnapshot()
    state.position = .max
    state.navigation.width = -1
    for claim in resume.panes {
      guard claim.rows.count <= rowLimit, !state.panes.contains(where: { $0.header.paneID == claim.paneID }) else {
        return nil
      }
      let pane = panes.first { $0.header.paneID == claim.paneID }
      let header = pane.map(\.header).flatMap { isSameHeader($0) ? $0 : nil }
      var held = Pane(header: header ?? PaneHeader(paneID: claim.paneID, kind: .unknown, subject: 0, title: []))
      held.status.rowCount = -1
      if hasOverlays { held.clock.thumbTop = -1 }
      held.selection.rowID = .max
      let now = Dictionary(
        (pane?.rows ?? []).map { ($0.rowID, $0.row) }, uniquingKeysWith: { first, _ in first })
      for row in claim.rows {
        if let same = now[row.rowID], same.content.fields.fingerprint == row.fingerprint, row.fingerprint != 0 {
          held.rows.append(
            PlacedRow(row: same, caps: row.caps, label: label(same.content), day: hasDayLines ? .unknown : nil))
        } else {
          held.rows.append(PlacedRow.unknown(row.rowID, caps: row.caps, day: hasDayLines ? .unknown : nil))
        }
      }
      if held.header.kind == .conversation { for index in held.rows.indices { held.rows[index].tree.depth = -1 } }
      guard Set(held.rows.map(\.rowID)).count == held.rows.count else { return nil }
      state.panes.append(held)
    }
    return state
  }
}

extension DayLine {
  /// A line that no row has.
  fileprivate static let unknown = DayLine(label: "", height: -1)
}

extension PlacedRow {
  /// A placeholder for a held row with unknown content: it equals no row with an author.
  fileprivate static func unknown(_ rowID: UInt64, caps: Caps, day: DayLine?) -> PlacedRow {
    let none = RowAuthor(id: 0, handle: [], displayName: [], avatarURL: [])
    return PlacedRow(
      content: RowContent(RowContent.Fields(rowID: rowID, author: none)), layout: RowLayout(height: 0, lineEnds: []),
      caps: caps, label: "", day: day)
  }
}

/// What a client holds of a view that ended, as it says when it opens the next; the schema's Resume.
public struct Resume: Equatable, Sendable {
  /// Rows of a pane that are held.
  public struct HeldPane: Equatable, Sendable {
    public var paneID: UInt64
    /// From top to bottom.
    public var rows: [HeldRow]

    /// Puts the parts together.
    public init(paneID: UInt64, rows: [HeldRow]) {
      self.paneID = paneID
      self.rows = rows
    }
  }
  /// A row that is held.
  public struct HeldRow: Equatable, Sendable {
    public var rowID: UInt64
    /// ``RowContent/Fields/fingerprint`` of what is held of it.
    public var fingerprint: UInt64
    public var caps: Caps

    /// Puts the parts together.
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
  /// All panes, bottom first; covered ones hold no row.
  public var panes: [HeldPane]

  /// Puts the parts together.
  public init(epoch: UInt64, revision: UInt64, layoutKey: UInt64, labelsAtMilliseconds: Int64, panes: [HeldPane]) {
    self.epoch = epoch
    self.revision = revision
    self.layoutKey = layoutKey
    self.labelsAtMilliseconds = labelsAtMilliseconds
    self.panes = panes
  }
}

extension ViewSnapshot {
  /// What to say of this state when opening the next view; nil while nothing is held.
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

  /// What the client said it holds, as far as that helps on the way to `self`: a state whose difference to `self`
  /// brings the client there.
  ///
  /// A row whose fingerprint is that of a row of `self` is held as it is there, with the label that `label` gives for
  /// it. Every other held row stands in it as one that differs from whatever takes its place; so do places and numbers
  /// of panes, and the headers of which `isSameHeader` says that they may have been others when the client was told of
  /// them. What is held twice is held once, and more than `rowLimit` rows of a pane are not looked at, which leaves no
  /// state a client could be in: nil then. O(rows held).
  ///
  /// With `hasOverlays` nothing is taken for granted of what is drawn over the rows, with `hasDayLines` of the lines
  /// between them.
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
  /// One that no row has.
  fileprivate static let unknown = DayLine(label: "", height: -1)
}

extension PlacedRow {
  /// A row of which nothing is known but that it is held: it equals no row with an author.
  fileprivate static func unknown(_ rowID: UInt64, caps: Caps, day: DayLine?) -> PlacedRow {
    let nobody = RowAuthor(id: 0, handle: [], displayName: [], avatarURL: [])
    return PlacedRow(
      content: RowContent(RowContent.Fields(rowID: rowID, author: nobody)), layout: RowLayout(height: 0, lineEnds: []),
      caps: caps, label: "", day: day)
  }
}

internal import Dates
internal import Posts
internal import ViewState

extension PostList {
  /// The caps of a row: the first and the last of the list are rounded (rule 16).
  func caps(displayed index: Int) -> Caps {
    var caps: Caps = []
    if index == 0 && (isNewestFirst || isComplete) { caps.insert(.top) }
    if index == rowCount - 1 { caps.insert(.bottom) }
    return caps
  }

  /// A row as it is shown: with its corners, its time as `text` tells it, and the line of the day that begins with it.
  mutating func placed(
    _ row: LaidOutRow, displayed index: Int, _ style: LabelStyle, _ days: DayRule?,
    text: (Instant, LabelStyle) -> String
  ) -> PlacedRow {
    let createdAt = Instant(milliseconds: row.content.fields.createdAtMilliseconds)
    let isGap = row.content.fields.kind == .gap
    let label = isGap ? ends(of: row.content.fields, text) : tellsTimes ? text(createdAt, style) : ""
    var placed = PlacedRow(row: row, caps: caps(displayed: index), label: label)
    if let days, days.begins(displayed: index, of: &self) {
      placed.day = DayLine(label: text(createdAt, .day), height: days.height)
    }
    placed.tree = place(ofRank: rank(ofDisplayed: index))
    return placed
  }

  /// From when to when posts are missing: times alone if that is today.
  private func ends(of fields: RowContent.Fields, _ text: (Instant, LabelStyle) -> String) -> String {
    let (older, newer) = (
      Instant(milliseconds: fields.gapOlderMilliseconds), Instant(milliseconds: fields.gapNewerMilliseconds)
    )
    let (from, to) = (text(older, .time), text(newer, .time))
    let (first, last) = (text(older, .day), text(newer, .day))
    guard first == last else { return "\(first) \(from) – \(last) \(to)" }
    return text(newer, .clock) == to ? "\(from) – \(to)" : "\(first) \(from) – \(to)"
  }
}

extension Pane {
  /// The row that a line belongs to which is counted from the top of row `index`, and which line of it: of the first
  /// row held where there is nothing above.
  func rowShown(at line: Int, of index: Int) -> (row: Int, line: Int) {
    var (row, line) = (index, line)
    while line < 0, row > 0 {
      row -= 1
      line += rows[row].height
    }
    return (row, max(0, line))
  }
}

internal import Dates
internal import Posts
internal import ViewState

extension PostList {
  /// Returns the caps of a row: the first and the last of the list are rounded (docs/BEHAVIOUR.md, rule 16).
  func caps(displayed index: Int) -> Caps {
    var caps: Caps = []
    if index == 0 && (isNewestFirst || isComplete) { caps.insert(.top) }
    if index == rowCount - 1 { caps.insert(.bottom) }
    return caps
  }

  /// Returns a row as it is shown: with its corners, its time formatted by `text`, and the line of the day that begins
  /// with it.
  mutating func placed(
    _ row: LaidOutRow, displayed index: Int, _ style: LabelStyle, _ days: DayRule?,
    text: (Instant, LabelStyle) -> String
  ) -> PlacedRow {
    let fields = row.content.fields
    let createdAt = Instant(milliseconds: fields.createdAtMilliseconds)
    let label =
      fields.kind == .gap
      ? ends(of: fields, text) : showsTimes ? text(fields.labelledAt, fields.labelStyle(among: style)) : ""
    var placed = PlacedRow(row: row, caps: caps(displayed: index), label: label)
    if let days, days.begins(displayed: index, of: &self) {
      placed.day = DayLine(label: text(createdAt, .day), height: days.height)
    }
    placed.tree = place(ofRank: rank(ofDisplayed: index))
    return placed
  }

  /// Returns the label of a gap, from its start to its end: times alone if that is today.
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
  /// Returns the row that a line belongs to, counted from the top of row `index`, and the line within it; the first
  /// held row if nothing is above.
  func rowShown(at line: Int, of index: Int) -> (row: Int, line: Int) {
    var (row, line) = (index, line)
    while line < 0, row > 0 {
      row -= 1
      line += rows[row].height
    }
    return (row, max(0, line))
  }
}

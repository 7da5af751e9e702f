internal import Dates

/// Where days begin in a list, for views that tell them by a line above the first row of each.
struct DayRule {
  /// Whose calendar days they are.
  let zone: Zone
  /// Height of a line that tells a day.
  let height: Int
  /// Whether rows are shown with the newest on top: then a day begins with its newest row.
  let isNewestFirst: Bool

  /// Whether a day begins, as rows are shown, with the one at `rank`. O(log rows).
  func begins(at rank: Int, of columns: inout PostColumns) -> Bool {
    let above = isNewestFirst ? rank + 1 : rank - 1
    guard 0..<columns.count ~= above else { return true }
    return day(at: rank, of: &columns) != day(at: above, of: &columns)
  }

  /// The height of the line above the row at `rank`; 0 without one. O(log rows).
  func height(at rank: Int, of columns: inout PostColumns) -> Int { begins(at: rank, of: &columns) ? height : 0 }

  private func day(at rank: Int, of columns: inout PostColumns) -> CivilDate {
    zone.civilDate(at: columns.key(at: rank).createdAt)
  }
}

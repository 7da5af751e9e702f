internal import Dates
internal import Posts

/// The day boundaries of a list, for views that show a day line above the first row of each day.
struct DayRule {
  /// The time zone of the calendar days.
  let zone: Zone
  /// The height of a day line.
  let height: Int
  /// True if the newest row is on top, so that a day begins with its newest row.
  let isNewestFirst: Bool

  /// Creates the rule for a list in a time zone.
  init(of list: PostList, in zone: Zone, height: Int) {
    self.zone = zone
    self.height = height
    isNewestFirst = list.isNewestFirst
  }

  /// Returns true if display row `index` is the first of a day. O(log rows).
  func begins(displayed index: Int, of list: inout PostList) -> Bool {
    begins(at: list.rank(ofDisplayed: index), of: &list)
  }

  /// Returns true if the row at `rank` is the first of a day in display order. O(log rows).
  private func begins(at rank: Int, of list: inout PostList) -> Bool {
    let above = isNewestFirst ? rank + 1 : rank - 1
    guard 0..<list.count ~= above else { return true }
    return day(at: rank, of: &list) != day(at: above, of: &list)
  }

  /// Adds the heights of day lines to the heights of rows, which begin at rank `first`. Computes each row's day once.
  /// O(rows log rows).
  func add(to heights: inout [Int], from first: Int, of list: inout PostList) {
    let last = first + heights.count - 1
    let above = isNewestFirst ? last + 1 : first - 1
    var day = 0..<list.count ~= above ? self.day(at: above, of: &list) : nil
    for rank in isNewestFirst ? stride(from: last, through: first, by: -1) : stride(from: first, through: last, by: 1) {
      let next = self.day(at: rank, of: &list)
      if next != day { heights[rank - first] += height }
      day = next
    }
  }

  private func day(at rank: Int, of list: inout PostList) -> CivilDate {
    zone.civilDate(at: list.key(atRank: rank).createdAt)
  }
}

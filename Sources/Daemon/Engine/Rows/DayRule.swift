internal import Dates
internal import Posts

/// Where days begin in a list, for views that tell them by a line above the first row of each.
struct DayRule {
  /// Whose calendar days they are.
  let zone: Zone
  /// Height of a line that tells a day.
  let height: Int
  /// Whether rows are shown with the newest on top: then a day begins with its newest row.
  let isNewestFirst: Bool

  /// The rule by which a list's days begin in a zone.
  init(of list: PostList, in zone: Zone, height: Int) {
    self.zone = zone
    self.height = height
    isNewestFirst = list.isNewestFirst
  }

  /// Whether a day begins with display row `index`. O(log rows).
  func begins(displayed index: Int, of list: inout PostList) -> Bool {
    begins(at: list.rank(ofDisplayed: index), of: &list)
  }

  /// Whether a day begins, as rows are shown, with the one at `rank`. O(log rows).
  private func begins(at rank: Int, of list: inout PostList) -> Bool {
    let above = isNewestFirst ? rank + 1 : rank - 1
    guard 0..<list.count ~= above else { return true }
    return day(at: rank, of: &list) != day(at: above, of: &list)
  }

  /// Adds the lines above the rows from rank `first` on to the heights of those. Each row's day is found out once.
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

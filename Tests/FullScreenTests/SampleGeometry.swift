/// Where a daemon puts panes on a terminal, in cells: in the middle of a screen, beside a menu of 22 or a strip of 4.
///
/// A client is told of all that; this is what sample views are made with, so that a client's tests need no daemon.
struct SampleGeometry {
  private static let menu = 22
  private static let strip = 4
  private static let pane = 58

  let width: Int
  /// Widths of the panes, bottom first, as they fit.
  let widths: [Int]

  /// A stack whose panes want `wanted`, 0 for what panes have by themselves, on a screen of so many columns.
  init(width: Int, wanted: [Int]) {
    self.width = width
    let room = max(1, width - Self.strip)
    widths = wanted.map { min($0 == 0 ? Self.pane : $0, room) }
  }

  /// Where the stack can rest, ascending: 0 shows the menu, 1 the strip, 2n has pane n at the right edge, 2n + 1 has it
  /// at the strip with the next one beside it.
  var positions: [Int] {
    let total = widths.reduce(0, +)
    var positions = [0]
    if total > width - Self.menu { positions.append(1) }
    guard widths.count > 1, total > width - Self.strip else { return positions }
    for pane in 1..<widths.count {
      positions.append(2 * pane)
      if pane + 1 < widths.count, widths[pane] + widths[pane + 1] > width - Self.strip {
        positions.append(2 * pane + 1)
      }
    }
    return positions
  }

  /// Left edges of all panes at one of these.
  func lefts(at position: Int) -> [Int] {
    guard !widths.isEmpty else { return [] }
    let inset = position >= 1 ? Self.strip : Self.menu
    let docked = position / 2
    var lefts = [Int](repeating: 0, count: widths.count)
    lefts[docked] = position.isMultiple(of: 2) && position >= 2 ? width - widths[docked] : inset
    for pane in stride(from: docked + 1, to: widths.count, by: 1) { lefts[pane] = lefts[pane - 1] + widths[pane - 1] }
    for pane in stride(from: docked - 1, through: 0, by: -1) {
      lefts[pane] = max(lefts[pane + 1] - widths[pane], inset)
    }
    return lefts
  }
}

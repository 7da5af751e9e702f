/// The daemon's geometry of panes on a terminal, in cells, beside a menu of 22 or a strip of 4.
///
/// Clients receive the geometry from the daemon. Sample views use this one, so that the client's tests need no daemon.
struct SampleGeometry {
  private static let menu = 22
  private static let strip = 4
  private static let pane = 58

  let width: Int
  /// The widths of the panes that fit, bottom first.
  let widths: [Int]

  /// A stack of panes with wanted widths, 0 for the standard width, on a screen of `width` columns.
  init(width: Int, wanted: [Int]) {
    self.width = width
    let room = max(1, width - Self.strip)
    widths = wanted.map { min($0 == 0 ? Self.pane : $0, room) }
  }

  /// The resting positions of the stack, ascending: 0 shows the menu, 1 the strip, 2n has pane n at the right edge,
  /// 2n + 1 has it at the strip with the next one beside it.
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

  /// Returns the left edges of all panes at a position.
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

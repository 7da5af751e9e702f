internal import TextLayout
public import ViewState

/// Pane sizes of a metrics profile (docs/BEHAVIOUR.md, "Pane stack").
public typealias PaneMetrics = PointSizes.Panes

extension PaneMetrics {
  /// Terminal cells.
  public static let cells = PaneMetrics(menu: 22, strip: 4, pane: 58)
  /// Points of the original interface.
  public static let points = PaneMetrics(menu: 200, strip: 70, pane: 477)

  /// Sizes for a view: those that its client declares, or the original's. In line mode there is one pane and nothing
  /// else.
  public init(_ layout: LayoutParameters) {
    if layout.isSinglePane {
      self.init(menu: 0, strip: 0, pane: layout.width)
    } else if let points = layout.points {
      self = points.sizes.panes ?? .points
    } else {
      self = .cells
    }
  }
}

/// Resting positions of a pane stack at a viewport width, and where its panes then lie.
///
/// Positions are in half steps times two: 0 shows the menu; 1 the strip; 2n docks pane n at the right edge; 2n + 1 puts
/// pane n at the strip with pane n + 1 abutting it. Valid positions depend on the widths alone, so the same stack rests
/// at the same places on every client (docs/BEHAVIOUR.md, rules 7-10).
public struct PaneGeometry: Equatable, Sendable {
  /// Width of the view.
  public let width: Int
  /// Widths of the panes, bottom first, as they fit this view.
  public let widths: [Int]
  private let metrics: PaneMetrics

  /// Creates the geometry of a stack whose panes want widths `wanted`, 0 for the profile's, in a view of `width`.
  public init(width: Int, wanted: [Int], metrics: PaneMetrics = .cells) {
    self.width = width
    self.metrics = metrics
    let room = max(1, width - metrics.strip)
    self.widths = wanted.map { min($0 == 0 ? metrics.pane : $0, room) }
  }

  /// Creates the geometry of a stack whose panes want widths `wanted` in a view with `layout`. In line mode every pane
  /// is as wide as the view.
  public init(_ layout: LayoutParameters, wanted: [Int]) {
    self.init(
      width: layout.width, wanted: layout.isSinglePane ? wanted.map { _ in 0 } : wanted, metrics: PaneMetrics(layout))
  }

  /// Creates the geometry of a stack in a view with `layout`.
  init(_ layout: LayoutParameters, of stack: PaneStack) {
    self.init(layout, wanted: stack.panes.map(\.wantedWidth))
  }

  /// Creates the geometry of `panes` panes of the profile's width, in a view with `layout`.
  public init(_ layout: LayoutParameters, panes: Int) { self.init(layout, wanted: Array(repeating: 0, count: panes)) }

  /// The valid positions, ascending. 0 is always valid.
  public var positions: [Int] {
    let total = widths.reduce(0, +)
    var positions = [0]
    if total > width - metrics.menu { positions.append(1) }
    guard widths.count > 1, total > width - metrics.strip else { return positions }
    for pane in 1..<widths.count {
      positions.append(2 * pane)
      if pane + 1 < widths.count, widths[pane] + widths[pane + 1] > width - metrics.strip {
        positions.append(2 * pane + 1)
      }
    }
    return positions
  }

  /// Position after a push: the greatest, which shows the new pane whole at the right.
  public var positionAfterPush: Int { positions.last ?? 0 }

  /// Returns the position after a resize: the greatest valid one not above the old (docs/BEHAVIOUR.md, rule 14).
  public func position(notAbove old: Int) -> Int { positions.last { $0 <= old } ?? 0 }

  /// Returns the left edges of all panes at a valid position.
  public func lefts(at position: Int) -> [Int] {
    guard !widths.isEmpty else { return [] }
    let inset = position >= 1 ? metrics.strip : metrics.menu
    let docked = position / 2
    var lefts = [Int](repeating: 0, count: widths.count)
    lefts[docked] = position.isMultiple(of: 2) && position >= 2 ? width - widths[docked] : inset
    for pane in stride(from: docked + 1, to: widths.count, by: 1) { lefts[pane] = lefts[pane - 1] + widths[pane - 1] }
    for pane in stride(from: docked - 1, through: 0, by: -1) {
      lefts[pane] = max(lefts[pane + 1] - widths[pane], inset)
    }
    return lefts
  }

  /// Returns the place of a preview beside the topmost pane; nil if there is no room for it (docs/BEHAVIOUR.md, rule 50).
  func preview(at position: Int, in layout: LayoutParameters) -> (x: Int, width: Int)? {
    guard !layout.isSinglePane, let left = lefts(at: position).last, let own = widths.last else { return nil }
    let x = left + own + (layout.points == nil ? 2 : 16)
    let room = width - x
    guard room >= metrics.pane else { return nil }
    return (x, min(room, max(metrics.pane, RowMetrics(layout).maximumColumn)))
  }

  /// Returns true for each pane of which something is visible: inside the view and not wholly under panes to its right.
  public func visible(at position: Int) -> [Bool] {
    let lefts = lefts(at: position)
    var visible = [Bool](repeating: false, count: widths.count)
    var coveredFrom = width
    for pane in widths.indices.reversed() where lefts[pane] < coveredFrom {
      visible[pane] = true
      coveredFrom = lefts[pane]
    }
    return visible
  }
}

extension LayoutParameters {
  /// Returns a pane's frame for the client: with the column of its rows, and the sides on which they may have rounded
  /// corners (docs/BEHAVIOUR.md, rule 17).
  func frame(of pane: PaneRecord, x: Int, width: Int, isRoot: Bool) -> PaneFrame {
    var frame = PaneFrame(paneID: pane.id, x: x, width: width)
    let column = column(paneWidth: width)
    frame.columnX = column.x
    frame.columnWidth = column.width
    frame.textX = column.textX
    frame.textWidth = column.textWidth
    frame.isCompact = column.isCompact
    if case .conversation = pane.content { frame.indent = LayoutKey(self, paneWidth: width).indent }
    if !column.isCompact { frame.roundedSides = isRoot ? [.left, .right] : .right }
    return frame
  }
}

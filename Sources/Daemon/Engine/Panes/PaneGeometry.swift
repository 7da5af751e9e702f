internal import TextLayout
public import ViewState

/// The numbers of a metrics profile that place panes (behaviour.md, section 2).
public typealias PaneMetrics = PointSizes.Panes

extension PaneMetrics {
  /// Terminal cells.
  public static let cells = PaneMetrics(menu: 22, strip: 4, pane: 58)
  /// Points of the original.
  public static let points = PaneMetrics(menu: 200, strip: 70, pane: 477)

  /// Those of a view: what its client declares, or the original's; in line mode one pane is all there is.
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

/// The resting positions a pane stack can be in at a viewport width, and where its panes then lie.
///
/// Positions are in half steps times two: 0 shows the menu; 1 the strip; 2n docks pane n at the right edge; 2n + 1 puts
/// pane n at the strip with pane n + 1 abutting it. Which are valid depends on the widths alone, so that the same stack
/// rests at the same places on every client (behaviour.md, rules 7-10).
public struct PaneGeometry: Equatable, Sendable {
  /// Width of the view.
  public let width: Int
  /// Widths of the panes, bottom first, as they fit this view (rule 7).
  public let widths: [Int]
  private let metrics: PaneMetrics

  /// A stack whose panes want `wanted`, 0 for the profile's width, in a view of `width`.
  public init(width: Int, wanted: [Int], metrics: PaneMetrics = .cells) {
    self.width = width
    self.metrics = metrics
    let room = max(1, width - metrics.strip)
    self.widths = wanted.map { min($0 == 0 ? metrics.pane : $0, room) }
  }

  /// A stack whose panes want `wanted` in a view with `layout`. In line mode every pane is as wide as the view,
  /// whatever it wants.
  public init(_ layout: LayoutParameters, wanted: [Int]) {
    self.init(
      width: layout.width, wanted: layout.isSinglePane ? wanted.map { _ in 0 } : wanted, metrics: PaneMetrics(layout))
  }

  /// A stack of panes in a view with `layout`.
  init(_ layout: LayoutParameters, of stack: PaneStack) {
    self.init(layout, wanted: stack.panes.map(\.wantedWidth))
  }

  /// A stack of so many panes that want no other width than the profile's, in a view with `layout`.
  public init(_ layout: LayoutParameters, panes: Int) { self.init(layout, wanted: Array(repeating: 0, count: panes)) }

  /// The valid positions, ascending (rule 8). 0 is always one.
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

  /// The position after a push: the greatest, which shows the new pane whole at the right (rule 10).
  public var positionAfterPush: Int { positions.last ?? 0 }

  /// The position after a resize: the greatest valid one not above the old (rule 14).
  public func position(notAbove old: Int) -> Int { positions.last { $0 <= old } ?? 0 }

  /// Left edges of all panes at a valid position (rule 9).
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

  /// Which panes show anything: not outside of the view and not wholly under panes to their right.
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
  /// What a client is told of where a pane lies: with the column of its rows, and the corners that those may have (rule
  /// 17).
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

internal import TextLayout
public import ViewState

/// The text and row metrics of a view. Immutable; views with the same metrics share one instance.
final class Measures: Hashable, Sendable {
  let text: TextMetrics
  let rows: RowMetrics
  /// Number of text-width units in a unit of all other measures: 64 for points, 1 for cells.
  let units: Int

  /// 26.6 fixed point.
  private static let unitsPerPoint = 64

  private init(text: TextMetrics, rows: RowMetrics, units: Int) {
    self.text = text
    self.rows = rows
    self.units = units
  }

  /// Returns the measures of a view. O(1) for cells and for prepared points.
  static func of(_ layout: LayoutParameters) -> Measures {
    if let points = layout.points { return points.prepared as? Measures ?? Measures(points) }
    return cells[2 * (Int(layout.widthProfile.rawValue) - 1) + (layout.ambiguousWidth == 2 ? 1 : 0)]
  }

  /// The measures of all terminals, in the order that ``of(_:)`` expects.
  private static let cells: [Measures] = CellProfile.ClusterWidth.allCases.flatMap { clusterWidth in
    CellProfile.AmbiguousWidth.allCases.map { ambiguousWidth in
      Measures(
        text: .cells(CellProfile(clusterWidth: clusterWidth, ambiguousWidth: ambiguousWidth)), rows: .cells, units: 1)
    }
  }

  /// Creates the measures of a proportional font. O(advances).
  fileprivate convenience init(_ points: PointMetrics) {
    let sizes = points.sizes
    let otherwise = sizes.defaultAdvance > 0 ? sizes.defaultAdvance : sizes.lineHeight * Self.unitsPerPoint / 2
    let wide = sizes.wideAdvance > 0 ? sizes.wideAdvance : 2 * otherwise
    let runs = points.runs.map { AdvanceTable.Run(first: $0.first, advances: $0.advances) }
    let table: AdvanceTable
    do {
      table = try AdvanceTable(runs: runs, otherwise: UInt16(clamping: otherwise), wide: UInt16(clamping: wide))
    } catch {
      preconditionFailure("the runs of PointMetrics must be valid: \(error)")
    }
    self.init(text: .advances(table), rows: RowMetrics(sizes), units: Self.unitsPerPoint)
  }

  static func == (one: Measures, other: Measures) -> Bool {
    one === other || one.rows == other.rows && one.text == other.text && one.units == other.units
  }

  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension PointMetrics {
  /// Returns the same metrics prepared for repeated measuring. O(advances).
  public func preparedForMeasuring() -> PointMetrics { preparing { Measures($0) } }
}

extension RowMetrics {
  /// Creates the metrics of a view.
  init(_ layout: LayoutParameters) { self = layout.points.map { RowMetrics($0.sizes) } ?? .cells }

  /// Creates the metrics that a client declares. Sizes that it leaves to the daemon are those of the original
  /// interface.
  fileprivate init(_ sizes: PointSizes) {
    self = .points(lineHeight: sizes.lineHeight)
    if sizes.repostHeight > 0 { repostHeight = sizes.repostHeight }
    if sizes.dayHeight > 0 { dayHeight = sizes.dayHeight }
    if let declared = sizes.regular { regular = Insets(declared) }
    compact = sizes.compact.map(Insets.init) ?? regular
    if let column = sizes.column {
      maximumColumn = column.maximumWidth
      columnInset = column.inset
      compactBelow = column.compactBelow
    }
  }
}

extension RowMetrics.Insets {
  fileprivate init(_ insets: PointSizes.RowInsets) {
    self.init(
      above: insets.above, below: insets.below, left: insets.left, right: insets.right, leastHeight: insets.leastHeight)
  }
}

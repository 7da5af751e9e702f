/// A line of a row, counted with the line of its day.
public struct RowAnchor: Hashable, Sendable {
  /// 0 for the pane's first row.
  public var rowID: UInt64
  /// From 0 on.
  public var line: Int

  /// Puts the parts together.
  public init(rowID: UInt64 = 0, line: Int = 0) {
    self.rowID = rowID
    self.line = line
  }
}

/// A line of a row, counting the row's day line.
public struct LineAnchor: Hashable, Sendable {
  /// The row; 0 for the pane's first row.
  public var rowID: UInt64
  /// The line, from 0.
  public var line: Int

  public init(rowID: UInt64 = 0, line: Int = 0) {
    self.rowID = rowID
    self.line = line
  }
}

/// The pane that has the keys, and its selected row.
public struct FocusedPane: Equatable, Sendable {
  /// The pane; 0 before the first frame.
  public var paneID: UInt64
  /// The selected row; 0 for none.
  public var rowID: UInt64
  /// The words looked for in it; nil for none.
  var find: FindInPane?

  public init(paneID: UInt64 = 0, rowID: UInt64 = 0) {
    self.paneID = paneID
    self.rowID = rowID
  }
}

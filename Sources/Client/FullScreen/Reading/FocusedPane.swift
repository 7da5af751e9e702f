/// Which pane keys go to, and which of its rows.
public struct FocusedPane: Equatable, Sendable {
  /// 0 before the first frame.
  public var paneID: UInt64
  /// The row that is selected; 0 for none.
  public var rowID: UInt64

  /// Puts the parts together.
  public init(paneID: UInt64 = 0, rowID: UInt64 = 0) {
    self.paneID = paneID
    self.rowID = rowID
  }
}

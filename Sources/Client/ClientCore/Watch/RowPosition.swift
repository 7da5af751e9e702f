public import ViewState

/// A position in a timeline: by time, then by ID, newest first. It stays valid when its row is deleted.
public struct RowPosition: Equatable, Sendable {
  public let rowID: UInt64
  /// Milliseconds since 1970.
  public let createdAtMilliseconds: Int64

  public init(rowID: UInt64, createdAtMilliseconds: Int64) {
    self.rowID = rowID
    self.createdAtMilliseconds = createdAtMilliseconds
  }

  /// The position right above all posts of earlier milliseconds, at which no row is.
  public init(before milliseconds: Int64) {
    self.init(rowID: UInt64(Int64.max), createdAtMilliseconds: milliseconds - 1)
  }

  /// Returns true if this position is above `other`.
  public func comesBefore(_ other: RowPosition) -> Bool {
    createdAtMilliseconds == other.createdAtMilliseconds
      ? rowID > other.rowID : createdAtMilliseconds > other.createdAtMilliseconds
  }
}

extension PlacedRow {
  /// The position of this row.
  public var position: RowPosition {
    RowPosition(rowID: rowID, createdAtMilliseconds: content.fields.createdAtMilliseconds)
  }

  /// Returns true if this row is above `other` in a timeline.
  public func comesBefore(_ other: PlacedRow) -> Bool { position.comesBefore(other.position) }
}

public import ViewState

/// A row as one line of JSON: `--jsonl`.
public enum RowRecord {
  /// Returns the line of `row`, LF included. In a conversation `isAsked` becomes a key.
  public static func line(_ row: PlacedRow, isAsked: Bool? = nil) -> [UInt8] { object(row, isAsked: isAsked) + [0x0A] }

  /// Returns the object of `row`.
  static func object(_ row: PlacedRow, isAsked: Bool? = nil) -> [UInt8] {
    var json = JSONWriter()
    RowJSON.write(row, isAsked: isAsked, to: &json)
    return json.bytes
  }
}

public import ViewState

/// A row as one line of JSON: `--jsonl`.
public enum RowRecord {
  /// Returns the line of `row`, LF included.
  public static func line(_ row: PlacedRow) -> [UInt8] { object(row) + [0x0A] }

  /// Returns the object of `row`.
  static func object(_ row: PlacedRow) -> [UInt8] {
    var json = JSONWriter()
    RowJSON.write(row, to: &json)
    return json.bytes
  }
}

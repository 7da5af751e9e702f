public import ViewState

/// How rows are written: lines for people, or one of three forms for programs.
public enum RowFormat: Equatable, Sendable {
  case lines
  /// TAB-separated values.
  case plain
  /// One JSON value: an array, or an object where one row was asked for.
  case json
  /// One JSON object a line.
  case jsonl
}

/// Writes a list of rows, one after another, in one of the formats.
public struct RowWriter: Sendable {
  private let format: RowFormat
  private let painter: LinePainter
  private var count = 0
  private let isSingle: Bool

  /// A writer of a list, or, with `isSingle`, of one row.
  public init(_ format: RowFormat, painter: LinePainter, isSingle: Bool = false) {
    self.format = format
    self.painter = painter
    self.isSingle = isSingle
  }

  /// The bytes of one more row.
  public mutating func row(_ row: PlacedRow) -> [UInt8] {
    defer { count += 1 }
    switch format {
    case .lines: return painter.paint(row)
    case .plain: return PlainRow.line(row)
    case .jsonl: return Self.json(row) + [0x0A]
    case .json:
      if isSingle { return Self.json(row) + [0x0A] }
      return Array((count == 0 ? "[\n" : ",\n").utf8) + Self.json(row)
    }
  }

  /// What comes after the last row.
  public func end() -> [UInt8] {
    guard format == .json, !isSingle else { return [] }
    return Array((count == 0 ? "[]\n" : "\n]\n").utf8)
  }

  private static func json(_ row: PlacedRow) -> [UInt8] {
    var json = JSONWriter()
    RowJSON.write(row, to: &json)
    return json.bytes
  }
}

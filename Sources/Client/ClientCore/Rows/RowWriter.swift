public import ViewState

/// Writes a list of rows, one at a time, in one of the formats.
public struct RowWriter: Sendable {
  /// A record printed before the rows: a profile, or a list and its members.
  public struct Heading: Sendable {
    /// The key in JSON.
    public let name: StaticString
    /// The record.
    public let record: Record

    public init(_ name: StaticString, _ record: Record) {
      self.name = name
      self.record = record
    }
  }

  private let format: RowFormat
  private let painter: LinePainter
  private let isSingle: Bool
  private let heading: Heading?
  private var list = JSONList()

  /// Creates a writer of a list or, with `isSingle`, of one row.
  public init(_ format: RowFormat, painter: LinePainter, isSingle: Bool = false, heading: Heading? = nil) {
    self.format = format
    self.painter = painter
    self.isSingle = isSingle
    self.heading = heading
  }

  /// Returns the bytes before the first row. With a heading, JSON is an object with the heading and `posts`, JSON Lines
  /// begin with an object that holds only the heading, and TAB-separated values omit it.
  public func begin() -> [UInt8] {
    guard let heading else { return [] }
    switch format {
    case .lines: return heading.record.painted(painter.traits) + [0x0A]
    case .plain: return []
    case .json: return Array("{\"\(heading.name)\":".utf8) + heading.record.json + Array(",\"posts\":".utf8)
    case .jsonl: return Array("{\"\(heading.name)\":".utf8) + heading.record.json + Array("}\n".utf8)
    }
  }

  /// Returns the bytes of the next row. Lines for people are indented by `indent` cells for each level of a
  /// conversation's tree. `isAsked` says, in a conversation, whether the row is the post that was asked for.
  public mutating func row(_ row: PlacedRow, indent: Int = 0, isAsked: Bool? = nil) -> [UInt8] {
    switch format {
    case .lines: painter.paint(row, indent: indent, isAsked: isAsked == true)
    case .plain: PlainRow.line(row)
    case .jsonl: RowRecord.line(row, isAsked: isAsked)
    case .json: isSingle ? RowRecord.line(row) : list.element(RowRecord.object(row, isAsked: isAsked))
    }
  }

  /// Returns the bytes after the last row.
  public func end() -> [UInt8] {
    guard format == .json, !isSingle else { return [] }
    return heading == nil ? list.end() : list.end().dropLast() + Array("}\n".utf8)
  }
}

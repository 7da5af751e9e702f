/// Writes records in the requested format.
public struct RecordWriter: Sendable {
  private let format: RowFormat
  private let traits: TerminalTraits

  /// Creates a writer. `traits` apply to lines for people.
  public init(_ format: RowFormat, traits: TerminalTraits) {
    self.format = format
    self.traits = traits
  }

  /// Returns one record: an object, a line of values, or its lines.
  public func bytes(of record: Record) -> [UInt8] {
    switch format {
    case .lines: record.painted(traits)
    case .plain: record.plain
    case .json, .jsonl: record.json + [0x0A]
    }
  }

  /// Returns several records: an array, or one after another.
  public func bytes(of records: [Record]) -> [UInt8] {
    guard format == .json else { return records.flatMap { bytes(of: $0) } }
    var list = JSONList()
    return records.flatMap { list.element($0.json) } + list.end()
  }
}

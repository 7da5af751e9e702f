/// Writes records in the format that was asked for.
public struct RecordWriter: Sendable {
  private let format: RowFormat
  private let traits: TerminalTraits

  /// A writer; `traits` are those of lines for people.
  public init(_ format: RowFormat, traits: TerminalTraits) {
    self.format = format
    self.traits = traits
  }

  /// One record: an object, a line of values, or its lines.
  public func bytes(of record: Record) -> [UInt8] {
    switch format {
    case .lines: record.painted(traits)
    case .plain: record.plain
    case .json, .jsonl: record.json + [0x0A]
    }
  }

  /// A list of them: an array, or one after another.
  public func bytes(of records: [Record]) -> [UInt8] {
    guard format == .json else { return records.flatMap { bytes(of: $0) } }
    var list = JSONList()
    return records.flatMap { list.element($0.json) } + list.end()
  }
}

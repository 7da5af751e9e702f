public import Messages

extension SourceSummary {
  /// The record of a feed that was added; as text, its number.
  public var numberRecord: Record { Record(record.fields, facts: [Record.Piece("f\(feedID)")]) }

  /// The record of a feed; as text, how it fares and its last checks, a line each.
  public var historyRecord: Record {
    let interval =
      intervalMinutes == 0
      ? "as often as the feed says" : "every \(NumberText.count(intervalMinutes, "minute", "minutes"))"
    let facts = ["\(title.isEmpty ? url : title) (f\(feedID))", url, "read \(interval)"]
    return Record(
      record.fields,
      lines: facts.map { [Record.Piece($0)] } + record.lines + status.history.map { [Record.Piece($0, .faint)] })
  }
}

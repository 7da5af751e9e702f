/// The output format of rows and records: lines for people, or one of three formats for programs.
public enum RowFormat: Equatable, Sendable {
  case lines
  /// TAB-separated values.
  case plain
  /// One JSON value: an array, or an object for a single item.
  case json
  /// One JSON object per line.
  case jsonl
}

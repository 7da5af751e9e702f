/// How rows and records are written: lines for people, or one of three forms for programs.
public enum RowFormat: Equatable, Sendable {
  case lines
  /// TAB-separated values.
  case plain
  /// One JSON value: an array, or an object where one thing was asked for.
  case json
  /// One JSON object a line.
  case jsonl
}

/// A JSON array that is written as its elements arrive, one per line.
struct JSONList: Sendable {
  private var isEmpty = true

  /// Returns the next element, preceded by its separator.
  mutating func element(_ bytes: [UInt8]) -> [UInt8] {
    defer { isEmpty = false }
    return Array((isEmpty ? "[\n" : ",\n").utf8) + bytes
  }

  /// Returns the end of the array, LF included.
  func end() -> [UInt8] { Array((isEmpty ? "[]\n" : "\n]\n").utf8) }
}

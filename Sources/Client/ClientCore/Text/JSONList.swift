/// A JSON array that is written while its elements come, each on a line of its own.
struct JSONList: Sendable {
  private var isEmpty = true

  /// One more element, with what parts it from the one before.
  mutating func element(_ bytes: [UInt8]) -> [UInt8] {
    defer { isEmpty = false }
    return Array((isEmpty ? "[\n" : ",\n").utf8) + bytes
  }

  /// What comes after the last one; the LF included.
  func end() -> [UInt8] { Array((isEmpty ? "[]\n" : "\n]\n").utf8) }
}

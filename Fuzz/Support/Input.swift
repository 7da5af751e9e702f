/// The bytes that libFuzzer passes to one run: a few that choose how to run, then the bytes to decode.
public struct Input {
  private var rest: ArraySlice<UInt8>

  /// Copies the input of one run. libFuzzer owns `start` and frees it after the run.
  public init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
    rest = Array(UnsafeBufferPointer(start: start, count: count))[...]
  }

  /// Returns the next byte, or 0 at the end.
  public mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// Returns all remaining bytes.
  public mutating func all() -> [UInt8] {
    defer { rest = [] }
    return Array(rest)
  }

  /// Cuts bytes into pieces of `size`; size 0 returns them as one piece.
  public static func pieces(_ bytes: [UInt8], size: UInt8) -> [[UInt8]] {
    guard size > 0 else { return [bytes] }
    return stride(from: 0, to: bytes.count, by: Int(size)).map { Array(bytes[$0..<min($0 + Int(size), bytes.count)]) }
  }
}

/// Crashes with a message if an invariant is broken; libFuzzer then saves the input.
public func require(_ condition: Bool, _ message: String) {
  if !condition { fatalError(message) }
}

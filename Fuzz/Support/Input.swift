/// What libFuzzer gives one run, which every target reads in the same way: a few bytes that decide, then bytes that are
/// decoded.
public struct Input {
  private var rest: ArraySlice<UInt8>

  /// The input of one run. libFuzzer owns `start` until the run returns; nothing of it is kept.
  public init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
    rest = Array(UnsafeBufferPointer(start: start, count: count))[...]
  }

  /// The next byte, or 0.
  public mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// All that is left.
  public mutating func all() -> [UInt8] {
    defer { rest = [] }
    return Array(rest)
  }

  /// Bytes in pieces: whole, or cut into pieces of `size`.
  public static func pieces(_ bytes: [UInt8], size: UInt8) -> [[UInt8]] {
    guard size > 0 else { return [bytes] }
    return stride(from: 0, to: bytes.count, by: Int(size)).map { Array(bytes[$0..<min($0 + Int(size), bytes.count)]) }
  }
}

/// Ends the program with a sentence when a law does not hold; libFuzzer keeps the input.
public func law(_ holds: Bool, _ sentence: String) {
  if !holds { fatalError(sentence) }
}

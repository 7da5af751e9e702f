/// Bytes borrowed from a parsed document or a buffer: valid only while the owner is unchanged, so never stored.
///
/// Safe to use within the call that received it: the pointer comes from ``JSONValue`` or a `withUnsafe…` closure whose
/// memory outlives that call, and every access is checked against `count`.
@safe package struct Bytes: RandomAccessCollection {
  private let base: UnsafePointer<UInt8>
  package let count: Int

  /// Borrows `count` bytes at `base`.
  @unsafe init(base: UnsafePointer<UInt8>, count: Int) {
    unsafe self.base = base
    self.count = count
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  package subscript(position: Int) -> UInt8 {
    precondition(position >= 0 && position < count)
    return unsafe base[position]
  }

  /// Calls `body` with the bytes.
  package func withContiguousStorageIfAvailable<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R? {
    try unsafe body(UnsafeBufferPointer(start: base, count: count))
  }

  /// A copy of the bytes.
  package var array: [UInt8] { unsafe Array(UnsafeBufferPointer(start: base, count: count)) }

  /// The bytes as a string; ill-formed UTF-8 becomes U+FFFD.
  package var string: String { unsafe String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self) }

  /// Calls `body` with the bytes as a span.
  func withSpan<R>(_ body: (Swift.Span<UInt8>) -> R) -> R {
    unsafe body(UnsafeBufferPointer(start: base, count: count).span)
  }

  package static func == (bytes: Bytes, text: StaticString) -> Bool {
    guard bytes.count == text.utf8CodeUnitCount else { return false }
    for index in 0..<bytes.count where unsafe bytes.base[index] != text.utf8Start[index] { return false }
    return true
  }

  /// True if the bytes begin with `prefix`.
  func hasPrefix(_ prefix: StaticString) -> Bool {
    guard count >= prefix.utf8CodeUnitCount else { return false }
    for index in 0..<prefix.utf8CodeUnitCount where unsafe base[index] != prefix.utf8Start[index] { return false }
    return true
  }
}

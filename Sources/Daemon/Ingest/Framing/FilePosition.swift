/// A position in a file being read.
package struct FilePosition: Equatable {
  /// The number of bytes before it.
  var byte = 0
  /// The line it is on, from 1.
  var line = 1

  package init(byte: Int = 0, line: Int = 1) { (self.byte, self.line) = (byte, line) }

  /// Moves over `bytes`.
  mutating func advance(over bytes: Swift.Span<UInt8>) {
    byte += bytes.count
    line += WordScan.lineFeeds(in: bytes)
  }
}

extension [UInt8] {
  /// Appends the bytes of a span.
  mutating func append(_ bytes: Swift.Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}

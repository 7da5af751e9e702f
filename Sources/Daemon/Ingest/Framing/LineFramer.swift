/// Splits a stream into non-blank lines: JSON Lines, and the bodies of event streams.
package struct LineFramer {
  /// A result of ``next(_:from:)``.
  package enum Output: Equatable {
    /// ``line`` has one line, without its end.
    case line
    /// A line longer than ``limit`` was skipped.
    case tooLong
  }

  /// The maximum length of a line in bytes.
  package let limit: Int
  /// The bytes of the line.
  package private(set) var line: [UInt8] = []
  /// The start of ``line``.
  private(set) var start: FilePosition
  private var position: FilePosition
  private var ended = false
  private var discarding = false

  /// Creates a framer that starts at `position` of its file.
  package init(limit: Int, position: FilePosition = FilePosition()) {
    self.limit = limit
    self.start = position
    self.position = position
  }

  /// Reads from `index` of `chunk` until a line is complete; nil at the end of the chunk.
  package mutating func next(_ chunk: Swift.Span<UInt8>, from index: inout Int) -> Output? {
    while index < chunk.count {
      beginIfEnded()
      let from = index
      while index < chunk.count, chunk[index] != 0x0A { index += 1 }
      let run = chunk.extracting(from..<index)
      position.byte += run.count
      appendRun(run)
      guard index < chunk.count else { return nil }
      index += 1
      position.byte += 1
      position.line += 1
      if let output = endLine() { return output }
    }
    return nil
  }

  /// Ends the file, whose last line may lack a line feed.
  package mutating func finish() -> Output? {
    beginIfEnded()
    return endLine()
  }

  private mutating func beginIfEnded() {
    guard ended else { return }
    ended = false
    line.removeAll(keepingCapacity: true)
    start = position
  }

  private mutating func appendRun(_ run: Swift.Span<UInt8>) {
    if line.count + run.count > limit { discarding = true }
    if !discarding { line.append(run) }
  }

  private mutating func endLine() -> Output? {
    ended = true
    if discarding {
      discarding = false
      return .tooLong
    }
    while let last = line.last, last == 0x0D || last == 0x20 || last == 0x09 { line.removeLast() }
    return line.isEmpty ? nil : .line
  }
}

/// Cuts a stream into lines that are not blank: JSON Lines, and the bodies of event streams.
struct LineFramer {
  /// What ``next(_:from:)`` came upon.
  enum Output: Equatable {
    /// ``line`` holds one line, without its end.
    case line
    /// A line longer than ``limit``, which was passed over.
    case tooLong
  }

  /// The greatest length of a line in bytes.
  let limit: Int
  /// The bytes of the line.
  private(set) var line: [UInt8] = []
  /// Where ``line`` starts.
  private(set) var start: FilePosition
  private var position: FilePosition
  private var ended = false
  private var discarding = false

  /// A framer that starts at `position` of its file.
  init(limit: Int, position: FilePosition = FilePosition()) {
    self.limit = limit
    self.start = position
    self.position = position
  }

  /// Reads on in `chunk` from `index` until a line is complete; nil when the chunk is used up.
  mutating func next(_ chunk: Swift.Span<UInt8>, from index: inout Int) -> Output? {
    while index < chunk.count {
      beginIfEnded()
      let from = index
      while index < chunk.count, chunk[index] != 0x0A { index += 1 }
      let run = chunk.extracting(from..<index)
      position.byte += run.count
      take(run)
      guard index < chunk.count else { return nil }
      index += 1
      position.byte += 1
      position.line += 1
      if let output = endLine() { return output }
    }
    return nil
  }

  /// Ends the file: its last line may lack a line feed.
  mutating func finish() -> Output? {
    beginIfEnded()
    return endLine()
  }

  private mutating func beginIfEnded() {
    guard ended else { return }
    ended = false
    line.removeAll(keepingCapacity: true)
    start = position
  }

  private mutating func take(_ run: Swift.Span<UInt8>) {
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

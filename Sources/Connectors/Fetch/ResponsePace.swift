/// Decides whether a response comes too slowly, so that it would only keep others from their turn. Pure.
///
/// Time counts from the last status line: what it takes to send a file, and the server to read it, is no slowness of
/// the response.
struct ResponsePace {
  /// Seconds that any response may take.
  private static let patience = 30
  /// A response must have brought as many bytes for each second beyond that.
  private static let steadyBytes = 4 << 10

  /// Seconds from the start of the transfer to the last status line; nil before the first.
  private var begun: Int?

  /// Returns the most seconds until a response begins, and for all of a transfer. One with a file may take minutes on a
  /// slow line, and the server may convert the file before it answers.
  static func limits(sendsFile: Bool) -> (response: Int, total: Int) { sendsFile ? (120, 600) : (patience, 300) }

  /// A status line has come, as the first or after those of interim responses.
  mutating func begin(at seconds: Int) { begun = seconds }

  /// Returns true if a response that has brought `bytes` is too slow.
  func isTooSlow(bytes: Int, at seconds: Int) -> Bool {
    begun.map { bytes < max(0, seconds - $0 - Self.patience) * Self.steadyBytes } ?? false
  }
}

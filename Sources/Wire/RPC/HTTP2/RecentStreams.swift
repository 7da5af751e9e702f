/// Records which of its recent streams a client has ended, by its own frames: nghttp2 forgets a stream once it is
/// closed, and ignores whatever still arrives on it.
///
/// Ignoring is right while the client may not know that we have reset the stream. After its own END_STREAM or
/// RST_STREAM it has no such excuse, and the error is STREAM_CLOSED (RFC 9113, sections 5.1 and 6.1). Covers the 64
/// highest stream IDs; nghttp2 judges what arrives on lower ones.
struct RecentStreams {
  /// A frame that ends the connection.
  enum Offence: Hashable {
    /// DATA or HEADERS on a stream that the client has ended, or DATA on one that it has skipped.
    case afterEnd
    /// HEADERS that open a stream below the highest (section 5.1.1).
    case outOfOrder

    /// The reason in the GOAWAY.
    var reason: String {
      switch self {
      case .afterEnd: "DATA or HEADERS on a stream that the client has closed"
      case .outOfOrder: "the ID of a new stream must be higher than all before it"
      }
    }
  }

  /// The highest stream that the client has opened: odd; -1 before the first.
  private var highest = -1
  /// The streams that were opened, and those of them that the client has ended: bit n is stream `highest - 2 * n`.
  private var opened: UInt64 = 0
  private var ended: UInt64 = 0

  /// Records HEADERS, which open a stream or are its trailers. An offence is not recorded.
  mutating func receivedHeaders(on stream: Int, endsStream: Bool) -> Offence? {
    // Even streams are an error of nghttp2's.
    guard stream & 1 == 1 else { return nil }
    if stream > highest {
      let distance = UInt64((stream - highest) / 2)
      opened = opened << distance | 1
      ended <<= distance
      highest = stream
    } else if let bit = bit(of: stream) {
      guard opened & bit != 0 else { return .outOfOrder }
      guard ended & bit == 0 else { return .afterEnd }
    }
    if endsStream { end(stream) }
    return nil
  }

  /// Records DATA. An offence is not recorded.
  mutating func receivedData(on stream: Int, endsStream: Bool) -> Offence? {
    if let bit = bit(of: stream), opened & ~ended & bit == 0 { return .afterEnd }
    if endsStream { end(stream) }
    return nil
  }

  /// Records RST_STREAM, which may also come after the end.
  mutating func receivedReset(on stream: Int) { end(stream) }

  private mutating func end(_ stream: Int) {
    if let bit = bit(of: stream) { ended |= bit }
  }

  /// Returns nil for a stream that is not covered, or that could only be idle.
  private func bit(of stream: Int) -> UInt64? {
    guard stream & 1 == 1, stream <= highest, highest - stream < 2 * UInt64.bitWidth else { return nil }
    return 1 << UInt64((highest - stream) / 2)
  }
}

/// Messages to send, each with its prefix of five bytes, which is written only when the message is.
///
/// Messages are shared, not copied, until their bytes go into a buffer for the socket. The owner bounds the queue.
/// Usually it holds a single message, which needs no allocation.
struct SendQueue {
  /// The next message, if there is one.
  private var head: [UInt8] = []
  /// Bytes of it that have been moved out, prefix included.
  private var headOffset = 0
  /// The messages behind it, and how many of those have become the head.
  private var rest: [[UInt8]] = []
  private var restOffset = 0
  /// Bytes still queued, prefixes included.
  private(set) var byteCount = 0

  /// True if everything has been moved out.
  var isEmpty: Bool { byteCount == 0 }

  /// Adds a message.
  mutating func append(_ message: [UInt8]) {
    if isEmpty { head = message } else { rest.append(message) }
    byteCount += MessageReader.prefixBytes + message.count
  }

  /// Drops every message except one that is partly sent: a message is sent whole or not at all.
  mutating func removeUnbegun() {
    guard headOffset > 0 else { return self = SendQueue() }
    rest = []
    restOffset = 0
    byteCount = MessageReader.prefixBytes + head.count - headOffset
  }

  /// Moves the next `count` bytes, which must be available, to the end of a buffer. Linear in `count`.
  mutating func move(_ count: Int, to buffer: inout [UInt8]) {
    precondition(count <= byteCount, "more bytes were promised than are queued")
    byteCount -= count
    var wanted = count
    while wanted > 0 {
      if headOffset < MessageReader.prefixBytes {
        let end = min(MessageReader.prefixBytes, headOffset + wanted)
        wanted -= end - headOffset
        // A zero flag (not compressed), then the length, most significant byte first.
        let prefix = UInt64(head.count)
        for place in headOffset..<end {
          buffer.append(UInt8(truncatingIfNeeded: prefix >> UInt64(8 * (MessageReader.prefixBytes - 1 - place))))
        }
        headOffset = end
      }
      let offset = headOffset - MessageReader.prefixBytes
      guard offset >= 0 else { break }
      let part = min(wanted, head.count - offset)
      buffer += head[offset..<offset + part]
      headOffset += part
      wanted -= part
      if headOffset == MessageReader.prefixBytes + head.count { advance() }
    }
  }

  private mutating func advance() {
    headOffset = 0
    head = []
    guard restOffset < rest.count else { return }
    head = rest[restOffset]
    rest[restOffset] = []
    restOffset += 1
    if restOffset == rest.count {
      rest.removeAll(keepingCapacity: true)
      restOffset = 0
    }
  }
}

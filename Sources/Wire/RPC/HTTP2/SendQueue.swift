/// Messages on their way out, each with its prefix of five bytes, which is written only when the message is.
///
/// The messages are shared, not copied, until their bytes go into a buffer for the socket. The owner bounds the queue.
/// Usually a message is alone in it, and then it needs no memory of its own.
struct SendQueue {
  /// The message that goes next, if there is any.
  private var head: [UInt8] = []
  /// Bytes of it, prefix included, that have gone.
  private var headOffset = 0
  /// The messages behind it, and how many of those have gone to the head.
  private var rest: [[UInt8]] = []
  private var restOffset = 0
  /// Bytes that have not gone, prefixes included.
  private(set) var byteCount = 0

  /// Whether all has gone.
  var isEmpty: Bool { byteCount == 0 }

  /// Adds a message.
  mutating func append(_ message: [UInt8]) {
    if isEmpty { head = message } else { rest.append(message) }
    byteCount += MessageReader.prefixBytes + message.count
  }

  /// Drops every message but one of which bytes have gone: a message is sent whole or not at all.
  mutating func removeUnbegun() {
    guard headOffset > 0 else { return self = SendQueue() }
    rest = []
    restOffset = 0
    byteCount = MessageReader.prefixBytes + head.count - headOffset
  }

  /// Moves the next `count` bytes, which must be there, to the end of a buffer. Linear in `count`.
  mutating func move(_ count: Int, to buffer: inout [UInt8]) {
    precondition(count <= byteCount, "more bytes were promised than are queued")
    byteCount -= count
    var wanted = count
    while wanted > 0 {
      if headOffset < MessageReader.prefixBytes {
        let end = min(MessageReader.prefixBytes, headOffset + wanted)
        wanted -= end - headOffset
        // A flag that says "not compressed", then the length, its highest byte first.
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

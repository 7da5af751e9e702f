/// Messages on their way out, each with its prefix of five bytes, which is written only when the message is.
///
/// The messages are shared, not copied, until their bytes go into a buffer for the socket. The owner bounds the queue.
struct SendQueue {
  private var messages: [[UInt8]] = []
  /// The message that goes next.
  private var head = 0
  /// Bytes of it, prefix included, that have gone.
  private var headOffset = 0
  /// Bytes that have not gone, prefixes included.
  private(set) var byteCount = 0

  /// Whether all has gone.
  var isEmpty: Bool { byteCount == 0 }

  /// Adds a message.
  mutating func append(_ message: [UInt8]) {
    messages.append(message)
    byteCount += MessageReader.prefixBytes + message.count
  }

  /// Drops every message but one of which bytes have gone: a message is sent whole or not at all.
  mutating func removeUnbegun() {
    guard headOffset > 0 else { return self = SendQueue() }
    messages.removeLast(messages.count - head - 1)
    byteCount = MessageReader.prefixBytes + messages[head].count - headOffset
  }

  /// Moves the next `count` bytes, which must be there, to the end of a buffer. Linear in `count`.
  mutating func move(_ count: Int, to buffer: inout [UInt8]) {
    precondition(count <= byteCount, "more bytes were promised than are queued")
    var wanted = count
    while wanted > 0 {
      let message = messages[head]
      if headOffset < MessageReader.prefixBytes {
        // A flag that says "not compressed", then the length, its highest byte first.
        let end = min(MessageReader.prefixBytes, headOffset + wanted)
        wanted -= end - headOffset
        for place in headOffset..<end {
          buffer.append(place == 0 ? 0 : UInt8(truncatingIfNeeded: message.count >> (8 * (MessageReader.prefixBytes - 1 - place))))
        }
        headOffset = end
      }
      let offset = headOffset - MessageReader.prefixBytes
      guard offset >= 0 else { break }
      let part = min(wanted, message.count - offset)
      buffer += message[offset..<offset + part]
      headOffset += part
      wanted -= part
      if headOffset == MessageReader.prefixBytes + message.count { advance() }
    }
    byteCount -= count
  }

  private mutating func advance() {
    messages[head] = []
    head += 1
    headOffset = 0
    if head == messages.count {
      messages.removeAll(keepingCapacity: true)
      head = 0
    }
  }
}

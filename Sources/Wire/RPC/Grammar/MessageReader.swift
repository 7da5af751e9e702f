/// Splits the bytes of one direction of a call into messages: a flag, a length of four bytes, the message (gRPC over
/// HTTP/2, "Length-Prefixed-Message").
///
/// A limit applies as soon as the length is known, before any of the message is buffered.
struct MessageReader {
  /// An error in the bytes. The reader cannot be used after it.
  enum Failure: Hashable {
    /// The length is above the limit.
    case tooLarge(bytes: Int)
    /// The message is compressed, but no compression was agreed on.
    case compressed
    /// The flag is neither 0 nor 1.
    case badFlag(UInt8)

    /// Returns the status that ends the call whose client sent such bytes, with a limit of `limit` bytes for a message.
    func requestStatus(limit: Int) -> Status {
      switch self {
      case .tooLarge(let bytes): Status(.resourceExhausted, "message of \(bytes) bytes; the limit is \(limit)")
      case .compressed: Status(.internal, "message is marked as compressed, but there is no grpc-encoding")
      case .badFlag(let flag): Status(.internal, "message flag is \(flag); it must be 0 or 1")
      }
    }

    /// Returns the status that ends the call whose server sent such bytes, with a limit of `limit` bytes for a message.
    func responseStatus(limit: Int) -> Status {
      switch self {
      case .tooLarge(let bytes):
        Status(.resourceExhausted, "response message of \(bytes) bytes; the limit is \(limit)")
      case .compressed:
        Status(.internal, "response message is marked as compressed, but there is no grpc-encoding")
      case .badFlag(let flag): Status(.internal, "response message flag is \(flag); it must be 0 or 1")
      }
    }
  }

  /// Length in bytes of the flag and the message length.
  static let prefixBytes = 5

  private var prefix: [UInt8] = []
  private var message: [UInt8] = []
  private var missing = 0

  /// Bytes of an incomplete message.
  var heldBytes: Int { message.count }

  /// True if the bytes so far end on a message boundary.
  var isBetweenMessages: Bool { prefix.isEmpty }

  /// Consumes bytes. Returns the messages they complete, in order, up to the first error.
  mutating func receive(_ bytes: RawSpan, limit: Int) -> (messages: [[UInt8]], failure: Failure?) {
    var messages: [[UInt8]] = []
    var rest = bytes
    while true {
      if prefix.count < MessageReader.prefixBytes {
        let part = rest.extracting(first: MessageReader.prefixBytes - prefix.count)
        part.append(to: &prefix)
        rest = rest.extracting(droppingFirst: part.byteCount)
        guard prefix.count == MessageReader.prefixBytes else { return (messages, nil) }
        if let failure = beginMessage(limit: limit) { return (messages, failure) }
        // Not for all that is announced: that may never come.
        message.reserveCapacity(min(missing, rest.byteCount))
      }
      let part = rest.extracting(first: missing)
      part.append(to: &message)
      missing -= part.byteCount
      rest = rest.extracting(droppingFirst: part.byteCount)
      guard missing == 0 else { return (messages, nil) }
      messages.append(message)
      message = []
      prefix.removeAll(keepingCapacity: true)
    }
  }

  /// Reads the prefix, and checks the flag and the length.
  private mutating func beginMessage(limit: Int) -> Failure? {
    switch prefix[0] {
    case 0: break
    case 1: return .compressed
    default: return .badFlag(prefix[0])
    }
    missing = prefix[1...].reduce(0) { $0 << 8 | Int($1) }
    guard missing <= limit else { return .tooLarge(bytes: missing) }
    return nil
  }
}

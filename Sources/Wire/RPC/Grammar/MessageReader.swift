/// Cuts the bytes of one direction of a call into messages: a flag, a length of four bytes, the message (gRPC over
/// HTTP/2, "Length-Prefixed-Message").
///
/// A limit holds as soon as the length is known, before any of the message is kept.
struct MessageReader {
  /// What is wrong with the bytes. The reader is of no more use after it.
  enum Failure: Hashable {
    /// The length is above the limit.
    case tooLarge(bytes: Int)
    /// The message is compressed, and no compression was agreed on.
    case compressed
    /// The flag is neither 0 nor 1.
    case badFlag(UInt8)

    /// Returns how a call ends whose client sent such bytes, where at most `limit` bytes of a message are taken.
    func requestStatus(limit: Int) -> Status {
      switch self {
      case .tooLarge(let bytes): Status(.resourceExhausted, "a message of \(bytes) bytes; at most \(limit) are taken")
      case .compressed: Status(.internal, "a message is marked as compressed, and no grpc-encoding was named")
      case .badFlag(let flag): Status(.internal, "a message begins with \(flag), which is neither 0 nor 1")
      }
    }

    /// Returns how a call ends whose server sent such bytes, where at most `limit` bytes of a message are taken.
    func responseStatus(limit: Int) -> Status {
      switch self {
      case .tooLarge(let bytes):
        Status(.resourceExhausted, "a response message of \(bytes) bytes; at most \(limit) are taken")
      case .compressed:
        Status(.internal, "a response message is marked as compressed, and no grpc-encoding was named")
      case .badFlag(let flag): Status(.internal, "a response message begins with \(flag), which is neither 0 nor 1")
      }
    }
  }

  /// Bytes of the flag and the length.
  static let prefixBytes = 5

  private var prefix: [UInt8] = []
  private var message: [UInt8] = []
  private var missing = 0

  /// Whether the bytes so far end where a message ends.
  var isBetweenMessages: Bool { prefix.isEmpty }

  /// Takes bytes, and returns the messages that they complete, in order, up to the first thing that is wrong.
  mutating func receive(_ bytes: RawSpan, limit: Int) -> (messages: [[UInt8]], failure: Failure?) {
    var messages: [[UInt8]] = []
    var rest = bytes
    while true {
      if prefix.count < MessageReader.prefixBytes {
        let part = rest.extracting(first: MessageReader.prefixBytes - prefix.count)
        part.append(to: &prefix)
        rest = rest.extracting(droppingFirst: part.byteCount)
        guard prefix.count == MessageReader.prefixBytes else { return (messages, nil) }
        if let failure = begin(limit: limit) { return (messages, failure) }
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

  /// Reads the prefix, and refuses what it announces.
  private mutating func begin(limit: Int) -> Failure? {
    switch prefix[0] {
    case 0: break
    case 1: return .compressed
    default: return .badFlag(prefix[0])
    }
    missing = prefix[1...].reduce(0) { $0 << 8 | Int($1) }
    guard missing <= limit else { return .tooLarge(bytes: missing) }
    message.reserveCapacity(missing)
    return nil
  }
}

/// The receiving half of a call: its bytes become messages, and say how much more the client may send.
struct CallInput {
  /// What becomes of further bytes.
  enum Phase {
    case open
    /// Something was wrong: they are dropped.
    case discarding
    case ended
  }

  /// What bytes have brought.
  struct Arrival {
    let messages: [[UInt8]]
    let failure: MessageReader.Failure?
    /// Bytes to credit to the client now.
    let credit: Int
  }

  private(set) var phase = Phase.open
  private var reader = MessageReader()
  private var window = ReceiveWindow()

  /// Bytes of an incomplete message, and of messages that the application has not consumed.
  var heldBytes: Int { reader.heldBytes + window.unconsumed }

  /// True if the bytes so far end on a message boundary.
  var isBetweenMessages: Bool { reader.isBetweenMessages }

  /// Consumes bytes of messages of at most `limit` bytes.
  mutating func receive(_ bytes: RawSpan, limit: Int) -> Arrival {
    guard phase == .open else { return Arrival(messages: [], failure: nil, credit: bytes.byteCount) }
    let (messages, failure) = reader.receive(bytes, limit: limit)
    for message in messages { window.delivered(message.count) }
    return Arrival(messages: messages, failure: failure, credit: window.received(bytes.byteCount))
  }

  /// Drops further bytes, and an incomplete message.
  mutating func discard() {
    guard phase == .open else { return }
    phase = .discarding
    reader = MessageReader()
  }

  /// Takes no more bytes, and drops an incomplete message.
  mutating func end() {
    phase = .ended
    reader = MessageReader()
  }

  /// Takes no more bytes, and forgets messages that were not consumed: there is nobody left to do so.
  mutating func close() {
    end()
    window = ReceiveWindow()
  }

  // MARK: Flow control

  /// See `ServerCall.receiveByHand`.
  mutating func receiveByHand(allowance: Int) { window.allowance = allowance }

  /// See `ServerCall.receiveAutomatically`. Returns how many bytes to credit now.
  mutating func receiveAutomatically() -> Int { window.becomeAutomatic() }

  /// Counts a message that is delivered again.
  mutating func delivered(_ bytes: Int) { window.delivered(bytes) }

  /// Counts bytes that the application has processed. Returns how many to credit now.
  mutating func consumed(_ bytes: Int) -> Int { window.consumed(bytes) }
}

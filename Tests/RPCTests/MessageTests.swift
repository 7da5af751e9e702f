@testable import RPC
import TestSupport
import Testing

@Suite("Messages in a byte stream")
struct MessageTests {
  /// Returns a message with its prefix, as on the wire.
  private static func framed(_ message: [UInt8], flag: UInt8 = 0, length: Int? = nil) -> [UInt8] {
    let count = UInt32(length ?? message.count)
    return [flag] + (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) } + message
  }

  /// Returns everything that a reader finds in bytes that arrive in pieces.
  private static func read(
    _ pieces: [[UInt8]], limit: Int = 1000
  ) -> (messages: [[UInt8]], failure: MessageReader.Failure?, isBetween: Bool) {
    var reader = MessageReader()
    var messages: [[UInt8]] = []
    for piece in pieces {
      let (more, failure) = unsafe reader.receive(piece.span.bytes, limit: limit)
      messages += more
      if let failure { return (messages, failure, false) }
    }
    return (messages, nil, reader.isBetweenMessages)
  }

  @Test("are read the same however the bytes are split", arguments: Cut.allCases)
  func chunking(cut: Cut) {
    var random = SeededGenerator(seed: Pair.seed)
    for _ in 0..<20 {
      let messages = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        message(Int.random(in: 0...300, using: &random))
      }
      let bytes = messages.flatMap { Self.framed($0) }
      let result = Self.read(cut.pieces(of: bytes, &random))
      #expect(result.messages == messages)
      #expect(result.failure == nil)
      #expect(result.isBetween)
    }
  }

  @Test("are incomplete at every offset except message boundaries", arguments: 0...14)
  func truncation(count: Int) {
    let bytes = Self.framed([1, 2]) + Self.framed([3, 4, 5])
    let result = Self.read([Array(bytes.prefix(count))])
    #expect(result.isBetween == (count == 0 || count == 7))
    #expect(result.messages.count == (count < 7 ? 0 : 1))
  }

  @Test("are refused for an invalid prefix, before the rest arrives", arguments: Cut.allCases)
  func refused(cut: Cut) {
    var random = SeededGenerator(seed: Pair.seed)
    let good = Self.framed([9])
    for (prefix, failure) in [
      (Self.framed([], length: 1001), MessageReader.Failure.tooLarge(bytes: 1001)),
      (Self.framed([], length: Int(UInt32.max)), .tooLarge(bytes: Int(UInt32.max))),
      (Self.framed([], flag: 1), .compressed), (Self.framed([], flag: 2), .badFlag(2)),
      (Self.framed([], flag: 255), .badFlag(255)),
    ] {
      let result = Self.read(cut.pieces(of: good + prefix, &random))
      #expect(result.messages == [[9]])
      #expect(result.failure == failure)
    }
    #expect(Self.read([Self.framed(message(1000))]).messages == [message(1000)], "the limit itself is allowed")
  }

  @Test("leave a queue unchanged, however many bytes are taken at a time", arguments: [1, 2, 5, 6, 7, 64, 10_000])
  func queue(step: Int) {
    var queue = SendQueue()
    let messages = [[], [1], message(10), [], message(200)]
    for message in messages { queue.append(message) }
    var bytes: [UInt8] = []
    while !queue.isEmpty { queue.move(min(step, queue.byteCount), to: &bytes) }
    #expect(bytes == messages.flatMap { Self.framed($0) })
    queue.append([7])
    queue.move(6, to: &bytes)
    #expect(Array(bytes.suffix(6)) == Self.framed([7]))
  }

  @Test(
    "that are partly sent stay whole when the rest of the queue is dropped",
    arguments: [(0, 0), (1, 15), (14, 15), (15, 15), (16, 30), (20, 30), (45, 45)])
  func dropping(taken: Int, total: Int) {
    var queue = SendQueue()
    for _ in 0..<3 { queue.append(message(10)) }
    var bytes: [UInt8] = []
    queue.move(taken, to: &bytes)
    queue.removeUnbegun()
    #expect(queue.byteCount == total - taken && queue.isEmpty == (total == taken))
    queue.append(message(10))
    queue.move(queue.byteCount, to: &bytes)
    #expect(bytes == (0..<total / 15 + 1).flatMap { _ in Self.framed(message(10)) })
  }

  @Test("are credited at once, or manually while the application keeps up")
  func window() {
    var window = ReceiveWindow()
    #expect(window.received(100) == 100)
    window.delivered(100)
    #expect(window.consumed(100) == 0)
    window.allowance = 50
    #expect(window.received(60) == 60)
    window.delivered(55)
    #expect(window.received(10) == 0)
    #expect(window.received(20) == 0)
    #expect(window.consumed(5) == 30)
    #expect(window.consumed(1000) == 0)
    #expect(window.unconsumed == 0 && window.uncredited == 0)
  }

  @Test("are credited at once again after manual flow control ends")
  func automaticWindow() {
    var window = ReceiveWindow()
    window.allowance = 0
    #expect(window.received(30) == 30)
    window.delivered(25)
    #expect(window.received(40) == 0)
    #expect(window.becomeAutomatic() == 40)
    #expect(window.unconsumed == 0 && window.allowance == nil && window.received(7) == 7)
  }
}

import TestSupport

/// One direction of a connection: bytes go into a sender's buffer, are on their way, and wait in the receiver's buffer
/// until it reads.
///
/// Bytes stay in order and are cut anywhere; how fast, in how large pieces and after which delay is the seed's choice.
/// What does not fit into the buffers waits with its sender.
final class Pipe {
  /// How a pipe behaves.
  struct Character {
    /// Microseconds from end to end, at least and at most.
    var delay: ClosedRange<Int>
    /// Bytes that may be on their way or unread.
    var bufferBytes: Int
    /// Bytes of a piece at most.
    var pieceBytes: Int
    /// Nanoseconds that a byte takes.
    var nanosecondsPerByte: Int
  }

  private static let piecesPerWrite = 5

  private let world: World
  private let name: String
  private let character: Character
  private var random: SeededGenerator
  /// The receiver's process, and what it does with bytes and with the end.
  private let receiver: SimulatedLoop
  var onBytes: (ArraySlice<UInt8>) -> Void = { _ in }
  var onEnd: () -> Void = {}

  /// What the sender has handed over and the buffers have no room for, from `unsentStart` on.
  private var unsent: [UInt8] = []
  private var unsentStart = 0
  private var onTaken: (() -> Void)?
  /// Bytes on their way or unread.
  private var occupied = 0
  private var lastArrival = Duration.zero
  private var unread: [ArraySlice<UInt8>] = []
  private var isReading = false
  private var endsAfterUnsent = false
  private var isCut = false
  /// Nothing arrives before.
  var stalledUntil = Duration.zero
  /// The receiver reads so many bytes, every so often; nil as fast as it can.
  var slowReading: (bytes: Int, every: Duration)? {
    didSet { if slowReading == nil { read() } }
  }

  init(_ world: World, name: String, to receiver: SimulatedLoop, _ character: Character) {
    self.world = world
    self.name = name
    self.receiver = receiver
    self.character = character
    random = world.generator("pipe \(name)")
  }

  /// Whether the sender's last write has not been taken yet.
  var isWriting: Bool { onTaken != nil }

  /// Sends bytes; `onTaken` is called when all are in the buffers. One write at a time.
  func write(_ bytes: [UInt8], onTaken: @escaping () -> Void) {
    guard !isCut else { return }
    unsent = bytes
    unsentStart = 0
    self.onTaken = onTaken
    pump()
    if isWriting { world.count(.fullBuffer) }
  }

  /// No more will be sent.
  func end() {
    endsAfterUnsent = true
    pump()
  }

  /// Loses what is on its way; nothing is heard of the pipe any more.
  func cut() {
    isCut = true
    unsent = []
    unread = []
    onTaken = nil
  }

  private func pump() {
    while unsentStart < unsent.count, occupied < character.bufferBytes {
      let left = unsent.count - unsentStart
      // However small the pieces, a write does not become too many of them.
      let wanted = max(Int.random(in: 1...character.pieceBytes, using: &random), left / Pipe.piecesPerWrite)
      let count = min(wanted, left, character.bufferBytes - occupied)
      if count < left { world.count(.split) }
      send(unsent[unsentStart..<unsentStart + count])
      unsentStart += count
    }
    guard unsentStart == unsent.count else { return }
    let taken = onTaken
    onTaken = nil
    taken?()
    guard endsAfterUnsent, !isCut, !isWriting else { return }
    endsAfterUnsent = false
    arrive(after: 0) { [weak self] in
      guard let self, !isCut else { return }
      unread.append([])
      read()
    }
  }

  private func send(_ piece: ArraySlice<UInt8>) {
    occupied += piece.count
    arrive(after: piece.count) { [weak self] in
      guard let self, !isCut else { return }
      unread.append(piece)
      read()
    }
  }

  /// Has something arrive: later than all that was sent before.
  private func arrive(after bytes: Int, _ body: @escaping () -> Void) {
    let way = Duration.microseconds(Int.random(in: character.delay, using: &random))
    let length = Duration.nanoseconds(bytes * character.nanosecondsPerByte)
    lastArrival = max(max(lastArrival, stalledUntil), world.now + way) + length
    world.schedule(at: lastArrival, body)
  }

  /// The receiver reads what it may now, piece by piece, as its loop gets to it.
  private func read() {
    guard !isReading, !unread.isEmpty, !isCut else { return }
    isReading = true
    receiver.post { [weak self] in
      guard let self, !isCut else { return }
      isReading = false
      var room = slowReading?.bytes ?? .max
      while room > 0, !unread.isEmpty, !isCut {
        let piece = unread.removeFirst()
        if piece.isEmpty { return onEnd() }
        let part = piece.prefix(room)
        if part.count < piece.count { unread.insert(piece.dropFirst(part.count), at: 0) }
        room -= part.count
        occupied -= part.count
        world.trace.note(world.now, name, "reads", bytes: part)
        onBytes(part)
      }
      pump()
      guard !unread.isEmpty, let slowReading else { return }
      isReading = true
      world.schedule(after: slowReading.every) { [weak self] in
        self?.isReading = false
        self?.read()
      }
    }
  }
}

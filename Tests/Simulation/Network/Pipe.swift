import TestSupport

/// One direction of a connection: bytes pass from the sender's buffer through the network to the receiver's buffer.
///
/// Bytes stay in order and are split anywhere. The seed decides speed, piece sizes and delays. Bytes that do not fit
/// into the buffers stay with the sender.
final class Pipe {
  /// The timing and buffer sizes of a pipe.
  struct Profile {
    /// Range of the latency in microseconds.
    var delay: ClosedRange<Int>
    /// Limit of bytes in flight or unread.
    var bufferBytes: Int
    /// Largest piece, in bytes.
    var pieceBytes: Int
    /// Transmission time per byte.
    var nanosecondsPerByte: Int
  }

  private static let piecesPerWrite = 5

  private let world: World
  private let name: String
  private let profile: Profile
  private var random: SeededGenerator
  /// The receiver's process and its callbacks for bytes and the end.
  private let receiver: SimulatedLoop
  var onBytes: (ArraySlice<UInt8>) -> Void = { _ in }
  var onEnd: () -> Void = {}

  /// Written bytes that the buffers have no room for, from `unsentStart` on.
  private var unsent: [UInt8] = []
  private var unsentStart = 0
  private var onBuffered: (() -> Void)?
  /// Bytes in flight or unread.
  private var occupied = 0
  private var lastArrival = Duration.zero
  private var unread: [ArraySlice<UInt8>] = []
  private var isReading = false
  private var endsAfterUnsent = false
  private var isCut = false
  /// No bytes arrive before this time.
  var stalledUntil = Duration.zero
  /// The receiver's reading rate; nil for as fast as it can.
  var slowReading: (bytes: Int, every: Duration)? {
    didSet { if slowReading == nil { read() } }
  }

  init(_ world: World, name: String, to receiver: SimulatedLoop, _ profile: Profile) {
    self.world = world
    self.name = name
    self.receiver = receiver
    self.profile = profile
    random = world.generator("pipe \(name)")
  }

  /// True while the sender's last write is not fully buffered.
  var isWriting: Bool { onBuffered != nil }

  /// Sends bytes, and calls `onBuffered` when all are in the buffers. Only one write may be pending.
  func write(_ bytes: [UInt8], onBuffered: @escaping () -> Void) {
    guard !isCut else { return }
    unsent = bytes
    unsentStart = 0
    self.onBuffered = onBuffered
    pump()
    if isWriting { world.count(.fullBuffer) }
  }

  /// Closes the pipe after the pending bytes.
  func end() {
    endsAfterUnsent = true
    pump()
  }

  /// Drops all bytes in flight. No callback runs afterwards.
  func cut() {
    isCut = true
    unsent = []
    unread = []
    onBuffered = nil
  }

  private func pump() {
    while unsentStart < unsent.count, occupied < profile.bufferBytes {
      let left = unsent.count - unsentStart
      // Limits the number of pieces per write, however small they are.
      let wanted = max(Int.random(in: 1...profile.pieceBytes, using: &random), left / Pipe.piecesPerWrite)
      let count = min(wanted, left, profile.bufferBytes - occupied)
      if count < left { world.count(.split) }
      send(unsent[unsentStart..<unsentStart + count])
      unsentStart += count
    }
    guard unsentStart == unsent.count else { return }
    let callback = onBuffered
    onBuffered = nil
    callback?()
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

  /// Schedules an arrival, after everything sent earlier.
  private func arrive(after bytes: Int, _ body: @escaping () -> Void) {
    let way = Duration.microseconds(Int.random(in: profile.delay, using: &random))
    let length = Duration.nanoseconds(bytes * profile.nanosecondsPerByte)
    lastArrival = max(max(lastArrival, stalledUntil), world.now + way) + length
    world.schedule(at: lastArrival, body)
  }

  /// Delivers pieces to the receiver when its loop runs, within its reading rate.
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
        world.trace.record(world.now, name, "reads", bytes: part)
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

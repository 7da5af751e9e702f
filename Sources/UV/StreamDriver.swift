/// Runs a protocol machine on a stream: received bytes go to the machine at once; its output is sent at the end of the
/// turn, in one write, and only after the kernel has accepted the previous write. A peer that reads nothing of a
/// pending write for a minute is disconnected.
public final class StreamDriver {
  /// Bytes that one stream may send in one turn before the others get theirs.
  public static let bytesPerTurn = 1 << 18

  /// The protocol of the stream.
  public let machine: any StreamMachine
  /// The stream it runs on.
  public let stream: Stream
  private unowned let group: StreamDriverGroup
  /// Called after a write that had to wait; created once for all writes.
  private let whenSent: (UVError?) -> Void
  /// True if the group has scheduled this driver for a flush.
  var isScheduled = false
  private var isClosed = false
  private var isClosing = false
  private var armedFor: Duration?
  /// The bytes pending in the kernel when the peer was last seen to make progress, and the time.
  private var stall: (waitingBytes: Int, since: Duration)?
  private let timer: Timer
  private let target = CallbackTarget<StreamDriver>()
  private var onClosed: ((UVError?) -> Void)?

  init(
    group: StreamDriverGroup, stream: Stream, machine: any StreamMachine, onClosed: @escaping (UVError?) -> Void
  ) throws(UVError) {
    self.group = group
    self.stream = stream
    self.machine = machine
    self.onClosed = onClosed
    whenSent = { [target] error in target.object?.writeEnded(error) }
    timer = try Timer(loop: stream.loop) { [target] in target.object?.timeReached() }
    timer.keepsLoopRunning = false
    target.object = self
    machine.onOutput = { [target] in target.object?.scheduleFlush() }
    do {
      try stream.startReading(
        onBytes: { [target] bytes in target.object?.received(bytes) },
        onEnd: { [target] error in target.object?.close(error) })
    } catch {
      timer.close()
      throw error
    }
    scheduleFlush()
  }

  deinit {
    target.object = nil
    // A group that is released without being closed releases its drivers.
    timer.close()
    stream.close()
  }

  /// Closes the stream at once; unsent output is lost. `onClosed` is called before this returns.
  public func close(_ error: UVError? = nil) {
    guard !isClosed else { return }
    isClosed = true
    machine.onOutput = nil
    timer.close()
    stream.close()
    let callback = onClosed
    onClosed = nil
    group.remove(self)
    callback?(error)
  }

  /// Sends the machine's remaining output at the end of this turn, as far as the kernel accepts it at once, and closes.
  public func closeAfterFlush() {
    isClosing = true
    scheduleFlush()
  }

  /// Sends the machine's remaining output, as far as the kernel accepts it at once, and closes before this returns: for
  /// when the slot is needed in this very turn.
  public func flushAndClose() {
    var buffer: [UInt8] = []
    if !isClosed, !stream.isWriting, machine.takeOutput(into: &buffer, limit: StreamDriver.bytesPerTurn) {
      // The rest is lost, like the data for a peer that has gone.
      _ = try? unsafe stream.write(buffer.span.bytes)
    }
    close()
  }

  private func writeEnded(_ error: UVError?) {
    guard error == nil else { return close(error) }
    machine.outputWaits(0)
    scheduleFlush()
  }

  private func received(_ bytes: RawSpan) {
    machine.receive(bytes, at: Loop.now)
    scheduleFlush()
  }

  private func timeReached() {
    armedFor = nil
    if stream.isWriting { machine.outputWaits(stream.waitingBytes) }
    machine.timeReached(Loop.now)
    if isStalled { return close(.timedOut) }
    scheduleFlush()
  }

  /// True if the peer has read nothing of the pending write for too long.
  private var isStalled: Bool {
    guard let last = stall, stream.isWriting else { return false }
    let waiting = stream.waitingBytes
    if waiting == last.waitingBytes { return last.since + group.stallTimeout <= Loop.now }
    stall = (waiting, Loop.now)
    return false
  }

  /// Checks the machine at the end of this turn: for output, for its wish to close and for its deadline. Must be called
  /// when the machine was changed from outside.
  public func setNeedsFlush() { scheduleFlush() }

  private func scheduleFlush() {
    guard !isClosed else { return }
    group.scheduleFlush(of: self)
  }

  /// Sends pending output; called by the group at the end of a turn, with an empty buffer.
  func flush(_ buffer: inout [UInt8]) {
    guard !isClosed else { return }
    if !stream.isWriting, machine.takeOutput(into: &buffer, limit: StreamDriver.bytesPerTurn) {
      do {
        try unsafe stream.write(buffer.span.bytes, whenSent: whenSent)
      } catch {
        return close(error)
      }
      stall = stream.isWriting ? (stream.waitingBytes, Loop.now) : nil
      if let stall { machine.outputWaits(stall.waitingBytes) }
    }
    if isClosing || machine.hasGivenUp || (machine.wantsClose && !stream.isWriting) { return close() }
    if machine.hasOutput, !stream.isWriting { scheduleFlush() }
    arm()
  }

  /// Makes the timer fire no later than the machine's deadline. Firing too early is harmless, so a deadline that moves
  /// later, as that of an idle connection does with each call, costs nothing.
  private func arm() {
    var next = machine.nextDeadline
    if let stall, stream.isWriting {
      let end = stall.since + group.stallTimeout
      next = next.map { min($0, end) } ?? end
    }
    guard let deadline = next, armedFor.map({ deadline < $0 }) ?? true else { return }
    armedFor = deadline
    timer.arm(after: deadline - Loop.now)
  }
}

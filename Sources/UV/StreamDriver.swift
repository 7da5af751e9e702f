/// Runs a protocol machine on a stream: what arrives goes to the machine at once; what the machine has to say leaves at
/// the end of the turn, in one write, and only when the kernel has taken the write before it. A peer that takes nothing
/// of a write for a minute is given up.
public final class StreamDriver {
  /// Bytes that one stream may send in one turn before the others have theirs.
  public static let bytesPerTurn = 1 << 18

  /// What is spoken on the stream.
  public let machine: any StreamMachine
  /// What it is spoken on.
  public let stream: Stream
  private unowned let group: StreamDriverGroup
  /// What follows a write that had to wait; made once for all writes.
  private let whenSent: (UVError?) -> Void
  /// Whether the group has this driver on the list of those with output.
  var isListed = false
  private var isClosed = false
  private var isClosing = false
  private var armedFor: Duration?
  /// How much waited for the kernel when the peer was last seen to take something, and when that was.
  private var stall: (waitingBytes: Int, since: Duration)?
  private let timer: Timer
  private let relay = Relay<StreamDriver>()
  private var onClosed: ((UVError?) -> Void)?

  init(
    group: StreamDriverGroup, stream: Stream, machine: any StreamMachine, onClosed: @escaping (UVError?) -> Void
  ) throws(UVError) {
    self.group = group
    self.stream = stream
    self.machine = machine
    self.onClosed = onClosed
    whenSent = { [relay] error in error == nil ? relay.target?.list() : relay.target?.close(error) }
    timer = try Timer(loop: stream.loop) { [relay] in relay.target?.timeReached() }
    timer.keepsLoopRunning = false
    relay.target = self
    machine.onOutput = { [relay] in relay.target?.list() }
    do {
      try stream.startReading(
        onBytes: { [relay] bytes in relay.target?.received(bytes) },
        onEnd: { [relay] error in relay.target?.close(error) })
    } catch {
      timer.close()
      throw error
    }
    list()
  }

  deinit {
    relay.target = nil
    // A group that was let go without being closed takes its drivers with it.
    timer.close()
    stream.close()
  }

  /// Closes the stream at once; what has not been sent is lost. `onClosed` is called before this returns.
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

  /// Sends what the machine still has to say, as far as the kernel takes it at once, at the end of this turn, and
  /// closes.
  public func closeAfterFlush() {
    isClosing = true
    list()
  }

  /// Sends what the machine still has to say, as far as the kernel takes it at once, and closes before this returns:
  /// for when the place is needed in this very turn.
  public func flushAndClose() {
    var buffer: [UInt8] = []
    if !isClosed, !stream.isWriting, machine.takeOutput(into: &buffer, limit: StreamDriver.bytesPerTurn) {
      // What it does not take is lost, as is a peer that has gone.
      _ = try? unsafe stream.write(buffer.span.bytes)
    }
    close()
  }

  private func received(_ bytes: RawSpan) {
    machine.receive(bytes, at: Loop.now)
    list()
  }

  private func timeReached() {
    armedFor = nil
    machine.timeReached(Loop.now)
    if isStalled { return close(.timedOut) }
    list()
  }

  /// Looks whether the peer has taken anything of the write that waits for it.
  private var isStalled: Bool {
    guard let last = stall, stream.isWriting else { return false }
    let waiting = stream.waitingBytes
    if waiting == last.waitingBytes { return last.since + group.stallTimeout <= Loop.now }
    stall = (waiting, Loop.now)
    return false
  }

  /// Looks at the machine at the end of this turn: for output, for its wish to close and for its deadline. To be called
  /// when the machine was changed from outside.
  public func setNeedsFlush() { list() }

  private func list() {
    guard !isClosed else { return }
    group.list(self)
  }

  /// Sends what there is; called by the group at the end of a turn, with a buffer that is empty.
  func flush(_ buffer: inout [UInt8]) {
    guard !isClosed else { return }
    if !stream.isWriting, machine.takeOutput(into: &buffer, limit: StreamDriver.bytesPerTurn) {
      do {
        try unsafe stream.write(buffer.span.bytes, whenSent: whenSent)
      } catch {
        return close(error)
      }
      stall = stream.isWriting ? (stream.waitingBytes, Loop.now) : nil
    }
    if isClosing || machine.hasGivenUp || (machine.wantsClose && !stream.isWriting) { return close() }
    if machine.hasOutput, !stream.isWriting { list() }
    arm()
  }

  /// Sees that the timer fires no later than the machine's deadline. Firing too early is harmless, so that a deadline
  /// which moves on, as that of an idle connection does with each call, costs nothing.
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

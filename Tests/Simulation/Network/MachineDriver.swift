import RPC

/// A protocol state machine that ``MachineDriver`` drives; both of RPC's connections conform.
protocol SimulatedMachine: AnyObject {
  var onOutput: (() -> Void)? { get set }
  var hasOutput: Bool { get }
  var wantsClose: Bool { get }
  var hasGivenUp: Bool { get }
  var nextDeadline: Duration? { get }
  func receive(_ bytes: RawSpan, at now: Duration)
  func takeOutput(into buffer: inout [UInt8], limit: Int) -> Bool
  func timeReached(_ now: Duration)
}

extension ServerConnection: SimulatedMachine {}
extension ClientConnection: SimulatedMachine {}

/// Runs a machine at one end of a ``Link``, as the real drivers do on sockets.
///
/// Passes incoming bytes to the machine at once. Writes its output once at the end of a turn, and only when the
/// previous write has been buffered.
final class MachineDriver {
  /// Bytes that may leave in one turn.
  private static let bytesPerTurn = 1 << 18

  private let machine: any SimulatedMachine
  private let loop: SimulatedLoop
  private let incoming: Pipe
  private let outgoing: Pipe
  private var timer: SimulatedTimer?
  private var onClosed: (() -> Void)?
  private var isClosed = false
  /// True while the loop will flush this driver at the end of the turn.
  var isFlushScheduled = false

  init(
    _ machine: any SimulatedMachine, _ loop: SimulatedLoop, from incoming: Pipe, to outgoing: Pipe,
    onClosed: @escaping () -> Void
  ) {
    self.machine = machine
    self.loop = loop
    self.incoming = incoming
    self.outgoing = outgoing
    self.onClosed = onClosed
    timer = SimulatedTimer(loop) { [weak self] in self?.timeReached() }
    machine.onOutput = { [weak self] in self?.scheduleFlush() }
    incoming.onBytes = { [weak self] bytes in self?.received(bytes) }
    incoming.onEnd = { [weak self] in self?.close() }
    scheduleFlush()
  }

  /// Has the loop flush this driver at the end of the turn.
  func scheduleFlush() {
    guard !isClosed else { return }
    loop.scheduleFlush(of: self)
  }

  /// Closes this end. The other end is notified when it has read everything.
  func close() {
    guard !isClosed else { return }
    outgoing.end()
    lost()
  }

  /// Called when the connection is lost.
  func lost() {
    guard !isClosed else { return }
    isClosed = true
    machine.onOutput = nil
    timer?.close()
    let callback = onClosed
    onClosed = nil
    callback?()
  }

  private func received(_ bytes: ArraySlice<UInt8>) {
    guard !isClosed else { return }
    unsafe machine.receive(bytes.span.bytes, at: loop.monotonicClock)
    scheduleFlush()
  }

  private func timeReached() {
    machine.timeReached(loop.monotonicClock)
    scheduleFlush()
  }

  /// Sends pending output. The loop calls this at the end of a turn.
  func flush() {
    guard !isClosed else { return }
    var buffer: [UInt8] = []
    if !outgoing.isWriting, machine.takeOutput(into: &buffer, limit: Self.bytesPerTurn) {
      outgoing.write(buffer) { [weak self, loop] in loop.post { self?.scheduleFlush() } }
    }
    if machine.hasGivenUp || (machine.wantsClose && !outgoing.isWriting) { return close() }
    if machine.hasOutput, !outgoing.isWriting { scheduleFlush() }
    if let deadline = machine.nextDeadline { timer?.arm(after: deadline - loop.monotonicClock) }
  }
}

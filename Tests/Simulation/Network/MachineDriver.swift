import RPC

/// A protocol as a machine: what ``MachineDriver`` drives, and both of RPC's connections are.
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

/// Runs a machine at one end of a ``Link``, as the real drivers do on sockets: what arrives goes to the machine at
/// once; what it has to say leaves at the end of the turn, in one write, and only when the write before it has been
/// taken.
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
  /// Whether the loop has this driver on the list of those to be looked at.
  var isListed = false

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
    machine.onOutput = { [weak self] in self?.list() }
    incoming.onBytes = { [weak self] bytes in self?.received(bytes) }
    incoming.onEnd = { [weak self] in self?.close() }
    list()
  }

  /// Looks at the machine at the end of this turn.
  func list() {
    guard !isClosed else { return }
    loop.list(self)
  }

  /// Closes this end; the other hears of it when it has read everything.
  func close() {
    guard !isClosed else { return }
    outgoing.end()
    lost()
  }

  /// The connection is no more.
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
    list()
  }

  private func timeReached() {
    machine.timeReached(loop.monotonicClock)
    list()
  }

  /// Sends what there is; called by the loop at the end of a turn.
  func flush() {
    guard !isClosed else { return }
    var buffer: [UInt8] = []
    if !outgoing.isWriting, machine.takeOutput(into: &buffer, limit: Self.bytesPerTurn) {
      outgoing.write(buffer) { [weak self, loop] in loop.post { self?.list() } }
    }
    if machine.hasGivenUp || (machine.wantsClose && !outgoing.isWriting) { return close() }
    if machine.hasOutput, !outgoing.isWriting { list() }
    if let deadline = machine.nextDeadline { timer?.arm(after: deadline - loop.monotonicClock) }
  }
}

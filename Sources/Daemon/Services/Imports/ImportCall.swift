internal import Engine
internal import Messages
internal import Posts
internal import RPC
internal import Store

/// One import under way: carries out on its call, the import worker and the store what ``ImportMachine`` says. The
/// client is held back while more than ``allowance`` bytes are on their way to the store.
final class ImportCall {
  /// Bytes of messages taken in whose posts are not stored yet.
  static let allowance = 1 << 20

  private let call: ServerCall
  private let driver: EngineDriver
  private let importers: ImportWorker
  private var machine: ImportMachine
  /// What the worker calls the import; nil until it has the first step.
  private var id: ImportWorker.ImportID?

  init(_ call: ServerCall, of account: AccountID, driver: EngineDriver, importers: ImportWorker) {
    self.call = call
    self.driver = driver
    self.importers = importers
    machine = ImportMachine(of: account)
  }

  /// Answers the call, which keeps the import until it ends.
  func start() {
    call.receiveByHand(allowance: Self.allowance)
    call.onMessage = { _, bytes in self.receive(bytes) }
    call.onHalfClose = { _ in self.carryOut(self.machine.halfClosed()) }
    call.onInterrupted = { _, _ in
      self.carryOut(self.machine.fail(EngineError(.unavailable, "the client has gone")))
    }
    call.onReadyToSend = { _ in self.machine.nextMessage() }
  }

  private func receive(_ bytes: [UInt8]) {
    do throws(DecodingFailure) {
      carryOut(machine.received(try ImportRequest(decoding: bytes), size: bytes.count))
    } catch {
      carryOut(machine.fail(EngineError(.invalidArgument, error.reason)))
    }
  }

  private func carryOut(_ actions: [ImportMachine.Action]) {
    for action in actions {
      switch action {
      case .step(let step): submit(step)
      case .drop: if let id { _ = importers.submit(.drop, of: id) { _ in } }
      case .write(let write): driver.write(write) { self.carryOut(self.machine.writeEnded($0)) }
      case .consume(let byteCount): call.consume(byteCount)
      case .wake: call.wake()
      }
    }
  }

  private func submit(_ step: ImportWorker.Step) {
    let id = self.id ?? ImportWorker.ImportID(number: driver.newNumber())
    self.id = id
    let isTaken = importers.submit(step, of: id) { self.carryOut(self.machine.stepEnded($0)) }
    if !isTaken { carryOut(machine.workerRefused()) }
  }
}

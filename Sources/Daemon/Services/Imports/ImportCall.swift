internal import Engine
internal import Messages
internal import Posts
internal import RPC
internal import Store

/// One running import: carries out the actions of an ``ImportMachine`` on its call, the import worker and the store.
/// The client is held back while more than ``allowance`` bytes are on their way to the store.
final class ImportCall {
  /// Maximum number of received message bytes whose posts are not stored yet.
  static let allowance = 1 << 20

  private let call: ServerCall
  private let driver: EngineDriver
  private let importers: ImportWorker
  private var machine: ImportMachine
  /// The import's ID on the worker; nil until the first step is submitted.
  private var id: ImportWorker.ImportID?

  init(
    _ call: ServerCall, of account: AccountID, isShared: Bool, driver: EngineDriver, importers: ImportWorker
  ) {
    self.call = call
    self.driver = driver
    self.importers = importers
    machine = ImportMachine(of: account, isShared: isShared, at: driver.now)
  }

  /// Starts the import. The call retains it until it ends.
  func start() {
    call.receiveByHand(allowance: Self.allowance)
    call.onMessage = { _, bytes in self.receive(bytes) }
    call.onHalfClose = { _ in self.carryOut(self.machine.halfClosed()) }
    call.onInterrupted = { _, _ in
      self.carryOut(self.machine.fail(EngineError(.unavailable, "the client disconnected")))
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
    let isQueued = importers.submit(step, of: id) { self.carryOut(self.machine.stepEnded($0)) }
    if !isQueued { carryOut(machine.workerRefused()) }
  }
}

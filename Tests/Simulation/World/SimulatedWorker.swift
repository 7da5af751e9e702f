import Services
import TestSupport

/// A worker of a ``SimulatedLoop``. It does the real work in an instant, and delivers the outcomes when the disk's time
/// for it has passed.
final class SimulatedWorker<Job: Sendable, Outcome: Sendable>: ServiceWorker {
  private let loop: SimulatedLoop
  private let limit: Int
  private let makeWork: @Sendable () -> ([Job]) -> [Outcome]
  private let deliver: ([Outcome]) -> Void
  private var work: (([Job]) -> [Outcome])?
  private var waiting: [Job] = []
  /// Outcomes of completed work that the loop has not received.
  private var undelivered: [Outcome] = []
  private var outstanding = 0
  private var isBusy = false
  private var isClosed = false

  init(
    _ loop: SimulatedLoop, limit: Int, makeWork: @escaping @Sendable () -> ([Job]) -> [Outcome],
    deliver: @escaping ([Outcome]) -> Void
  ) {
    self.loop = loop
    self.limit = limit
    self.makeWork = makeWork
    self.deliver = deliver
  }

  func submit(_ job: Job) -> Bool {
    guard !isClosed, outstanding < limit else { return false }
    outstanding += 1
    waiting.append(job)
    if !isBusy {
      isBusy = true
      loop.world.schedule(after: loop.world.threadDelay()) { [weak self] in self?.step() }
    }
    return true
  }

  func close() {
    guard !isClosed else { return }
    if !waiting.isEmpty { undelivered += perform() }
    isClosed = true
    deliverOutcomes()
    work = nil
  }

  private func step() {
    guard loop.isAlive, !isClosed else { return }
    guard !waiting.isEmpty else { return isBusy = false }
    let outcomes = perform()
    let world = loop.world
    guard !world.powerFailed() else { return }
    undelivered += outcomes
    world.schedule(after: world.disk.takeElapsed() + world.threadDelay()) { [weak self] in
      guard let self, loop.isAlive else { return }
      loop.post { [weak self] in self?.deliverOutcomes() }
      step()
    }
  }

  private func perform() -> [Outcome] {
    if work == nil { work = makeWork() }
    let batch = waiting
    waiting = []
    let outcomes = work!(batch)
    if let written = outcomes as? [WriteOutcome], let jobs = batch as? [WriteJob] {
      loop.world.recordBatch(jobs, written)
    }
    return outcomes
  }

  private func deliverOutcomes() {
    let outcomes = undelivered
    undelivered = []
    guard !outcomes.isEmpty else { return }
    outstanding -= outcomes.count
    deliver(outcomes)
  }
}

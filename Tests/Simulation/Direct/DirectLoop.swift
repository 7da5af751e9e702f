import Dates
import Services

/// A loop that runs everything on demand and in order, without threads. Time passes only when a test advances it.
final class DirectLoop: ServiceLoop {
  /// A worker with its job type erased.
  private protocol Working: AnyObject {
    /// Does the waiting jobs, and returns their number.
    func step() -> Int
  }

  private final class Timer: ServiceTimer {
    unowned let loop: DirectLoop
    var due: Duration?
    var onFired: (() -> Void)?

    init(_ loop: DirectLoop, _ onFired: @escaping () -> Void) {
      self.loop = loop
      self.onFired = onFired
    }

    func arm(after delay: Duration) { due = loop.time + max(.zero, delay) }
    func disarm() { due = nil }

    func close() {
      due = nil
      onFired = nil
    }
  }

  private final class Worker<Job: Sendable, Outcome: Sendable>: ServiceWorker, Working {
    let limit: Int
    let makeWork: () -> ([Job]) -> [Outcome]
    let deliver: ([Outcome]) -> Void
    var work: (([Job]) -> [Outcome])?
    var waiting: [Job] = []
    var isClosed = false

    init(limit: Int, makeWork: @escaping () -> ([Job]) -> [Outcome], deliver: @escaping ([Outcome]) -> Void) {
      self.limit = limit
      self.makeWork = makeWork
      self.deliver = deliver
    }

    func submit(_ job: Job) -> Bool {
      guard !isClosed, waiting.count < limit else { return false }
      waiting.append(job)
      return true
    }

    func step() -> Int {
      guard !waiting.isEmpty else { return 0 }
      if work == nil { work = makeWork() }
      let batch = waiting
      waiting = []
      deliver(work!(batch))
      return batch.count
    }

    func close() {
      while step() > 0 {}
      isClosed = true
      work = nil
    }
  }

  /// The present time.
  private(set) var time = Duration.zero
  /// Time that each reading of the monotonic clock takes; zero unless a test wants the driver's slices to end.
  var slowness = Duration.zero
  /// Number of ends of turns that have been run.
  private(set) var turns = 0
  /// Number of jobs that workers have done.
  private(set) var jobs = 0
  /// Transfers pending bytes on all connections. Returns false if there were none.
  var carryBytes: () -> Bool = { false }
  private var hooks: [() -> Void] = []
  private var timers: [Timer] = []
  private var workers: [any Working] = []
  private var wantsTurn = false

  /// Runs hooks, connections and workers until nothing is left to do.
  func runUntilIdle() {
    while step() {}
  }

  /// Ends a turn if one is wanted, transfers bytes, and lets one worker do its jobs. Returns false if nothing is left to
  /// do.
  func step() -> Bool {
    if wantsTurn {
      wantsTurn = false
      turns += 1
      for hook in hooks { hook() }
    }
    let didCarry = carryBytes()
    for worker in workers {
      let count = worker.step()
      jobs += count
      if count > 0 { return true }
    }
    return didCarry || wantsTurn
  }

  /// Lets time pass and fires the timers that fall due, without running what they begin.
  func fireTimers(after time: Duration) {
    self.time += time
    for timer in timers.filter({ $0.due.map { $0 <= self.time } ?? false }).sorted(by: { $0.due! < $1.due! }) {
      timer.due = nil
      timer.onFired?()
    }
  }

  /// Lets time pass, and fires the timers that fall due.
  func advance(by time: Duration) {
    let end = self.time + time
    runUntilIdle()
    while let next = timers.filter({ $0.due.map { $0 <= end } ?? false }).min(by: { $0.due! < $1.due! }) {
      self.time = max(self.time, next.due!)
      next.due = nil
      next.onFired?()
      runUntilIdle()
    }
    self.time = end
  }

  // MARK: ServiceLoop

  /// 2023-11-14T22:13:20Z plus the time that has passed.
  var wallClock: Instant {
    Instant(milliseconds: 1_700_000_000_000).adding(milliseconds: Int64(time / .milliseconds(1)))
  }

  var monotonicClock: Duration {
    time += slowness
    return time
  }

  func atTurnEnd(_ body: @escaping () -> Void) { hooks.append(body) }
  func scheduleTurn() { wantsTurn = true }
  func flush() {}

  func makeTimer(_ onFired: @escaping () -> Void) -> any ServiceTimer {
    let timer = Timer(self, onFired)
    timers.append(timer)
    return timer
  }

  func makeWorker<Job: Sendable, Outcome: Sendable>(
    limit: Int, niceness: Int32, makeWork: @escaping @Sendable () -> (_ batch: [Job]) -> [Outcome],
    deliver: @escaping ([Outcome]) -> Void
  ) -> any ServiceWorker<Job> {
    let worker = Worker(limit: limit, makeWork: makeWork, deliver: deliver)
    workers.append(worker)
    return worker
  }
}

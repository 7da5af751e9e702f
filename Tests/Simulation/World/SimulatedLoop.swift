import Dates
import Services
import TestSupport

/// The event loop of a simulated process. It runs posted events in order and ends them with a turn, as libuv's loop
/// does.
final class SimulatedLoop: ServiceLoop {
  /// Maximum rounds of hooks in a turn, when a hook requests another one.
  private static let roundsPerTurn = 4
  /// The minimum duration of a turn.
  private static let turnTime = Duration.microseconds(10)

  let name: String
  unowned let world: World
  /// False once the process has ended. Nothing runs on its loop afterwards.
  private(set) var isAlive = true
  /// The maximum time that reading the clock takes, in microseconds. It stands for the processor's work, which is
  /// visible only where time is measured.
  var slownessMicroseconds = 0
  private var random: SeededGenerator
  private var posted: [() -> Void] = []
  private var hooks: [() -> Void] = []
  private var drivers: [MachineDriver] = []
  private var isScheduled = false
  private var wantsTurn = false
  private var isRunning = false
  /// Processor time since the present event began.
  private var spent = Duration.zero
  private var busyUntil = Duration.zero

  init(_ world: World, name: String) {
    self.world = world
    self.name = name
    random = world.generator("loop \(name)")
  }

  /// Ends the process.
  func kill() {
    isAlive = false
    posted = []
    hooks = []
    drivers = []
  }

  /// Runs an event in the process's next turn.
  func post(_ body: @escaping () -> Void) {
    guard isAlive else { return }
    posted.append(body)
    scheduleTurn()
  }

  /// Flushes a driver at the end of the turn.
  func scheduleFlush(of driver: MachineDriver) {
    guard isAlive, !driver.isFlushScheduled else { return }
    driver.isFlushScheduled = true
    drivers.append(driver)
    scheduleTurn()
  }

  private func run() {
    isScheduled = false
    guard isAlive else { return }
    isRunning = true
    spent = SimulatedLoop.turnTime
    let bodies = posted
    posted = []
    for body in bodies where isAlive { body() }
    for _ in 0..<Self.roundsPerTurn where isAlive {
      wantsTurn = false
      for hook in hooks { hook() }
      flush()
      if !wantsTurn { break }
    }
    isRunning = false
    busyUntil = world.now + spent
    if wantsTurn || !posted.isEmpty { scheduleTurn() }
  }

  func flush() {
    let due = drivers
    drivers = []
    for driver in due {
      driver.isFlushScheduled = false
      driver.flush()
    }
  }

  // MARK: ServiceLoop

  var wallClock: Instant { world.wallClock(after: spent) }

  var monotonicClock: Duration {
    if slownessMicroseconds > 0 { spent += .microseconds(Int.random(in: 0...slownessMicroseconds, using: &random)) }
    return world.now + spent
  }

  func atTurnEnd(_ body: @escaping () -> Void) { hooks.append(body) }

  func scheduleTurn() {
    wantsTurn = true
    guard isAlive, !isRunning, !isScheduled else { return }
    isScheduled = true
    world.schedule(at: max(world.now, busyUntil)) { [weak self] in self?.run() }
  }

  func makeTimer(_ onFired: @escaping () -> Void) -> any ServiceTimer { SimulatedTimer(self, onFired) }

  func makeWorker<Job: Sendable, Outcome: Sendable>(
    limit: Int, niceness: Int32, makeWork: @escaping @Sendable () -> (_ batch: [Job]) -> [Outcome],
    deliver: @escaping ([Outcome]) -> Void
  ) -> any ServiceWorker<Job> {
    SimulatedWorker(self, limit: limit, makeWork: makeWork, deliver: deliver)
  }
}

/// A timer of a ``SimulatedLoop``. It never fires early, and fires late while its process is busy.
final class SimulatedTimer: ServiceTimer {
  private unowned let loop: SimulatedLoop
  private var onFired: (() -> Void)?
  private var arming = 0
  /// The number of times in a row that the timer was armed for the past.
  private var overdue = 0
  /// The number of overdue armings in a row that indicates a busy loop.
  private static let overdueLimit = 100

  init(_ loop: SimulatedLoop, _ onFired: @escaping () -> Void) {
    self.loop = loop
    self.onFired = onFired
  }

  func arm(after delay: Duration) {
    arming += 1
    let mine = arming
    overdue = delay <= .zero ? overdue + 1 : 0
    if overdue == SimulatedTimer.overdueLimit {
      loop.world.violation("\(loop.name) spins: its timer is due at once, again and again")
    }
    // libuv counts milliseconds, and rounds up.
    let parts = delay.components
    let milliseconds = max(0, parts.seconds * 1000 + (parts.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    loop.world.schedule(after: .milliseconds(milliseconds)) { [weak self] in
      guard let self, mine == arming else { return }
      loop.post { [weak self] in
        guard let self, mine == arming else { return }
        onFired?()
      }
    }
  }

  func disarm() { arming += 1 }

  func close() {
    disarm()
    onFired = nil
  }
}

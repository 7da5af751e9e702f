import Dates
import Services
package import Store
import TestSupport

/// A daemon, its disk, its clients and the network between them, in one process and one thread, with made-up time.
///
/// Everything that could be otherwise is drawn from one seed: the same seed gives the same run, down to the last byte.
/// What is real and what is simulated is told in docs/SIMULATION.md.
public final class World {
  /// What a run may be told besides its seed.
  public struct Options {
    /// What the store's commits wait for; with `off` runs are meant to fail.
    package var durability = Durability.full
    /// Planned faults that are left out, by their place in the plan.
    public var withoutFaults: Set<Int> = []
    /// Whether actors are in every world; otherwise they are in some.
    public var hasActors = false
    /// Given everything that happens, line by line.
    public var onLine: ((String) -> Void)?

    /// A run as the seed has it.
    public init() {}

    /// A run whose store does not sync.
    public static var unsynced: Options {
      var options = Options()
      options.durability = .off
      return options
    }
  }

  /// When this world begins, by its wall clock: 2023-11-14T22:13:20Z.
  private static let beginning = Instant(milliseconds: 1_700_000_000_000)

  let seed: UInt64
  let options: Options
  let trace = Trace()
  let disk: SimulatedDisk
  let vfs: SimulatedVFS
  /// What every clock that cannot step says.
  private(set) var now = Duration.zero
  private(set) var faults = FaultCounts()
  /// What went wrong that must not, in words.
  private(set) var violations: [String] = []
  var server: ServerProcess?
  var clients: [ClientProcess] = []
  /// What clients were promised.
  var ledger = Ledger()
  /// The source that is told what clients do to its posts.
  private(set) lazy var elsewhere = Elsewhere(self)
  /// What actors have done.
  private(set) lazy var deeds = Deeds(self)
  /// How far the wall clock was set forward.
  private var clockOffset = Duration.zero
  private var events = EventQueue()
  private var threads: SeededGenerator
  private var serversMade = 0
  private var isServerDue = false
  /// The newest revision that the store gave; nil while that of a new process is not known.
  private var storeRevision: UInt64?

  /// The world of a seed, before anything happens in it.
  init(seed: UInt64, options: Options) {
    self.seed = seed
    self.options = options
    disk = SimulatedDisk(seed: seed)
    vfs = SimulatedVFS(disk)
    threads = SeededGenerator(seed: seed ^ 0x7EAD)
    trace.onLine = options.onLine
  }

  // MARK: Time

  /// A random source of its own for a part of the world, so that what one part draws changes nothing in another.
  func generator(_ name: String) -> SeededGenerator {
    var hash: UInt64 = seed ^ 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return SeededGenerator(seed: hash)
  }

  /// What the wall clock says `spent` from now.
  func wallClock(after spent: Duration) -> Instant {
    let parts = (now + spent + clockOffset).components
    return Instant(
      milliseconds: World.beginning.milliseconds + parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000)
  }

  /// Sets the wall clock forward, or back.
  func stepClock(by step: Duration) {
    clockOffset += step
    count(step < .zero ? .clockBack : .clockForward)
  }

  func schedule(at time: Duration, _ body: @escaping () -> Void) { events.add(at: max(time, now), body) }

  func schedule(after delay: Duration, _ body: @escaping () -> Void) { schedule(at: now + delay, body) }

  /// What it takes until another thread has noticed something.
  func threadDelay() -> Duration { .microseconds(Int.random(in: 1...200, using: &threads)) }

  /// Lets the world go on until `isDone`, at most until `limit`. False if that came first.
  @discardableResult
  func run(until limit: Duration, or isDone: () -> Bool = { false }) -> Bool {
    while !isDone() {
      guard let next = events.nextTime, next <= limit else {
        now = max(now, limit)
        return false
      }
      let event = events.next()!
      now = event.time
      event.body()
    }
    return true
  }

  // MARK: What is noticed

  /// Notes that a fault has happened.
  func count(_ fault: Fault) { faults[fault] += 1 }

  /// Notes something that must not be.
  func violation(_ text: String) {
    trace.note(now, "VIOLATION", text: text)
    if violations.count < 20 { violations.append(text) }
  }

  /// Looks at what the store has done: its revision grows by one with each commit.
  func wrote(_ jobs: [WriteJob], _ outcomes: [WriteOutcome]) {
    for outcome in outcomes {
      guard case .success = outcome.result, outcome.revision > 0 else { continue }
      if let before = storeRevision, outcome.revision != before, outcome.revision != before + 1 {
        violation("the store's revision went from \(before) to \(outcome.revision)")
      }
      storeRevision = outcome.revision
    }
    deeds.wrote(jobs, outcomes)
    trace.note(now, "store", "wrote", Int64(outcomes.count), Int64(bitPattern: storeRevision ?? 0))
  }

  // MARK: The daemon

  /// Has a daemon start after a while, unless one runs or is about to.
  func startServer(after delay: Duration) {
    guard !isServerDue, server == nil else { return }
    isServerDue = true
    schedule(after: delay) { [weak self] in self?.startServer() }
  }

  private func startServer() {
    isServerDue = false
    disk.restart()
    storeRevision = nil
    deeds.restarted()
    serversMade += 1
    do {
      server = try ServerProcess(self, number: serversMade)
      trace.note(now, "daemon", "starts", Int64(serversMade))
    } catch {
      trace.note(now, "daemon", text: "does not start: \(error)")
      if disk.isDown { count(.powerCutInJob) }
      startServer(after: .milliseconds(500))
    }
  }

  /// Ends the daemon as it is; the disk has been told why.
  func crashServer(tellsClients: Bool) {
    guard let dying = server else { return }
    server = nil
    trace.note(now, "daemon", "dies")
    dying.crash(tellsClients: tellsClients)
  }

  /// The daemon has ended in good order.
  func serverStopped() {
    server = nil
    trace.note(now, "daemon", "has stopped")
    startServer(after: .milliseconds(200))
  }

  /// Whether the power went in the middle of what the daemon had the disk do; it is dead then.
  func powerFailed() -> Bool {
    guard disk.isDown else { return false }
    if server != nil {
      count(.powerCutInJob)
      crashServer(tellsClients: false)
      startServer(after: .milliseconds(700))
    }
    return true
  }

  /// Lets go of everything, in an order in which nothing is missed.
  func end() {
    for client in clients { client.end() }
    clients = []
    disk.killProcess()
    crashServer(tellsClients: false)
    events = EventQueue()
  }
}

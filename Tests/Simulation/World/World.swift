import Dates
import Services
package import Store
import TestSupport

/// A daemon, its disk, its clients and the network between them, in one process and one thread, with simulated time.
///
/// All variation is drawn from one seed: the same seed gives the same run, down to the last byte. docs/SIMULATION.md
/// lists which parts are real and which are simulated.
public final class World {
  /// The options of a run besides its seed.
  public struct Options {
    /// The durability of the store's commits. Runs with `off` are meant to fail.
    package var durability = Durability.full
    /// Indices of planned faults to leave out.
    public var withoutFaults: Set<Int> = []
    /// True to have actors in every world instead of only some.
    public var hasActors = false
    /// True to have sources whose programs bring posts in every world instead of only some.
    public var hasSources = false
    /// Called with each event as a readable line.
    public var onLine: ((String) -> Void)?

    /// Creates the options of a plain run.
    public init() {}

    /// Options of a run whose store does not sync.
    public static var unsynced: Options {
      var options = Options()
      options.durability = .off
      return options
    }
  }

  /// The wall clock's time at the start: 2023-11-14T22:13:20Z.
  private static let beginning = Instant(milliseconds: 1_700_000_000_000)

  let seed: UInt64
  let options: Options
  let trace = Trace()
  let disk: SimulatedDisk
  let vfs: SimulatedVFS
  /// The monotonic time.
  private(set) var now = Duration.zero
  private(set) var faults = FaultCounts()
  /// Descriptions of violated rules.
  private(set) var violations: [String] = []
  var server: ServerProcess?
  var clients: [ClientProcess] = []
  /// Records of what clients sent and received.
  var ledger = Ledger()
  /// The remote source that clients' commands are sent to.
  private(set) lazy var remoteSource = RemoteSource(self)
  /// The model of actors' commands.
  private(set) lazy var oracle = ActionOracle(self)
  /// The sources whose programs bring posts; empty in most worlds.
  var sources: [ScriptedSource] = []
  /// True if a client limits what is kept of those sources.
  var limitsSources = false
  /// The sum of the wall clock's steps.
  private var clockOffset = Duration.zero
  private var events = EventQueue()
  private var threads: SeededGenerator
  private var serversMade = 0
  private var isServerDue = false
  /// The store's newest revision; nil before a new process's first commit.
  private var storeRevision: UInt64?

  /// Creates the world of a seed, before its first event.
  init(seed: UInt64, options: Options) {
    self.seed = seed
    self.options = options
    disk = SimulatedDisk(seed: seed)
    vfs = SimulatedVFS(disk)
    threads = SeededGenerator(seed: seed ^ 0x7EAD)
    trace.onLine = options.onLine
  }

  // MARK: Time

  /// Returns a separate random generator for a part of the world, so that parts do not affect each other's draws.
  func generator(_ name: String) -> SeededGenerator {
    var hash: UInt64 = seed ^ 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return SeededGenerator(seed: hash)
  }

  /// Returns the wall clock's time `spent` from now.
  func wallClock(after spent: Duration) -> Instant {
    let parts = (now + spent + clockOffset).components
    return Instant(
      milliseconds: World.beginning.milliseconds + parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000)
  }

  /// Sets the wall clock forward or back.
  func stepClock(by step: Duration) {
    clockOffset += step
    count(step < .zero ? .clockBack : .clockForward)
  }

  func schedule(at time: Duration, _ body: @escaping () -> Void) { events.add(at: max(time, now), body) }

  func schedule(after delay: Duration, _ body: @escaping () -> Void) { schedule(at: now + delay, body) }

  /// Returns a random delay until another thread notices an event.
  func threadDelay() -> Duration { .microseconds(Int.random(in: 1...200, using: &threads)) }

  /// Runs events until `isDone`, at most until `limit`. Returns false if the limit came first.
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

  // MARK: Records

  /// Counts a fault that has happened.
  func count(_ fault: Fault) { faults[fault] += 1 }

  /// Records a violated rule.
  func violation(_ text: String) {
    trace.record(now, "VIOLATION", text: text)
    if violations.count < 20 { violations.append(text) }
  }

  /// Checks a batch of the store's writer: the revision grows by one with each commit.
  func recordBatch(_ jobs: [WriteJob], _ outcomes: [WriteOutcome]) {
    for outcome in outcomes {
      guard case .success = outcome.result, outcome.revision > 0 else { continue }
      if let before = storeRevision, outcome.revision != before, outcome.revision != before + 1 {
        violation("the store's revision went from \(before) to \(outcome.revision)")
      }
      storeRevision = outcome.revision
    }
    oracle.recordBatch(jobs, outcomes)
    recordBatches(jobs, outcomes)
    trace.record(now, "store", "wrote", Int64(outcomes.count), Int64(bitPattern: storeRevision ?? 0))
  }

  // MARK: The daemon

  /// Starts a daemon after a delay, unless one is running or about to start.
  func startServer(after delay: Duration) {
    guard !isServerDue, server == nil else { return }
    isServerDue = true
    schedule(after: delay) { [weak self] in self?.startServer() }
  }

  private func startServer() {
    isServerDue = false
    disk.restart()
    storeRevision = nil
    oracle.checkAfterRestart()
    checkSourcesAfterRestart()
    serversMade += 1
    do {
      server = try ServerProcess(self, number: serversMade)
      trace.record(now, "daemon", "starts", Int64(serversMade))
    } catch {
      trace.record(now, "daemon", text: "does not start: \(error)")
      if disk.isDown { count(.powerCutInJob) }
      startServer(after: .milliseconds(500))
    }
  }

  /// Crashes the daemon. The caller has already killed its process on the disk.
  func crashServer(notifiesClients: Bool) {
    guard let dying = server else { return }
    server = nil
    trace.record(now, "daemon", "dies")
    dying.crash(notifiesClients: notifiesClients)
  }

  /// Called when the daemon has stopped gracefully. Starts a new one.
  func serverStopped() {
    server = nil
    trace.record(now, "daemon", "has stopped")
    startServer(after: .milliseconds(200))
  }

  /// Returns true if the power was cut during a job of the daemon, which has crashed then.
  func powerFailed() -> Bool {
    guard disk.isDown else { return false }
    if server != nil {
      count(.powerCutInJob)
      crashServer(notifiesClients: false)
      startServer(after: .milliseconds(700))
    }
    return true
  }

  /// Releases everything, in an order that avoids access to released objects.
  func end() {
    for client in clients { client.end() }
    clients = []
    disk.killProcess()
    crashServer(notifiesClients: false)
    events = EventQueue()
  }
}

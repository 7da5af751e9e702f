import Messages
import TestSupport
import ViewState

/// The result of a run.
public struct Report: Sendable {
  public var seed: UInt64
  /// The trace's hash, equal for equal runs.
  public var traceHash: UInt64
  /// The number of events in the trace.
  public var events: Int
  /// The number of acknowledged posts.
  public var posts: Int
  /// The number of actors' commands with a response.
  public var actorCommands: Int
  /// The number of their transactions that failed, or were interrupted by a power cut, and yet survived the next start.
  public var recovered: Int
  /// The number of batches that programs of sources sent, repeated ones counted once.
  public var batches: Int
  /// The number of planned faults.
  public var plannedFaults: Int
  public var faults: FaultCounts
  /// Descriptions of violated rules; empty for a correct run.
  public var violations: [String]
}

extension World {
  /// The time a healed world may take until all pending actions have ended.
  private static let patience = Duration.seconds(300)
  /// The time without actions before the final checks: long enough for the daemon to notice that a clock was set
  /// forward, and for many relative times to change.
  private static let settlingTime = Duration.seconds(150)

  /// Simulates the world of a seed.
  public static func run(seed: UInt64, options: Options = Options()) -> Report {
    let world = World(seed: seed, options: options)
    let planned = world.simulate()
    let report = Report(
      seed: seed, traceHash: world.trace.hash, events: world.trace.count, posts: world.ledger.posts.count,
      actorCommands: world.oracle.answeredCommands, recovered: world.oracle.recovered,
      batches: world.sources.reduce(0) { $0 + $1.serial }, plannedFaults: planned, faults: world.allFaults,
      violations: world.violations)
    world.end()
    return report
  }

  private func simulate() -> Int {
    var random = generator("scenario")
    populate(using: &random)
    addActors()
    addUndoer()
    addSources()
    let plan = FaultPlan(using: &random, clients: clients.count)
    for (index, entry) in plan.events.enumerated() where !options.withoutFaults.contains(index) {
      schedule(at: entry.time) { [weak self] in self?.inject(entry.event) }
    }
    // After the first faults are scheduled: names of files are lost mostly while the store is new.
    startServer(after: .zero)
    for client in clients { client.connect(after: .milliseconds(Int.random(in: 0...300, using: &random))) }
    watchQueues(until: plan.length)
    run(until: plan.length)
    heal()
    let behaviours = clients.flatMap(\.behaviours)
    guard
      run(until: now + World.patience, or: { behaviours.allSatisfy(\.isSettled) && sources.allSatisfy(\.isSettled) })
    else {
      for behaviour in behaviours where !behaviour.isSettled { violation("\(behaviour.name) does not settle") }
      for source in sources where !source.isSettled { violation("source \(source.name) does not settle") }
      return plan.events.count
    }
    run(until: now + World.settlingTime)
    check()
    return plan.events.count
  }

  /// Adds clients and their behaviours: at least one viewer and one poster.
  private func populate(using random: inout SeededGenerator) {
    let sessions = ["", "desk"]
    var senders = generator("senders")
    for index in 0..<[2, 2, 3, 3, 4].randomElement(using: &random)! {
      let client = ClientProcess(
        self, name: "client \(index)", userID: index == 0 ? 1000 : [1000, 1001].randomElement(using: &random)!)
      clients.append(client)
      for number in 0..<Int.random(in: index == 0 ? 1...2 : 0...2, using: &random) {
        var layout = LayoutParameters(
          width: .random(in: 20...160, using: &random), height: .random(in: 5...50, using: &random))
        layout.isSinglePane = Bool.random(using: &random)
        layout.timeStyle = [.words, .veryShort, .short, .long].randomElement(using: &random)!
        let acknowledges = Int.random(in: 0..<3, using: &random) > 0
        let hello = Hello(session: sessions.randomElement(using: &random)!, layout: layout, client: "simulation")
        client.add(Viewer(client, name: "viewer \(number)", hello: hello, acknowledges: acknowledges))
      }
      for number in 0..<Int.random(in: index == 1 ? 1...2 : 0...1, using: &random) {
        client.add(Poster(client, number: number))
      }
      if Bool.random(using: &senders) { client.add(Sender(client, number: 0)) }
      if Int.random(in: 0..<3, using: &random) == 0 {
        client.add(Commander(client, number: 0, session: sessions.randomElement(using: &random)!))
      }
      if Int.random(in: 0..<3, using: &random) == 0 { client.add(RowReader(client, number: 0)) }
      if Int.random(in: 0..<3, using: &random) == 0 { client.add(Archivist(client, number: 0)) }
    }
  }

  /// Adds actors, clients that act on the same posts, to some worlds. Few worlds have many: each costs half a world.
  private func addActors() {
    var random = generator("actors")
    let kind = Int.random(in: 0..<(options.hasActors ? 8 : 40), using: &random)
    let count = kind == 0 ? 20 : kind < (options.hasActors ? 8 : 5) ? Int.random(in: 1...5, using: &random) : 0
    for index in 0..<count {
      let client = ClientProcess(self, name: "actor \(index)", userID: ActionOracle.firstUser + UInt32(index))
      clients.append(client)
      client.add(Actor(client, number: 0))
      guard index == 0, Bool.random(using: &random) else { continue }
      let layout = LayoutParameters(
        width: .random(in: 20...160, using: &random), height: .random(in: 5...50, using: &random))
      client.add(
        Viewer(
          client, name: "viewer", hello: Hello(session: "", layout: layout, client: "simulation"), acknowledges: true))
    }
  }

  /// Adds a client to some worlds that sends commands to the remote source and undoes them.
  private func addUndoer() {
    var random = generator("undoer")
    guard Int.random(in: 0..<4, using: &random) == 0 else { return }
    let client = ClientProcess(self, name: "undoer", userID: SimulatedSystem.undoer)
    clients.append(client)
    client.add(Sender(client, number: 0, undoes: true))
  }

  private func watchQueues(until end: Duration) {
    server?.checkQueues()
    guard now < end else { return }
    schedule(after: .milliseconds(50)) { [weak self] in self?.watchQueues(until: end) }
  }

  /// Ends all faults, and has clients start no new actions.
  private func heal() {
    trace.record(now, "world", "is healed")
    disk.operationsUntilPowerCut = nil
    disk.capacityBytes = nil
    disk.errorRates = SimulatedDisk.ErrorRates()
    remoteSource.isHealed = true
    for source in sources { source.heal() }
    for client in clients {
      client.link?.toServer.stalledUntil = .zero
      client.link?.toClient.stalledUntil = .zero
      client.link?.toClient.slowReading = nil
      for behaviour in client.behaviours { behaviour.startSettling() }
    }
  }

  /// The world's faults, including those that the disk has counted.
  private var allFaults: FaultCounts {
    var faults = faults
    let counts = disk.counts
    faults[.lostWrite] += counts.lostWrites
    faults[.tornWrite] += counts.tornWrites
    faults[.lostName] += counts.lostNames
    faults[.fullDisk] += counts.fullWrites
    faults[.readError] += counts.readErrors
    faults[.writeError] += counts.writeErrors
    faults[.syncError] += counts.syncErrors
    return faults
  }
}

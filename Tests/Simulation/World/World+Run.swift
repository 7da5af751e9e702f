import Messages
import TestSupport
import ViewState

/// What became of a run.
public struct Report: Sendable {
  public var seed: UInt64
  /// The trace as one number: equal for equal runs.
  public var traceHash: UInt64
  /// Events of the trace.
  public var events: Int
  /// Posts that were promised.
  public var posts: Int
  /// Commands of actors that were answered.
  public var deeds: Int
  /// Transactions of theirs that failed, or in which the power went, and that were there after the next start all the
  /// same.
  public var revived: Int
  /// Planned faults.
  public var plannedFaults: Int
  public var faults: FaultCounts
  /// What must not be and was; empty for a run that is as it should be.
  public var violations: [String]
}

extension World {
  /// How long a world that has been healed may take until all that was begun has ended.
  private static let patience = Duration.seconds(300)
  /// How long it is then left alone: longer than the daemon takes to look at a clock that was set forward, and until
  /// many times read differently.
  private static let quiet = Duration.seconds(150)

  /// Lives through the world of a seed.
  public static func run(seed: UInt64, options: Options = Options()) -> Report {
    let world = World(seed: seed, options: options)
    let planned = world.live()
    let report = Report(
      seed: seed, traceHash: world.trace.hash, events: world.trace.count, posts: world.ledger.posts.count,
      deeds: world.deeds.answered, revived: world.deeds.revived,
      plannedFaults: planned, faults: world.allFaults, violations: world.violations)
    world.end()
    return report
  }

  private func live() -> Int {
    var random = generator("scenario")
    populate(using: &random)
    addActors()
    addUndoer()
    let plan = FaultPlan(using: &random, clients: clients.count)
    for (index, entry) in plan.events.enumerated() where !options.withoutFaults.contains(index) {
      schedule(at: entry.time) { [weak self] in self?.happen(entry.event) }
    }
    // After the first faults: a new store is when names of files can be lost.
    startServer(after: .zero)
    for client in clients { client.connect(after: .milliseconds(Int.random(in: 0...300, using: &random))) }
    watchQueues(until: plan.length)
    run(until: plan.length)
    heal()
    let behaviours = clients.flatMap(\.behaviours)
    guard run(until: now + World.patience, or: { behaviours.allSatisfy(\.isSettled) }) else {
      for behaviour in behaviours where !behaviour.isSettled { violation("\(behaviour.name) does not come to its end") }
      return plan.events.count
    }
    run(until: now + World.quiet)
    check()
    return plan.events.count
  }

  /// Clients, and what they do: at least one that looks and one that writes.
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

  /// In some worlds clients that do things to the same posts, in few of them many: each costs as much as half a world.
  private func addActors() {
    var random = generator("actors")
    let kind = Int.random(in: 0..<(options.hasActors ? 8 : 40), using: &random)
    let count = kind == 0 ? 20 : kind < (options.hasActors ? 8 : 5) ? Int.random(in: 1...5, using: &random) : 0
    for index in 0..<count {
      let client = ClientProcess(self, name: "actor \(index)", userID: Deeds.firstUser + UInt32(index))
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

  /// In some worlds somebody else who sends posts elsewhere, and takes back what they did.
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

  /// From now on nothing goes wrong any more, and nobody begins anything.
  private func heal() {
    trace.note(now, "world", "is healed")
    disk.operationsUntilPowerCut = nil
    disk.capacityBytes = nil
    disk.errorRates = SimulatedDisk.ErrorRates()
    elsewhere.isHealed = true
    for client in clients {
      client.link?.toServer.stalledUntil = .zero
      client.link?.toClient.stalledUntil = .zero
      client.link?.toClient.slowReading = nil
      for behaviour in client.behaviours { behaviour.settle() }
    }
  }

  /// The world's own faults, and those that the disk has counted.
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

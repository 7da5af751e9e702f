import TestSupport

/// The faults planned for a world, and their times.
struct FaultPlan {
  /// A planned fault.
  enum Event {
    case kill
    case powerCut
    /// A power cut after this many operations of the disk.
    case powerCutInJob(operations: Int)
    case restart
    case fullDisk(roomBytes: Int, lasting: Duration)
    case diskErrors(SimulatedDisk.ErrorRates, lasting: Duration)
    case cut(client: Int)
    case halfOpen(client: Int, serverHears: Bool, lasting: Duration)
    case stall(client: Int, toServer: Bool, lasting: Duration)
    case slowReader(client: Int, bytes: Int, lasting: Duration)
    case clock(step: Duration)
    case slowProcessor(microseconds: Int, lasting: Duration)
  }

  /// The planned faults in the order of their times.
  private(set) var events: [(time: Duration, event: Event)] = []

  /// The duration of the phase with faults.
  let length: Duration

  /// Draws the plan for this many clients.
  init(using random: inout SeededGenerator, clients: Int) {
    length = .milliseconds(Int.random(in: 2_500...6_000, using: &random))
    let count = Int.random(in: 0...10, using: &random)
    var made: [(Duration, Event)] = []
    for _ in 0..<count {
      let time = length * Int.random(in: 0...1000, using: &random) / 1000
      made.append((time, FaultPlan.event(using: &random, clients: clients)))
    }
    // Names of files are lost mostly while the store is new.
    if Int.random(in: 0..<4, using: &random) == 0 {
      made.append((.zero, .powerCutInJob(operations: .random(in: 0...45, using: &random))))
    }
    events = made.sorted { $0.0 < $1.0 }.map { (time: $0.0, event: $0.1) }
  }

  private static func event(using random: inout SeededGenerator, clients: Int) -> Event {
    let client = Int.random(in: 0..<clients, using: &random)
    let lasting = Duration.milliseconds(Int.random(in: 100...4_000, using: &random))
    switch Int.random(in: 0..<16, using: &random) {
    case 0: return .kill
    case 1: return .powerCut
    case 2, 3: return .powerCutInJob(operations: .random(in: 0...60, using: &random))
    case 4: return .restart
    case 5: return .fullDisk(roomBytes: .random(in: 0...40_000, using: &random), lasting: lasting)
    case 6:
      var rates = SimulatedDisk.ErrorRates()
      rates.reads = .random(in: 0...20, using: &random)
      rates.writes = .random(in: 0...80, using: &random)
      rates.syncs = .random(in: 0...300, using: &random)
      return .diskErrors(rates, lasting: lasting)
    case 7, 8: return .cut(client: client)
    case 9: return .halfOpen(client: client, serverHears: Bool.random(using: &random), lasting: lasting)
    case 10: return .stall(client: client, toServer: Bool.random(using: &random), lasting: lasting)
    case 11, 12: return .slowReader(client: client, bytes: .random(in: 20...2_000, using: &random), lasting: lasting)
    case 13: return .clock(step: .milliseconds(Int.random(in: -90_000_000...90_000_000, using: &random)))
    case 14: return .clock(step: .milliseconds(Int.random(in: -3_000...3_000, using: &random)))
    default: return .slowProcessor(microseconds: .random(in: 100...2_000, using: &random), lasting: lasting)
    }
  }
}

extension World {
  /// Injects a planned fault now.
  func inject(_ event: FaultPlan.Event) {
    trace.record(now, "fault", text: "\(event)")
    switch event {
    case .kill:
      guard server != nil else { return }
      count(.kill)
      disk.killProcess()
      crashServer(notifiesClients: true)
      startServer(after: .milliseconds(300))
    case .powerCut:
      guard server != nil else { return }
      count(.powerCut)
      disk.cutPower()
      crashServer(notifiesClients: false)
      startServer(after: .milliseconds(700))
    case .powerCutInJob(let operations): disk.operationsUntilPowerCut = operations
    case .restart:
      guard let server else { return }
      count(.restart)
      server.stop()
    case .fullDisk(let roomBytes, let lasting):
      disk.capacityBytes = disk.usedBytes + roomBytes
      schedule(after: lasting) { [weak self] in self?.disk.capacityBytes = nil }
    case .diskErrors(let rates, let lasting):
      disk.errorRates = rates
      schedule(after: lasting) { [weak self] in self?.disk.errorRates = SimulatedDisk.ErrorRates() }
    case .clock(let step): stepClock(by: step)
    case .slowProcessor(let microseconds, let lasting):
      guard let loop = server?.loop else { return }
      count(.slowProcessor)
      loop.slownessMicroseconds = microseconds
      schedule(after: lasting) { [weak loop] in loop?.slownessMicroseconds = 0 }
    case .cut, .halfOpen, .stall, .slowReader: injectIntoConnection(event)
    }
  }

  private func injectIntoConnection(_ event: FaultPlan.Event) {
    guard let server else { return }
    switch event {
    case .cut(let index):
      guard let link = clients[index].link else { return }
      count(.cut)
      link.cut(notifiesClient: true, notifiesServer: true, clientLoop: clients[index].loop, serverLoop: server.loop)
    case .halfOpen(let index, let serverHears, let lasting):
      let client = clients[index]
      guard let link = client.link else { return }
      count(.halfOpen)
      link.cut(
        notifiesClient: !serverHears, notifiesServer: serverHears, clientLoop: client.loop, serverLoop: server.loop)
      schedule(after: lasting) {
        link.cut(notifiesClient: true, notifiesServer: true, clientLoop: client.loop, serverLoop: server.loop)
      }
    case .stall(let index, let toServer, let lasting):
      guard let link = clients[index].link else { return }
      count(.stall)
      (toServer ? link.toServer : link.toClient).stalledUntil = now + lasting
    case .slowReader(let index, let bytes, let lasting):
      guard let link = clients[index].link else { return }
      count(.slowReader)
      link.toClient.slowReading = (bytes, .milliseconds(20))
      schedule(after: lasting) { link.toClient.slowReading = nil }
    default: break
    }
  }
}

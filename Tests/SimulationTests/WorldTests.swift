import Simulation
import Testing

@Suite("Simulated worlds")
struct WorldTests {
  @Test(
    "whatever goes wrong, nothing promised is lost and every mirror is right in the end",
    arguments: 1...12 as ClosedRange<UInt64>)
  func worlds(seed: UInt64) {
    let report = World.run(seed: seed)
    #expect(report.violations == [], "scripts/simulate --seed \(seed) --verbose")
  }

  @Test("and so it is with what actors do to the same posts", arguments: [6, 28, 30, 31, 33] as [UInt64])
  func actors(seed: UInt64) {
    var options = World.Options()
    options.hasActors = true
    let report = World.run(seed: seed, options: options)
    #expect(report.violations == [], "scripts/simulate --seed \(seed) --actors --verbose")
    #expect(report.deeds > 0)
  }

  @Test("the same seed gives the same trace, another seed another", arguments: 13...16 as ClosedRange<UInt64>)
  func deterministic(seed: UInt64) {
    let report = World.run(seed: seed)
    #expect(World.run(seed: seed).traceHash == report.traceHash)
    #expect(World.run(seed: seed + 1).traceHash != report.traceHash)
  }

  @Test("in worlds whose store does not sync, promised posts are lost")
  func unsynced() {
    let reports = (1...40 as ClosedRange<UInt64>).lazy.map { World.run(seed: $0, options: .unsynced) }
    #expect(reports.contains { $0.violations.contains { $0.contains("was promised") } })
  }

  @Test("a planned fault that is left out does not happen")
  func without() throws {
    let report = World.run(seed: 3)
    try #require(report.plannedFaults > 0)
    var options = World.Options()
    options.withoutFaults = Set(0..<report.plannedFaults)
    let calm = World.run(seed: 3, options: options)
    #expect(calm.violations == [])
    for fault in [
      Fault.kill, .powerCut, .powerCutInJob, .restart, .cut, .halfOpen, .stall, .slowReader, .fullDisk, .clockBack,
    ] {
      #expect(calm.faults[fault] == 0, "\(fault)")
    }
  }
}

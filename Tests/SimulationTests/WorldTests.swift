import Simulation
import TestSupport
import Testing

@Suite("Simulated worlds")
struct WorldTests {
  @Test(
    "lose no acknowledged post and end with correct mirrors, whatever fails",
    arguments: seeds(1...12 as ClosedRange<UInt64>))
  func worlds(seed: UInt64) {
    let report = World.run(seed: seed)
    #expect(report.violations == [], "scripts/simulate --seed \(seed) --verbose")
  }

  @Test("match the model of actors' commands", arguments: triesAllSeeds ? [6, 28, 30, 31, 33] : [6] as [UInt64])
  func actors(seed: UInt64) {
    var options = World.Options()
    options.hasActors = true
    let report = World.run(seed: seed, options: options)
    #expect(report.violations == [], "scripts/simulate --seed \(seed) --actors --verbose")
    #expect(report.actorCommands > 0)
  }

  @Test(
    "keep what programs of sources bring: all of it, once, in order, and for those alone whom it concerns",
    arguments: seeds(1...12 as ClosedRange<UInt64>))
  func sources(seed: UInt64) {
    var options = World.Options()
    options.hasSources = true
    let report = World.run(seed: seed, options: options)
    #expect(report.violations == [], "scripts/simulate --seed \(seed) --sources --verbose")
    #expect(report.batches > 0)
  }

  @Test(
    "have the same trace for the same seed, and another for another seed",
    arguments: seeds(9...12 as ClosedRange<UInt64>))
  func deterministic(seed: UInt64) {
    let report = World.run(seed: seed)
    #expect(World.run(seed: seed).traceHash == report.traceHash)
    #expect(World.run(seed: seed + 1).traceHash != report.traceHash)
  }

  @Test("lose acknowledged posts if the store does not sync")
  func unsynced() {
    // World 2 does. The others are for the day when it no longer does.
    let reports = (2...40 as ClosedRange<UInt64>).lazy.map { World.run(seed: $0, options: .unsynced) }
    #expect(reports.contains { $0.violations.contains { $0.contains("was acknowledged") } })
  }

  @Test("skip the planned faults that are left out")
  func without() throws {
    let report = World.run(seed: 10)
    try #require(report.plannedFaults > 0)
    var options = World.Options()
    options.withoutFaults = Set(0..<report.plannedFaults)
    let calm = World.run(seed: 10, options: options)
    #expect(calm.violations == [])
    for fault in [
      Fault.kill, .powerCut, .powerCutInJob, .restart, .cut, .halfOpen, .stall, .slowReader, .fullDisk, .clockBack,
    ] {
      #expect(calm.faults[fault] == 0, "\(fault)")
    }
  }
}

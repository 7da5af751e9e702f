import Simulation
import TestSupport
import Testing

@Suite("Actions on posts, with undo and redo")
struct ActionTests {
  @Test("every response, row, count and flag matches the model", arguments: seeds(1...5 as ClosedRange<UInt64>))
  func actions(seed: UInt64) throws {
    let run = try ActionRun(seed: seed)
    defer { run.close() }
    let quarters = triesAllSeeds ? 4 : 1
    try run.run(actions: 200 * quarters)
    #expect(run.report.violations == [], "seed \(seed)")
    #expect(
      run.report.actions >= 200 * quarters && run.report.changes > 60 * quarters && run.report.undone > 25 * quarters
        && run.report.rows > 1_250 * quarters, "\(run.report)")
    #expect(run.report.repeated > 7 * quarters, "\(run.report)")
    // Some kinds are rare.
    #expect(
      !triesAllSeeds || ActionKind.allCases.allSatisfy { run.report.kinds[$0, default: 0] > 10 }, "\(run.report)")
  }
}

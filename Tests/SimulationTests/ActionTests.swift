import Simulation
import TestSupport
import Testing

@Suite("Actions on posts, with undo and redo")
struct ActionTests {
  @Test("every response, row, count and flag matches the model", arguments: seeds(1...5 as ClosedRange<UInt64>))
  func actions(seed: UInt64) throws {
    let run = try ActionRun(seed: seed)
    defer { run.close() }
    try run.run(actions: 800)
    #expect(run.report.violations == [], "seed \(seed)")
    #expect(
      run.report.actions >= 800 && run.report.changes > 250 && run.report.undone > 100 && run.report.rows > 5_000,
      "\(run.report)")
    #expect(
      run.report.repeated > 30 && ActionKind.allCases.allSatisfy { run.report.kinds[$0, default: 0] > 10 },
      "\(run.report)")
  }
}

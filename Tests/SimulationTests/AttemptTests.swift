import Simulation
import TestSupport
import Testing
import ViewState

@Suite("Forbidden content")
struct AttemptTests {
  @Test(
    "appears in no response, frame, count, search, export or refusal of any call",
    arguments: seeds(1...8 as ClosedRange<UInt64>))
  func attempts(seed: UInt64) throws {
    let run = try AttemptRun(seed: seed)
    defer { run.close() }
    try run.run(attempts: 500)
    #expect(run.report.violations == [], "seed \(seed)")
    #expect(
      run.report.attempts == 500 && run.report.forbiddenAttempts > 150 && run.report.permittedMarks > 500,
      "\(run.report)")
  }

  @Test(
    "appears nowhere either where accounts approve their followers", arguments: seeds(1...8 as ClosedRange<UInt64>))
  func approved(seed: UInt64) throws {
    let run = try AttemptRun(seed: seed, follows: .ask)
    defer { run.close() }
    try run.run(attempts: 500)
    #expect(run.report.violations == [], "seed \(seed)")
    #expect(run.report.attempts == 500 && run.report.forbiddenAttempts > 150, "\(run.report)")
  }
}

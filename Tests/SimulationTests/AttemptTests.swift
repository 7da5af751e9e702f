import Simulation
import Testing

@Suite("What an account may not see")
struct AttemptTests {
  @Test(
    "is in no answer, frame, count, search, export or refusal, whichever call it tries",
    arguments: 1...8 as ClosedRange<UInt64>)
  func attempts(seed: UInt64) throws {
    let run = try AttemptRun(seed: seed)
    defer { run.close() }
    try run.run(attempts: 500)
    #expect(run.report.violations == [], "seed \(seed)")
    #expect(run.report.attempts == 500 && run.report.trespasses > 150 && run.report.told > 500, "\(run.report)")
  }
}

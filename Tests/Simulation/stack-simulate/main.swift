import Glibc
import Simulation

guard let arguments = Arguments(Array(CommandLine.arguments.dropFirst())) else {
  print(Arguments.help)
  exit(2)
}

func options(without: Set<Int>) -> World.Options {
  var options = arguments.isUnsynced ? World.Options.unsynced : World.Options()
  options.withoutFaults = without
  options.hasActors = arguments.hasActors
  return options
}

/// Tells of a world that failed, and how to see it again.
func tell(_ report: Report) {
  print("seed \(report.seed) FAILED, \(report.posts) posts, trace \(report.traceHash)")
  for violation in report.violations { print("  \(violation)") }
  print("  again: scripts/simulate --seed \(report.seed)\(arguments.hasActors ? " --actors" : "") --verbose")
}

/// Has twenty clients do so many things, and tells what came of it. False where something was not as the model has it.
func act(_ actions: Int) throws -> Bool {
  let run = try ActionRun(seed: arguments.first)
  try run.run(actions: actions)
  run.close()
  let report = run.report
  print("seed \(arguments.first): \(report.actions) actions, \(report.posts) posts in the end")
  print("  \(report.changes) changes, \(report.undone) taken back or done again, \(report.repeated) asked for again")
  print("  \(report.answers) answers and \(report.rows) rows compared")
  print("  " + ActionKind.allCases.map { "\($0.rawValue) \(report.kinds[$0] ?? 0)" }.joined(separator: ", "))
  for violation in report.violations { print("  \(violation)") }
  return report.violations.isEmpty
}

/// Leaves out one planned fault after the other, as long as the world still fails.
func shrink(_ report: Report) {
  var without = arguments.without
  for index in 0..<report.plannedFaults where !without.contains(index) {
    let fewer = World.run(seed: report.seed, options: options(without: without.union([index])))
    if !fewer.violations.isEmpty { without.insert(index) }
  }
  let left = (0..<report.plannedFaults).filter { !without.contains($0) }
  let list = without.sorted().map(String.init).joined(separator: ",")
  print(
    "  it still fails with \(left.count) of \(report.plannedFaults) planned faults"
      + (list.isEmpty ? "" : ": --without \(list)"))
}

if let actions = arguments.actions { exit(try act(actions) ? 0 : 1) }

var failed = 0
var lived = 0
var posts = 0
var deeds = 0
var revived = 0
var events = 0
var faults = FaultCounts()
var traces: UInt64 = 0
for seed in stride(from: arguments.first, to: arguments.first &+ arguments.count, by: arguments.step) {
  var chosen = options(without: arguments.without)
  if arguments.isVerbose { chosen.onLine = { print($0) } }
  let report = World.run(seed: seed, options: chosen)
  lived += 1
  posts += report.posts
  deeds += report.deeds
  revived += report.revived
  events += report.events
  faults += report.faults
  traces = traces &* 31 &+ report.traceHash
  var isAsItShouldBe = report.violations.isEmpty
  if !isAsItShouldBe {
    failed += 1
    if arguments.mustFail {
      print("seed \(seed) fails, as it must: \(report.violations[0])")
      exit(0)
    }
    tell(report)
    if arguments.shrinks { shrink(report) }
  } else if arguments.runsTwice {
    let again = World.run(seed: seed, options: options(without: arguments.without))
    if again.traceHash != report.traceHash {
      isAsItShouldBe = false
      failed += 1
      print("seed \(seed) does not do the same twice: \(report.traceHash), then \(again.traceHash)")
    }
  }
}
print("\(lived) worlds, \(failed) failed; \(posts) posts, \(events) events, traces \(traces)")
if arguments.mustFail {
  print("no world failed, and one had to")
  exit(1)
}
if arguments.needsAllFaults || lived > 1 {
  print("  \(deeds) commands of actors; \(revived) transactions that failed were there after a start")
  print("  " + Fault.allCases.map { "\($0.rawValue) \(faults[$0])" }.joined(separator: ", "))
}
let missing = Fault.allCases.filter { faults[$0] == 0 }
if arguments.needsAllFaults, !missing.isEmpty {
  print("never happened: \(missing.map(\.rawValue).joined(separator: ", "))")
  exit(1)
}
exit(failed == 0 ? 0 : 1)

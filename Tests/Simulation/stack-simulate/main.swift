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
  options.hasSources = arguments.hasSources
  return options
}

/// Prints the violations of a failed world, and the command that repeats it.
func printFailure(_ report: Report) {
  print("seed \(report.seed) FAILED, \(report.posts) posts, trace \(report.traceHash)")
  for violation in report.violations { print("  \(violation)") }
  let added = (arguments.hasActors ? " --actors" : "") + (arguments.hasSources ? " --sources" : "")
  print("  repeat with: scripts/simulate --seed \(report.seed)\(added) --verbose")
}

/// Runs this many actions of twenty clients, and prints the result. Returns false if it differs from the model.
func runActions(_ actions: Int) throws -> Bool {
  let run = try ActionRun(seed: arguments.first)
  try run.run(actions: actions)
  run.close()
  let report = run.report
  print("seed \(arguments.first): \(report.actions) actions, \(report.posts) posts at the end")
  print("  \(report.changes) changes, \(report.undone) undone or redone, \(report.repeated) repeated")
  print("  \(report.responses) responses and \(report.rows) rows compared")
  print("  " + ActionKind.allCases.map { "\($0.rawValue) \(report.kinds[$0] ?? 0)" }.joined(separator: ", "))
  for violation in report.violations { print("  \(violation)") }
  return report.violations.isEmpty
}

/// Leaves out planned faults one by one, as long as the world still fails.
func shrink(_ report: Report) {
  var without = arguments.without
  for index in 0..<report.plannedFaults where !without.contains(index) {
    let fewer = World.run(seed: report.seed, options: options(without: without.union([index])))
    if !fewer.violations.isEmpty { without.insert(index) }
  }
  let left = (0..<report.plannedFaults).filter { !without.contains($0) }
  let list = without.sorted().map(String.init).joined(separator: ",")
  print(
    "  still fails with \(left.count) of \(report.plannedFaults) planned faults"
      + (list.isEmpty ? "" : ": --without \(list)"))
}

if let actions = arguments.actions { exit(try runActions(actions) ? 0 : 1) }

var failed = 0
var worlds = 0
var posts = 0
var actorCommands = 0
var recovered = 0
var batches = 0
var events = 0
var faults = FaultCounts()
var traces: UInt64 = 0
for seed in stride(from: arguments.first, to: arguments.first &+ arguments.count, by: arguments.step) {
  var chosen = options(without: arguments.without)
  if arguments.isVerbose { chosen.onLine = { print($0) } }
  let report = World.run(seed: seed, options: chosen)
  worlds += 1
  posts += report.posts
  actorCommands += report.actorCommands
  recovered += report.recovered
  batches += report.batches
  events += report.events
  faults += report.faults
  traces = traces &* 31 &+ report.traceHash
  if !report.violations.isEmpty {
    failed += 1
    if arguments.mustFail {
      print("seed \(seed) fails, as required: \(report.violations[0])")
      exit(0)
    }
    printFailure(report)
    if arguments.shrinks { shrink(report) }
  } else if arguments.runsTwice {
    let again = World.run(seed: seed, options: options(without: arguments.without))
    if again.traceHash != report.traceHash {
      failed += 1
      print("seed \(seed) is not deterministic: traces \(report.traceHash) and \(again.traceHash)")
    }
  }
}
print("\(worlds) world\(worlds == 1 ? "" : "s"), \(failed) failed; \(posts) posts, \(events) events, traces \(traces)")
if arguments.mustFail {
  print("no world failed, but one was required to")
  exit(1)
}
if arguments.needsAllFaults || worlds > 1 {
  print(
    "  \(actorCommands) commands of actors; \(recovered) failed transactions survived a restart; \(batches) batches of sources"
  )
  print("  " + Fault.allCases.map { "\($0.rawValue) \(faults[$0])" }.joined(separator: ", "))
}
let missing = Fault.allCases.filter { faults[$0] == 0 }
if arguments.needsAllFaults, !missing.isEmpty {
  print("faults that never happened: \(missing.map(\.rawValue).joined(separator: ", "))")
  exit(1)
}
exit(failed == 0 ? 0 : 1)

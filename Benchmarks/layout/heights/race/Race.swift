// Measures the heights index beside its peers: the same operations on every structure, in turn, in one process. Prints
// one line per measurement: `structure<TAB>operation<TAB>nanoseconds of CPU`. Usage: heights [ROWS] [REPETITIONS]
import Glibc
import Peers
import TextLayout

/// SplitMix64 with a fixed seed, so that all runs are equal.
struct Random: RandomNumberGenerator {
  var state: UInt64 = 20

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number in `0..<limit`.
  mutating func below(_ limit: Int) -> UInt32 { UInt32(truncatingIfNeeded: next() % UInt64(limit)) }

  /// Returns a plausible height of a row in cells: mostly a few lines of text and three around them.
  mutating func height() -> UInt8 {
    switch next() % 100 {
    case 0..<5: 3
    case 5..<30: 4
    case 30..<60: 6
    case 60..<85: 8
    case 85..<97: 11
    default: 16
    }
  }
}

/// Returns the CPU time of this thread in seconds.
func cpuSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The index under test, with the interface of the peers.
final class Subject {
  var index: HeightsIndex

  init(_ index: HeightsIndex) { self.index = index }

  func run(_ operation: operation, _ arguments: [UInt32]) -> UInt64 {
    var found = 0
    switch operation {
    case APPEND: for argument in arguments { index.append(Int(argument)) }
    case INSERT: for argument in arguments { index.insert(6, at: Int(argument)) }
    case CHANGE:
      for argument in arguments { found &+= index.change(at: Int(argument & 0xFFFFFF), to: Int(argument >> 24)) }
    case OFFSET_OF_ROW: for argument in arguments { found &+= index.offset(ofRow: Int(argument)) }
    case ROW_AT_OFFSET: for argument in arguments { found &+= index.row(atOffset: Int(argument))!.row }
    default: for argument in arguments { found &+= index.remove(at: Int(argument)) }
    }
    return UInt64(found)
  }
}

/// Measures all structures, with the same rows, in turn.
@main
final class Race {
  private var random = Random()
  private let rows: Int
  private let subject: Subject
  private let leaves: OpaquePointer?
  private let prefixes: OpaquePointer?
  private let fenwick: OpaquePointer?

  private init(rows: Int) {
    self.rows = rows
    var random = Random()
    let heights = (0..<rows).map { _ in random.height() }
    leaves = leaves_make(heights, UInt32(rows))
    prefixes = prefixes_make(heights, UInt32(rows))
    fenwick = fenwick_make(heights, UInt32(rows))
    subject = Subject(HeightsIndex(count: rows) { Int(heights[$0]) })
  }

  /// Measures one operation on every structure, starting with a different one each turn; those in `slow` do only four.
  /// Ours and the C leaves always hold the same rows, so their results must be equal.
  private func measure(
    _ name: String, _ operation: operation, _ count: Int, turn: Int, slow: Set<String> = [],
    _ argument: (inout Random) -> UInt32
  ) {
    let all = (0..<count).map { _ in argument(&random) }
    var found: [String: UInt64] = [:]
    let structures: [(String, ([UInt32]) -> UInt64)] = [
      ("ours", { [subject] in subject.run(operation, $0) }),
      ("C leaves", { [leaves] in leaves_run(leaves, operation, $0, UInt32($0.count)) }),
      ("prefix sums", { [prefixes] in prefixes_run(prefixes, operation, $0, UInt32($0.count)) }),
      ("Fenwick tree", { [fenwick] in fenwick_run(fenwick, operation, $0, UInt32($0.count)) }),
    ]
    for place in structures.indices {
      let (structure, run) = structures[(place + turn) % structures.count]
      let arguments = slow.contains(structure) ? Array(all.prefix(4)) : all
      let start = cpuSeconds()
      found[structure] = run(arguments)
      let seconds = cpuSeconds() - start
      print("\(structure)\t\(name)\t\(seconds * 1e9 / Double(arguments.count))")
    }
    precondition(found["ours"] == found["C leaves"], "\(name): the index and its peer differ")
  }

  private func run(turn: Int) {
    let (rows, count, total) = (rows, subject.index.count, subject.index.total)
    let slow: Set = ["prefix sums", "Fenwick tree"]
    measure("row to offset", OFFSET_OF_ROW, 500_000, turn: turn) { $0.below(rows) }
    measure("offset to row", ROW_AT_OFFSET, 500_000, turn: turn) { $0.below(total) }
    measure("change", CHANGE, 500_000, turn: turn, slow: ["prefix sums"]) { $0.below(rows) | UInt32($0.height()) << 24 }
    measure("insert at top", APPEND, 300_000, turn: turn) { UInt32($0.height()) }
    measure("insert at random", INSERT, 300_000, turn: turn, slow: slow) { $0.below(rows) }
    measure("remove", REMOVE, 600_000, turn: turn, slow: slow) { $0.below(rows) }
    precondition(subject.index.count == count, "all added rows are removed again")
  }

  static func main() {
    let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    let race = Race(rows: arguments.first ?? 10_000_000)
    let bytes = [
      race.subject.index.byteCount, Int(leaves_bytes(race.leaves)), Int(prefixes_bytes(race.prefixes)),
      Int(fenwick_bytes(race.fenwick)),
    ]
    for (structure, bytes) in zip(["ours", "C leaves", "prefix sums", "Fenwick tree"], bytes) {
      print("\(structure)\tbytes a row\t\(Double(bytes) / Double(race.rows))")
    }
    for turn in 0..<(arguments.dropFirst().first ?? 7) { race.run(turn: turn) }
  }
}

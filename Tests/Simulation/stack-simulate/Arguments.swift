/// The options of the command line.
struct Arguments {
  static let help = """
    stack-simulate: runs simulated worlds, one per seed

      --seed N            run the world of one seed
      --seeds FIRST COUNT run COUNT worlds, starting with seed FIRST
      --step N            run only every Nth of these seeds
      --verbose           print every event
      --twice             run each world twice and require the same trace
      --all-faults        require that every kind of fault has happened at least once
      --without I,J,...   leave out planned faults, by their indices in the plan
      --shrink            find the fewest planned faults with which a failed world still fails
      --actors            add clients to every world that mark, edit and delete posts, and undo and redo that
      --sources           add sources to every world whose programs bring posts
      --unsynced          use a store that does not sync its commits
      --must-fail         stop at the first failed world, and fail if there is none
      --actions N         instead of worlds, run N actions of twenty clients (seeded by --seed) against a model
    """

  var first: UInt64 = 1
  var count: UInt64 = 1
  var step = 1
  var isVerbose = false
  var isUnsynced = false
  var hasActors = false
  var hasSources = false
  var without: Set<Int> = []
  var mustFail = false
  var needsAllFaults = false
  var runsTwice = false
  var shrinks = false
  var actions: Int?

  /// Parses the arguments after the program's name; nil if they are invalid.
  init?(_ words: [String]) {
    var rest = words[...]
    func number() -> UInt64? { rest.popFirst().flatMap { UInt64($0) } }
    while let word = rest.popFirst() {
      switch word {
      case "--seed":
        guard let seed = number() else { return nil }
        first = seed
      case "--seeds":
        guard let from = number(), let seeds = number() else { return nil }
        (first, count) = (from, seeds)
      case "--step":
        guard let every = number(), every > 0 else { return nil }
        step = Int(every)
      case "--without":
        guard let list = rest.popFirst() else { return nil }
        without = Set(list.split(separator: ",").compactMap { Int($0) })
      case "--actions":
        guard let some = number(), some > 0 else { return nil }
        actions = Int(some)
      case "--verbose": isVerbose = true
      case "--actors": hasActors = true
      case "--sources": hasSources = true
      case "--unsynced": isUnsynced = true
      case "--must-fail": mustFail = true
      case "--all-faults": needsAllFaults = true
      case "--twice": runsTwice = true
      case "--shrink": shrinks = true
      default: return nil
      }
    }
  }
}

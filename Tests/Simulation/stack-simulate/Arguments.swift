/// What the command line asks for.
struct Arguments {
  static let help = """
    stack-simulate: lives through simulated worlds, one for each seed

      --seed N            the world of one seed
      --seeds FIRST COUNT so many, from FIRST on
      --step N            every Nth of them only
      --verbose           prints everything that happens
      --twice             lives through each twice, and wants the same trace
      --all-faults        wants every kind of fault to have happened somewhere
      --without I,J,...   leaves out planned faults, by their places in the plan
      --shrink            looks for the fewest planned faults with which a world still fails
      --actors            has clients in every world that do things to posts, take them back and do them again
      --unsynced          with a store that does not sync its commits
      --must-fail         wants some world to fail, and ends at the first
      --actions N         no world, but so many actions of twenty clients before one daemon, each compared with a model; with --seed
    """

  var first: UInt64 = 1
  var count: UInt64 = 1
  var step = 1
  var isVerbose = false
  var isUnsynced = false
  var hasActors = false
  var without: Set<Int> = []
  var mustFail = false
  var needsAllFaults = false
  var runsTwice = false
  var shrinks = false
  var actions: Int?

  /// Reads the words after the program's name; nil where they ask for what there is not.
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

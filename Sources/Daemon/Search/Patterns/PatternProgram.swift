/// A pattern as a nondeterministic automaton (Thompson 1968), with the classes of characters that it distinguishes.
struct PatternProgram: Sendable {
  /// The kinds of states.
  enum Kind: UInt8 {
    /// Reads a character of a set.
    case character
    /// Continues in two states.
    case split
    /// Continues if an assertion holds.
    case assertion
    /// The pattern has been found.
    case found
  }

  struct State: Sendable {
    var kind: Kind
    /// The next state.
    var next: UInt16 = 0
    /// The second state of `split`, the number of a set, or a ``PatternAssertion``.
    var other: UInt16 = 0
  }

  /// At most ``TextPattern/stateLimit`` states; the first is `found`.
  private(set) var states: [State] = [State(kind: .found)]
  /// The first state of a match.
  private(set) var start: UInt16 = 0
  private var sets: [PatternSet: UInt16] = [:]
  /// True if the pattern uses `^`.
  private(set) var usesBegin = false
  /// True if the pattern uses `\b` or `\B`.
  private(set) var usesWordBoundaries = false
  /// The classes of characters that the pattern distinguishes.
  private(set) var classes = CharacterClasses(of: [])

  /// Nil if the program would have too many states. O(states).
  init?(_ node: PatternNode) {
    guard let start = add(node, before: 0) else { return nil }
    self.start = start
    classes = CharacterClasses(of: sets.sorted { $0.value < $1.value }.map(\.key))
    sets = [:]
  }

  private mutating func append(_ state: State) -> UInt16? {
    guard states.count < TextPattern.stateLimit else { return nil }
    states.append(state)
    return UInt16(states.count - 1)
  }

  private mutating func add(_ set: PatternSet, before next: UInt16) -> UInt16? {
    let number = sets[set] ?? UInt16(sets.count)
    sets[set] = number
    return append(State(kind: .character, next: next, other: number))
  }

  /// Adds the states of a node, which continue at `next`. Returns their first state; nil if there are too many.
  private mutating func add(_ node: PatternNode, before next: UInt16) -> UInt16? {
    switch node {
    case .scalar(let scalar): return add(PatternSet(ranges: [scalar...scalar]), before: next)
    case .any: return add(PatternSet(isInverted: true), before: next)
    case .set(let set): return add(set, before: next)
    case .assertion(let assertion):
      if assertion == .begin { usesBegin = true }
      if assertion == .wordBoundary || assertion == .noWordBoundary { usesWordBoundaries = true }
      return append(State(kind: .assertion, next: next, other: UInt16(assertion.rawValue)))
    case .sequence(let nodes):
      var next = next
      for node in nodes.reversed() {
        guard let start = add(node, before: next) else { return nil }
        next = start
      }
      return next
    case .choice(let nodes):
      var start: UInt16?
      for node in nodes.reversed() {
        guard let way = add(node, before: next) else { return nil }
        guard let others = start else {
          start = way
          continue
        }
        start = append(State(kind: .split, next: way, other: others))
        if start == nil { return nil }
      }
      return start
    case .repeated(let node, let least, let most): return add(node, least, most, before: next)
    }
  }

  /// Adds the states of a repeated node.
  private mutating func add(_ node: PatternNode, _ least: Int, _ most: Int?, before next: UInt16) -> UInt16? {
    var start = next
    var left = least
    // The empty text has no states, however often it is repeated.
    if let most {
      for _ in least..<most {
        let count = states.count
        guard let way = add(node, before: start) else { return nil }
        if states.count == count { return next }
        guard let split = append(State(kind: .split, next: way, other: next)) else { return nil }
        start = split
      }
    } else {
      guard let split = append(State(kind: .split, other: next)), let way = add(node, before: split) else { return nil }
      if way == split {
        states.removeLast()
        return next
      }
      states[Int(split)].next = way
      start = least == 0 ? split : way
      left = max(0, least - 1)
    }
    for _ in 0..<left {
      let count = states.count
      guard let way = add(node, before: start) else { return nil }
      if states.count == count { break }
      start = way
    }
    return start
  }
}

/// Numbers for characters that a pattern does not distinguish. Even numbers are classes of characters outside words,
/// odd ones of characters in words; the last number is the end of a text.
struct CharacterClasses: Sendable {
  /// The number of classes, including the end.
  let count: Int
  /// The class of the end of a text.
  var end: Int { count - 1 }
  /// The class of each ASCII character, folded.
  private(set) var ascii: [UInt16] = []
  /// The bounds of all sets, in order.
  private let bounds: [UInt32]
  /// For each class and each set, whether the class is in the set.
  private var isIn: [Bool] = []
  private let setCount: Int

  /// Divides all characters by the sets. O(sets x classes).
  init(of sets: [PatternSet]) {
    bounds = Set(sets.flatMap(\.ranges).flatMap { [$0.lowerBound, $0.upperBound + 1] }).subtracting([0]).sorted()
    count = 2 * (bounds.count + 1) + 1
    setCount = sets.count
    isIn.reserveCapacity((count - 1) * setCount)
    for (first, isWord) in ([0] + bounds).flatMap({ [($0, false), ($0, true)] }) {
      for set in sets { isIn.append(set.contains(first, isWord: isWord)) }
    }
    for byte in 0..<128 as Range<UInt8> { ascii.append(UInt16(search(FoldedScalar(ascii: byte)))) }
  }

  /// Returns the class of a character. O(log classes).
  @inline(__always)
  func number(of scalar: FoldedScalar) -> Int {
    scalar.value < 0x80 ? Int(ascii[Int(scalar.value)]) : search(scalar)
  }

  private func search(_ scalar: FoldedScalar) -> Int {
    var (low, high) = (0, bounds.count)
    while low < high {
      let middle = (low + high) / 2
      if bounds[middle] <= scalar.value { low = middle + 1 } else { high = middle }
    }
    return 2 * low + (scalar.isWord ? 1 : 0)
  }

  /// True if the characters of a class, other than the end, are in a set.
  @inline(__always)
  func has(_ number: Int, set: UInt16) -> Bool { isIn[number &* setCount &+ Int(set)] }
}

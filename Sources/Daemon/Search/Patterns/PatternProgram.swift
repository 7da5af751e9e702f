/// A pattern as states, each of which leads to others (Thompson 1968), and the classes of characters that it tells
/// apart.
struct PatternProgram: Sendable {
  /// What a state does.
  enum Kind: UInt8 {
    /// Goes on behind a character of a set.
    case character
    /// Goes on in two ways.
    case split
    /// Goes on where the text has a place.
    case place
    /// The pattern has been found.
    case found
  }

  /// One state.
  struct State: Sendable {
    var kind: Kind
    /// Where it goes on.
    var next: UInt16 = 0
    /// The other way of `split`; the number of a set, or of a ``PatternPlace``.
    var other: UInt16 = 0
  }

  /// At most ``TextPattern/stateLimit``; the first is `found`.
  private(set) var states: [State] = [State(kind: .found)]
  /// Where it begins.
  private(set) var start: UInt16 = 0
  private var sets: [PatternSet: UInt16] = [:]
  /// Whether it asks for the beginning of a text.
  private(set) var asksForBegin = false
  /// Whether it asks for words' beginnings and ends.
  private(set) var asksForEdges = false
  /// What it tells apart.
  private(set) var classes = CharacterClasses(of: [])

  /// Nil where it would have too many states. O(states).
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

  /// Adds what goes on with a state that is there; returns where it begins, and nil where there is no room.
  private mutating func add(_ node: PatternNode, before next: UInt16) -> UInt16? {
    switch node {
    case .scalar(let scalar): return add(PatternSet(ranges: [scalar...scalar]), before: next)
    case .any: return add(PatternSet(isInverted: true), before: next)
    case .set(let set): return add(set, before: next)
    case .place(let place):
      if place == .begin { asksForBegin = true }
      if place == .edge || place == .noEdge { asksForEdges = true }
      return append(State(kind: .place, next: next, other: UInt16(place.rawValue)))
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

  /// Adds something as often as it may be repeated.
  private mutating func add(_ node: PatternNode, _ least: Int, _ most: Int?, before next: UInt16) -> UInt16? {
    var start = next
    var left = least
    // The empty text has no states, and is the same however often it is repeated.
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

/// Characters that a pattern does not tell apart, as numbers: an even one for those that are no part of a word, the
/// next for those that are; and one for the end of a text, which is the last.
struct CharacterClasses: Sendable {
  /// How many, with the end.
  let count: Int
  /// The end of a text.
  var end: Int { count - 1 }
  /// The class of each character of ASCII, folded.
  private(set) var ascii: [UInt16] = []
  /// Where a set begins or ends, in order.
  private let bounds: [UInt32]
  /// For each class whether each set has it.
  private var isIn: [Bool] = []
  private let setCount: Int

  /// O(sets x classes).
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

  /// The class of a character. O(log classes).
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

  /// Whether the characters of a class, which is not the end, are in a set.
  @inline(__always)
  func has(_ number: Int, set: UInt16) -> Bool { isIn[number &* setCount &+ Int(set)] }
}

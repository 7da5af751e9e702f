/// Searches texts for a pattern. All states advance together, so that no search takes longer than the product of the
/// lengths of pattern and text; it never goes back in a text.
///
/// Results are cached in an automaton that is built as needed: a set of program states reached together is one of its
/// states, and most characters take one table lookup. The table has a size limit, at which it starts over.
struct PatternMatcher: Sendable {
  let program: PatternProgram
  /// The number of states visited and characters read so far: the cost of all searches.
  private(set) var steps = 0

  /// For each state of the automaton, the set of program states after the last character, one bit each, followed by a
  /// word that describes that character: `1` if it is part of a word, `2` if there is none.
  private var sets: [[UInt64]] = []
  private var numbers: [[UInt64]: Int32] = [:]
  /// The next state for each state and class of characters.
  private var table: [Int32] = []
  private let setLimit: Int

  // Scratch space for computing an entry of the table.
  private var visits: [UInt32]
  private var turn: UInt32 = 0
  private var open: [UInt16] = []
  private var reached: [UInt64]

  /// An entry that has not been computed.
  private static let unknown: Int32 = -1
  /// The pattern has been found.
  private static let found: Int32 = -2
  /// The approximate maximum number of entries in the table.
  private static let tableLimit = 16_384

  /// Prepares a program for matching.
  init(_ program: PatternProgram) {
    self.program = program
    setLimit = max(4, min(1024, Self.tableLimit / program.classes.count))
    visits = Array(repeating: 0, count: program.states.count)
    reached = Array(repeating: 0, count: (program.states.count + 63) / 64 + 1)
    resetAutomaton()
  }

  /// True if the pattern is found in a text, which must be well-formed UTF-8. O(length x states) at most, usually
  /// O(length).
  mutating func isFound(in text: Span<UInt8>) -> Bool {
    let unicode = CharacterTable.unicode
    var state: Int32 = 0
    var offset = 0
    while offset < text.count {
      let byte = text[offset]
      if byte < 0x80 {
        offset &+= 1
        state = next(state, Int(program.classes.ascii[Int(byte)]))
      } else {
        let start = offset
        switch unicode.folded(text, at: &offset) {
        case .ignored: continue
        case .separator:
          let scalar = Self.scalar(text, start..<offset)
          state = next(state, program.classes.number(of: FoldedScalar(scalar, isWord: false)))
        case .letters(var fold), .gram(var fold):
          while state != Self.found, let scalar = fold.popScalar() {
            state = next(state, program.classes.number(of: FoldedScalar(scalar, isWord: true)))
          }
        }
      }
      if state == Self.found { return true }
    }
    return next(state, program.classes.end) == Self.found
  }

  private static func scalar(_ text: Span<UInt8>, _ range: Range<Int>) -> UInt32 {
    var value = UInt32(text[range.lowerBound]) & 0x7F >> UInt32(range.count)
    for index in range.dropFirst() { value = value << 6 | UInt32(text[index] & 0x3F) }
    return value
  }

  // MARK: Automaton

  /// Returns the next state for a state and a class of characters.
  @inline(__always)
  private mutating func next(_ state: Int32, _ number: Int) -> Int32 {
    steps &+= 1
    let known = table[Int(state) &* program.classes.count &+ number]
    return known == Self.unknown ? computeTransition(state, number) : known
  }

  private mutating func computeTransition(_ state: Int32, _ number: Int) -> Int32 {
    let entry = Int(state) * program.classes.count + number
    guard visitStates(sets[Int(state)], number) else {
      table[entry] = Self.found
      return Self.found
    }
    if let next = numbers[reached] {
      table[entry] = next
      return next
    }
    if sets.count == setLimit {
      resetAutomaton()
      return numbers[reached] ?? add(reached)
    }
    let next = add(reached)
    table[entry] = next
    return next
  }

  /// Visits all states that are reachable before a character without reading it, and stores the states after it in
  /// `reached`. Returns false if the pattern is found before it. O(states).
  private mutating func visitStates(_ set: [UInt64], _ number: Int) -> Bool {
    let isEnd = number == program.classes.end
    let isWord = !isEnd && number % 2 == 1
    let last = set[set.count - 1]
    turn &+= 1
    if turn == 0 {
      for state in visits.indices { visits[state] = 0 }
      turn = 1
    }
    for word in reached.indices { reached[word] = 0 }
    // A match may begin anywhere.
    open.append(program.start)
    for word in 0..<set.count - 1 {
      var bits = set[word]
      while bits != 0 {
        open.append(UInt16(word * 64 + bits.trailingZeroBitCount))
        bits &= bits - 1
      }
    }
    while let place = open.popLast() {
      guard visits[Int(place)] != turn else { continue }
      visits[Int(place)] = turn
      steps &+= 1
      let state = program.states[Int(place)]
      switch state.kind {
      case .found:
        open.removeAll(keepingCapacity: true)
        return false
      case .split:
        open.append(state.next)
        open.append(state.other)
      case .assertion:
        let holds =
          switch PatternAssertion(rawValue: UInt8(state.other))! {
          case .begin: last & 2 != 0
          case .end: isEnd
          case .wordBoundary: (last & 1 != 0) != isWord
          case .noWordBoundary: (last & 1 != 0) == isWord
          }
        if holds { open.append(state.next) }
      case .character:
        if !isEnd, program.classes.has(number, set: state.other) {
          reached[Int(state.next) / 64] |= 1 << UInt64(state.next % 64)
        }
      }
    }
    if isWord, program.usesWordBoundaries { reached[reached.count - 1] = 1 }
    return true
  }

  private mutating func add(_ set: [UInt64]) -> Int32 {
    let number = Int32(sets.count)
    sets.append(set)
    numbers[set] = number
    table.append(contentsOf: repeatElement(Self.unknown, count: program.classes.count))
    return number
  }

  /// Clears the automaton except for state 0, the state before the first character.
  private mutating func resetAutomaton() {
    sets.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    table.removeAll(keepingCapacity: true)
    var first = [UInt64](repeating: 0, count: reached.count)
    if program.usesBegin { first[first.count - 1] = 2 }
    _ = add(first)
  }
}

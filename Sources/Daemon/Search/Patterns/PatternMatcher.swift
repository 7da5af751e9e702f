/// Looks for a pattern in texts: all states at once, so that no text and no pattern takes longer than their lengths
/// multiplied. Never goes back in a text.
///
/// What has been worked out is kept, as in an automaton that is made while it runs: states of the program that are
/// reached together are one state of it, and mostly a character takes one look into a table. The table has a limit, at
/// which it begins anew.
struct PatternMatcher: Sendable {
  /// What is looked for.
  let program: PatternProgram
  /// How many states have been visited and characters read so far: what it has cost.
  private(set) var steps = 0

  /// For each state of the automaton the states of the program behind the last character, one bit each, and behind them
  /// what that character was: `1` for part of a word, `2` for none at all.
  private var sets: [[UInt64]] = []
  private var numbers: [[UInt64]: Int32] = [:]
  /// Where each state goes with each class of characters.
  private var table: [Int32] = []
  private let setLimit: Int

  // For working out one more entry.
  private var visits: [UInt32]
  private var turn: UInt32 = 0
  private var open: [UInt16] = []
  private var reached: [UInt64]

  /// Not worked out yet.
  private static let unknown: Int32 = -1
  /// The pattern has been found.
  private static let found: Int32 = -2
  /// Entries of the table, about.
  private static let tableLimit = 16_384

  /// Makes it ready.
  init(_ program: PatternProgram) {
    self.program = program
    setLimit = max(4, min(1024, Self.tableLimit / program.classes.count))
    visits = Array(repeating: 0, count: program.states.count)
    reached = Array(repeating: 0, count: (program.states.count + 63) / 64 + 1)
    forget()
  }

  /// Whether it is somewhere in a text, which is well-formed UTF-8. O(length x states) at most, and mostly O(length).
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

  // MARK: The automaton

  /// Where a state goes with a class of characters.
  @inline(__always)
  private mutating func next(_ state: Int32, _ number: Int) -> Int32 {
    steps &+= 1
    let known = table[Int(state) &* program.classes.count &+ number]
    return known == Self.unknown ? workOut(state, number) : known
  }

  private mutating func workOut(_ state: Int32, _ number: Int) -> Int32 {
    let entry = Int(state) * program.classes.count + number
    guard follow(sets[Int(state)], number) else {
      table[entry] = Self.found
      return Self.found
    }
    if let next = numbers[reached] {
      table[entry] = next
      return next
    }
    if sets.count == setLimit {
      forget()
      return numbers[reached] ?? add(reached)
    }
    let next = add(reached)
    table[entry] = next
    return next
  }

  /// Visits all states that are reached before a character without reading it, and puts those behind it into `reached`;
  /// false if the pattern is found before it. O(states).
  private mutating func follow(_ set: [UInt64], _ number: Int) -> Bool {
    let isEnd = number == program.classes.end
    let isWord = !isEnd && number % 2 == 1
    let behind = set[set.count - 1]
    turn &+= 1
    if turn == 0 {
      for state in visits.indices { visits[state] = 0 }
      turn = 1
    }
    for word in reached.indices { reached[word] = 0 }
    // It may begin anywhere.
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
      case .place:
        let isThere =
          switch PatternPlace(rawValue: UInt8(state.other))! {
          case .begin: behind & 2 != 0
          case .end: isEnd
          case .edge: (behind & 1 != 0) != isWord
          case .noEdge: (behind & 1 != 0) == isWord
          }
        if isThere { open.append(state.next) }
      case .character:
        if !isEnd, program.classes.has(number, set: state.other) {
          reached[Int(state.next) / 64] |= 1 << UInt64(state.next % 64)
        }
      }
    }
    if isWord, program.asksForEdges { reached[reached.count - 1] = 1 }
    return true
  }

  private mutating func add(_ set: [UInt64]) -> Int32 {
    let number = Int32(sets.count)
    sets.append(set)
    numbers[set] = number
    table.append(contentsOf: repeatElement(Self.unknown, count: program.classes.count))
    return number
  }

  /// Begins anew: with the state before the first character, whose number is 0.
  private mutating func forget() {
    sets.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    table.removeAll(keepingCapacity: true)
    var first = [UInt64](repeating: 0, count: reached.count)
    if program.asksForBegin { first[first.count - 1] = 2 }
    _ = add(first)
  }
}

/// Reads a pattern. Characters that fold to nothing, such as marks on letters, are skipped.
///
/// Recursion is as deep as the parentheses, which nest at most ``TextPattern/depthLimit`` levels. O(length).
struct PatternParser {
  /// A character with its position in the pattern, from 1.
  private typealias PatternCharacter = (scalar: Unicode.Scalar, position: Int)

  private let characters: [PatternCharacter]
  private var next = 0
  private var depth = 0

  init(_ text: String) {
    characters = text.unicodeScalars.enumerated().filter { !FoldedScalar.folding($0.element).isEmpty }.map {
      ($0.element, $0.offset + 1)
    }
  }

  /// The pattern, folded as far as that preserves its meaning.
  var spelling: String {
    var text = String.UnicodeScalarView()
    var isEscaped = false
    for (scalar, _) in characters {
      let folded = FoldedScalar.folding(scalar)
      // After a backslash an ASCII letter has a meaning; folding any other character there does no harm.
      let isKept = isEscaped || folded.count != 1
      isEscaped = scalar == "\\" && !isEscaped
      text.append(isKept ? scalar : Unicode.Scalar(folded[0].value) ?? scalar)
    }
    return String(text)
  }

  /// Reads the whole pattern.
  mutating func pattern() throws(PatternError) -> PatternNode {
    if characters.isEmpty { throw PatternError(mistake: .empty, position: 1) }
    let node = try choice()
    if peek() != nil { throw error(.closedGroup, at: next) }
    return node
  }

  // MARK: Characters of the pattern

  private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    next + distance < characters.count ? characters[next + distance].scalar : nil
  }

  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard peek() == scalar else { return false }
    next += 1
    return true
  }

  private func error(_ mistake: PatternError.Mistake, at index: Int) -> PatternError {
    PatternError(
      mistake: mistake,
      position: index < characters.count ? characters[index].position : (characters.last?.position ?? 0) + 1)
  }

  /// Returns the text from a character up to the next one to read.
  private func text(from start: Int) -> String {
    var text = String.UnicodeScalarView()
    for character in characters[start..<next] { text.append(character.scalar) }
    return String(text)
  }

  // MARK: Alternatives, sequences and groups

  private mutating func choice() throws(PatternError) -> PatternNode {
    var choices = [try sequence()]
    while skip("|") { choices.append(try sequence()) }
    return choices.count == 1 ? choices[0] : .choice(choices)
  }

  private mutating func sequence() throws(PatternError) -> PatternNode {
    var nodes: [PatternNode] = []
    while let scalar = peek(), scalar != "|", scalar != ")" {
      let node = try one()
      nodes.append(try repeated(node))
    }
    return nodes.count == 1 ? nodes[0] : .sequence(nodes)
  }

  private mutating func one() throws(PatternError) -> PatternNode {
    let start = next
    let scalar = characters[next].scalar
    next += 1
    switch scalar {
    case ".": return .any
    case "^": return .assertion(.begin)
    case "$": return .assertion(.end)
    case "(": return try group(from: start)
    case "[": return .set(try set(from: start))
    case "*", "+", "?": throw error(.nothingToRepeat(String(scalar)), at: start)
    case "{": throw error(peek().map(Self.isDigit) == true ? .nothingToRepeat("{") : .badRepeat, at: start)
    case "\\": return try escape(from: start)
    default: return Self.literal(scalar)
    }
  }

  private mutating func group(from start: Int) throws(PatternError) -> PatternNode {
    if skip("?") { try skipKind(from: start) }
    if peek() == "*", let name = peek(1), name.properties.isAlphabetic {
      next += 2
      throw missing("backtracking verb", from: start)
    }
    depth += 1
    if depth > TextPattern.depthLimit { throw error(.tooDeep, at: start) }
    let node = try choice()
    guard skip(")") else { throw error(.openGroup, at: start) }
    depth -= 1
    return node
  }

  /// Reads the rest of `(?`.
  private mutating func skipKind(from start: Int) throws(PatternError) {
    if skip(":") { return }
    let name: String
    switch (peek(), peek(1)) {
    case ("=", _), ("!", _): name = "lookahead"
    case ("<", "="), ("<", "!"):
      next += 1
      name = "lookbehind"
    case ("<", _), ("P", _), ("'", _): name = "named group"
    case (">", _): name = "atomic group"
    case ("#", _): name = "comment"
    case ("(", _): name = "conditional"
    case ("R", _), ("&", _): name = "recursion"
    case (nil, _): throw error(.openGroup, at: start)
    default: name = "option"
    }
    if peek() != nil { next += 1 }
    throw missing(name, from: start)
  }

  private func missing(_ name: String, from start: Int) -> PatternError {
    error(.missing(text(from: start), name: name), at: start)
  }

  // MARK: Repeats

  private mutating func repeated(_ node: PatternNode) throws(PatternError) -> PatternNode {
    let start = next
    let (least, most): (Int, Int?)
    switch peek() {
    case "*": (least, most) = (0, nil)
    case "+": (least, most) = (1, nil)
    case "?": (least, most) = (0, 1)
    case "{":
      next += 1
      (least, most) = try times(from: start)
      next -= 1
    default: return node
    }
    next += 1
    // A lazy repeat matches the same texts as a greedy one.
    if !skip("?"), peek() == "+" {
      next += 1
      throw missing("possessive repeat", from: start)
    }
    return .repeated(node, atLeast: least, atMost: most)
  }

  /// Reads the numbers between `{` and `}` and the `}`.
  private mutating func times(from start: Int) throws(PatternError) -> (Int, Int?) {
    let first = next
    guard let least = try number(from: start) else { throw error(.badRepeat, at: start) }
    var most: Int? = least
    if skip(",") { most = try number(from: start) }
    guard peek() == "}" else { throw error(.badRepeat, at: start) }
    if let most, most < least { throw error(.fallingRepeat(text(from: first)), at: start) }
    next += 1
    return (least, most)
  }

  private mutating func number(from start: Int) throws(PatternError) -> Int? {
    let first = next
    var number = 0
    while let scalar = peek(), Self.isDigit(scalar) {
      number = min(number * 10 + Int(scalar.value - 0x30), TextPattern.repeatLimit + 1)
      next += 1
    }
    if number > TextPattern.repeatLimit { throw error(.tooOften(text(from: first)), at: start) }
    return next > first ? number : nil
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { 0x30...0x39 ~= scalar.value }

  // MARK: Literals and escapes

  /// Returns the folded form of a character, which may be several: ß is ss.
  private static func literal(_ scalar: Unicode.Scalar) -> PatternNode {
    let scalars = FoldedScalar.folding(scalar).map { PatternNode.scalar($0.value) }
    return scalars.count == 1 ? scalars[0] : .sequence(scalars)
  }

  private mutating func escape(from start: Int) throws(PatternError) -> PatternNode {
    guard let scalar = peek() else { throw error(.openEscape, at: start) }
    next += 1
    switch scalar {
    case "b": return .assertion(.wordBoundary)
    case "B": return .assertion(.noWordBoundary)
    default: break
    }
    var set = PatternSet()
    if Self.add(kind: scalar, to: &set) { return .set(set) }
    return Self.literal(try escaped(scalar, from: start))
  }

  /// Returns the character that an escape stands for. Both its characters have been read.
  private func escaped(_ scalar: Unicode.Scalar, from start: Int) throws(PatternError) -> Unicode.Scalar {
    if scalar == "n" { return "\n" }
    guard scalar.isASCII, scalar.properties.isAlphabetic || Self.isDigit(scalar) else { return scalar }
    switch scalar {
    case "p", "P": throw missing("Unicode property", from: start)
    case "k", "g", "1"..."9": throw missing("backreference", from: start)
    default: throw error(.unknownEscape("\\\(scalar)"), at: start)
    }
  }

  /// Adds the characters that `\d` and the like stand for; false if the letter is not such a class.
  private static func add(kind scalar: Unicode.Scalar, to set: inout PatternSet) -> Bool {
    switch scalar {
    case "d": set.ranges += PatternSet.digits
    case "D": set.ranges += PatternSet.others(than: PatternSet.digits)
    case "s": set.ranges += PatternSet.spaces
    case "S": set.ranges += PatternSet.others(than: PatternSet.spaces)
    case "w": set.hasWords = true
    case "W": set.hasNonwords = true
    default: return false
    }
    return true
  }

  // MARK: Sets

  private mutating func set(from start: Int) throws(PatternError) -> PatternSet {
    var set = PatternSet()
    set.isInverted = skip("^")
    if peek() == "]" { throw error(.emptySet, at: start) }
    while let scalar = peek(), scalar != "]" {
      let item = next
      if scalar == "[", let kind = peek(1), kind == ":" || kind == "." || kind == "=" {
        next += 2
        throw missing("character class", from: item)
      }
      guard let first = try member(of: &set) else { continue }
      guard peek() == "-", let following = peek(1), following != "]" else {
        set.ranges.append(first...first)
        continue
      }
      next += 1
      guard let last = try member(of: &set), first <= last else { throw error(.badRange(text(from: item)), at: item) }
      set.ranges.append(first...last)
    }
    guard skip("]") else { throw error(.openSet, at: start) }
    return set
  }

  /// Reads one character of a set, folded; adds a class to the set and returns nil.
  private mutating func member(of set: inout PatternSet) throws(PatternError) -> UInt32? {
    let start = next
    var scalar = characters[next].scalar
    next += 1
    if scalar == "\\" {
      guard let letter = peek() else { throw error(.openEscape, at: start) }
      next += 1
      if Self.add(kind: letter, to: &set) {
        if peek() == "-", let following = peek(1), following != "]" {
          next += 2
          throw error(.badRange(text(from: start)), at: start)
        }
        return nil
      }
      scalar = try escaped(letter, from: start)
    }
    let folded = FoldedScalar.folding(scalar)
    guard folded.count == 1 else { throw error(.severalLetters(String(scalar)), at: start) }
    return folded[0].value
  }
}

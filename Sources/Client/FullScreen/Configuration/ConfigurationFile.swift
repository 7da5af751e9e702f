internal import ViewState

/// A file of keys or a theme file, in the subset of TOML (toml.io, 1.0) that they need.
///
/// A line is empty, a comment, a `[section]` or `name = value`. A value is a string in double or single quotation
/// marks, a whole number, `true`, `false`, `[value, …]` or `{ name = value, … }`, all on one line. Each error is
/// reported with its line, and everything else is still read.
struct ConfigurationFile {
  /// The value after `=`.
  indirect enum Value: Equatable {
    case string(String)
    case number(Int)
    case boolean(Bool)
    case list([Value])
    case table([(name: String, value: Value)])

    static func == (left: Value, right: Value) -> Bool {
      switch (left, right) {
      case (.string(let left), .string(let right)): left == right
      case (.number(let left), .number(let right)): left == right
      case (.boolean(let left), .boolean(let right)): left == right
      case (.list(let left), .list(let right)): left == right
      case (.table(let left), .table(let right)): left.elementsEqual(right) { $0 == $1 }
      default: false
      }
    }

    /// The name of the kind of value.
    var kind: String {
      switch self {
      case .string: "a string"
      case .number: "a number"
      case .boolean: "true or false"
      case .list: "a list"
      case .table: "a table"
      }
    }
  }

  /// A line `name = value`.
  struct Entry {
    /// The line number, from 1.
    let line: Int
    /// The section; empty before the first `[section]`.
    let section: String
    let name: String
    let value: Value
  }

  /// A line `[section]`.
  struct Section {
    let line: Int
    let name: String
  }

  private(set) var entries: [Entry] = []
  private(set) var sections: [Section] = []
  private(set) var errors: [ConfigurationError] = []

  /// The largest file that is read, in bytes. A larger one counts as one error.
  static let limit = 1 << 20

  /// Reads a file. O(n).
  init(_ bytes: [UInt8]) {
    guard bytes.count <= Self.limit else {
      errors.append(
        ConfigurationError(line: 1, message: "the file is too large: \(bytes.count) bytes; the limit is \(Self.limit)"))
      return
    }
    var section = ""
    var number = 0
    for line in String(decoding: bytes, as: UTF8.self).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    {
      number += 1
      var reader = LineReader(line)
      do throws(SyntaxError) {
        switch try reader.statement() {
        case nil: break
        case .section(let name):
          section = name
          sections.append(Section(line: number, name: name))
        case .entry(let name, let value):
          entries.append(Entry(line: number, section: section, name: name, value: value))
        }
      } catch {
        errors.append(ConfigurationError(line: number, message: error.message))
      }
    }
  }

  fileprivate struct SyntaxError: Error { let message: String }

  fileprivate enum Statement {
    case section(String)
    case entry(String, Value)
  }

  /// Returns the known word nearest to a wrong one, if at most a third of its letters differ.
  static func nearest(to word: String, in known: some Sequence<String>) -> String? {
    var best: (word: String, distance: Int)?
    for candidate in known {
      let distance = EditDistance.between(word, candidate)
      if distance <= max(1, candidate.count / 3), distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.word
  }
}

/// Parses one line.
private struct LineReader {
  typealias SyntaxError = ConfigurationFile.SyntaxError
  typealias Value = ConfigurationFile.Value

  private let text: [Character]
  private var place = 0
  /// The deepest nesting of lists and tables.
  private static let depth = 4

  init(_ text: Substring) { self.text = Array(text) }

  private var next: Character? { place < text.count ? text[place] : nil }

  private mutating func skipSpace() { while next == " " || next == "\t" { place += 1 } }

  private mutating func consume(_ character: Character) -> Bool {
    skipSpace()
    guard next == character else { return false }
    place += 1
    return true
  }

  private mutating func expect(_ character: Character, _ what: String) throws(SyntaxError) {
    guard consume(character) else { throw SyntaxError(message: "missing \"\(character)\" \(what)") }
  }

  mutating func statement() throws(SyntaxError) -> ConfigurationFile.Statement? {
    skipSpace()
    guard let first = next, first != "#" else { return nil }
    if consume("[") {
      let name = try name()
      try expect("]", "after the section's name")
      try end()
      return .section(name)
    }
    let name = try name()
    try expect("=", "after \"\(name)\"")
    let value = try value(depth: 0)
    try end()
    return .entry(name, value)
  }

  private mutating func end() throws(SyntaxError) {
    skipSpace()
    guard next == nil || next == "#" else { throw SyntaxError(message: "unexpected \"\(String(text[place...]))\"") }
  }

  private mutating func name() throws(SyntaxError) -> String {
    skipSpace()
    if next == "\"" || next == "'" { return try string() }
    let start = place
    while let character = next, character.isLetter || character.isNumber || character == "-" || character == "_" {
      place += 1
    }
    guard place > start else { throw SyntaxError(message: "missing a name") }
    return String(text[start..<place])
  }

  private mutating func value(depth: Int) throws(SyntaxError) -> Value {
    skipSpace()
    guard depth < Self.depth else { throw SyntaxError(message: "lists and tables are nested too deeply") }
    switch next {
    case "\"", "'": return .string(try string())
    case "[": return .list(try list(depth: depth))
    case "{": return .table(try table(depth: depth))
    case nil, "#": throw SyntaxError(message: "missing a value")
    default: break
    }
    let start = place
    while let character = next, !" \t,]}#".contains(character) { place += 1 }
    let word = String(text[start..<place])
    if word == "true" { return .boolean(true) }
    if word == "false" { return .boolean(false) }
    guard let number = Int(word) else {
      throw SyntaxError(message: "\"\(word)\" is not a value; put strings in quotation marks")
    }
    return .number(number)
  }

  private mutating func list(depth: Int) throws(SyntaxError) -> [Value] {
    place += 1
    var values: [Value] = []
    while !consume("]") {
      values.append(try value(depth: depth + 1))
      if consume(",") { continue }
      try expect("]", "at the end of the list, on the same line")
      break
    }
    return values
  }

  private mutating func table(depth: Int) throws(SyntaxError) -> [(name: String, value: Value)] {
    place += 1
    var values: [(name: String, value: Value)] = []
    while !consume("}") {
      let name = try name()
      try expect("=", "after \"\(name)\"")
      values.append((name, try value(depth: depth + 1)))
      if consume(",") { continue }
      try expect("}", "at the end of the table, on the same line")
      break
    }
    return values
  }

  private mutating func string() throws(SyntaxError) -> String {
    let quote = text[place]
    place += 1
    var result = ""
    while let character = next {
      place += 1
      if character == quote { return result }
      guard character == "\\", quote == "\"" else {
        result.append(character)
        continue
      }
      guard let escaped = next else { break }
      place += 1
      switch escaped {
      case "\"", "\\": result.append(escaped)
      case "t": result.append("\t")
      case "u":
        let digits = String(text[place..<min(place + 4, text.count)])
        guard digits.count == 4, let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number) else {
          throw SyntaxError(message: "\\u must be followed by the four hexadecimal digits of a character")
        }
        result.unicodeScalars.append(scalar)
        place += 4
      default: throw SyntaxError(message: "unknown escape \"\\\(escaped)\"")
      }
    }
    throw SyntaxError(message: "unterminated string")
  }
}

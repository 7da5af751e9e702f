/// An item that a verb prints, such as a list, a pane or a token: named values for programs, lines for people.
public struct Record: Sendable {
  /// The value of a field.
  public enum Value: Sendable {
    case text([UInt8])
    case number(Int)
    /// A number that programs must not round.
    case identifier(UInt64)
    case flag(Bool)
    case texts([String])
    case records([Record])
    /// No value; null in JSON.
    case none
  }

  /// A part of a line with its role.
  public struct Piece: Sendable {
    /// The text, possibly from outside; it is filtered when it is painted.
    public var text: [UInt8]
    /// The role, which decides how the text looks.
    public var role: TextRole

    public init(_ text: [UInt8], _ role: TextRole = .plain) {
      self.text = text
      self.role = role
    }

    /// A piece of a Swift string, from the client or from outside.
    public init(_ text: String, _ role: TextRole = .plain) { self.init(Array(text.utf8), role) }
  }

  /// The values in the documented order (docs/CLIENT.md): the keys of JSON and the columns of `--plain`.
  public let fields: [(key: StaticString, value: Value)]
  /// The lines for people.
  public let lines: [[Piece]]

  /// Creates a record that is shown as `lines`.
  public init(_ fields: [(key: StaticString, value: Value)], lines: [[Piece]]) {
    self.fields = fields
    self.lines = lines
  }

  /// Creates a record that is shown as one line of facts, separated by dots. Empty facts are omitted.
  public init(_ fields: [(key: StaticString, value: Value)], facts: [Piece]) {
    let visible = facts.filter { !$0.text.isEmpty }
    let separated = visible.map { [$0] }.joined(separator: [Piece(" · ", .faint)])
    self.init(fields, lines: visible.isEmpty ? [] : [Array(separated)])
  }
}

extension Record {
  /// Writes the record as a JSON object.
  func write(to json: inout JSONWriter) {
    json.object { json in
      for (key, value) in fields {
        json.key(key)
        switch value {
        case .text(let text): json.string(text)
        case .number(let number): json.number(number)
        case .identifier(let id): json.identifier(id)
        case .flag(let flag): json.bool(flag)
        case .texts(let texts): json.array { json in for text in texts { json.string(text) } }
        case .records(let records): json.array { json in for record in records { record.write(to: &json) } }
        case .none: json.null()
        }
      }
    }
  }

  /// The record as a JSON object, without an LF.
  var json: [UInt8] {
    var json = JSONWriter()
    write(to: &json)
    return json.bytes
  }

  /// The record as a line of TAB-separated values, LF included. Nested records are omitted; several texts are separated
  /// by line feeds, which are escaped.
  var plain: [UInt8] {
    PlainCell.line(
      fields.compactMap { _, value in
        switch value {
        case .text(let text): text
        case .number(let number): Array(String(number).utf8)
        case .identifier(let id): Array(String(id).utf8)
        case .flag(let flag): Array(flag ? "1".utf8 : "0".utf8)
        case .texts(let texts): Array(texts.joined(separator: "\n").utf8)
        case .none: []
        case .records: nil
        }
      })
  }

  /// The lines for people, each ended by LF.
  func painted(_ traits: TerminalTraits) -> [UInt8] {
    var output = TerminalText(traits)
    for line in lines {
      for piece in line { output.isolated(piece.text) { $0.append(piece.text, as: piece.role) } }
      output.endLine()
    }
    return output.bytes
  }
}

/// The capabilities of a terminal that painting depends on.
public struct TerminalTraits: Equatable, Sendable {
  /// True if colours, weights and hyperlinks are wanted.
  public var usesColor: Bool
  /// True if right-to-left text is to be isolated from its surroundings (UAX #9, FSI and PDI): on a terminal. A program
  /// that reads a pipe gets the text unchanged.
  public var isolatesDirections: Bool

  public init(usesColor: Bool, isolatesDirections: Bool) {
    self.usesColor = usesColor
    self.isolatesDirections = isolatesDirections
  }

  /// Plain text, as for a pipe.
  public static let bare = TerminalTraits(usesColor: false, isolatesDirections: false)
}

/// The role of a piece of a painted row. Each has one style, within the 16 colours that every terminal has.
public enum TextRole: CaseIterable, Sendable {
  case plain
  case author
  /// Handles, labels and counts: less prominent.
  case faint
  case mention
  case hashtag
  case link
  case warning

  /// The SGR parameters (ECMA-48, 8.3.117), or nil for plain text.
  var attributes: String? {
    switch self {
    case .plain: nil
    case .author: "1"
    case .faint: "2"
    case .mention: "36"
    case .hashtag: "35"
    case .link: "4;34"
    case .warning: "33"
    }
  }
}

/// Bytes on their way to a terminal: the only thing painters write to.
///
/// There are two ways in. All text goes through `append(_:as:)`, which lets no control character pass. Escape sequences
/// come only from the role and link arguments: a closed set of constants, and a URL encoded as printable ASCII. So no
/// field of a post can contain an escape sequence.
public struct TerminalText: Sendable {
  /// The bytes painted so far.
  public private(set) var bytes: [UInt8] = []
  /// The capabilities of the terminal.
  public let traits: TerminalTraits

  /// Creates an empty text.
  public init(_ traits: TerminalTraits) { self.traits = traits }

  /// Paints `text`. With `link` it becomes a hyperlink if the terminal supports it and the scheme is harmless.
  public mutating func append(_ text: some Collection<UInt8>, as role: TextRole = .plain, link: [UInt8] = []) {
    guard !text.isEmpty else { return }
    guard traits.usesColor else { return HarmlessText.append(text, to: &bytes) }
    let target = link.isEmpty ? nil : Hyperlink.target(of: link)
    if let target {
      bytes += Hyperlink.opening
      bytes += target
      bytes += Hyperlink.terminator
    }
    if let attributes = role.attributes { bytes += Array("\u{1B}[\(attributes)m".utf8) }
    HarmlessText.append(text, to: &bytes)
    if role.attributes != nil { bytes += Array("\u{1B}[0m".utf8) }
    if target != nil { bytes += Hyperlink.opening + Hyperlink.terminator }
  }

  /// Paints a Swift string, from the client or from outside; it is filtered in either case.
  public mutating func append(_ text: String, as role: TextRole = .plain) { append(Array(text.utf8), as: role) }

  /// Paints what `body` paints as one field. If `text`, the content of the field, has right-to-left parts, the field is
  /// isolated so that it does not reorder its surroundings.
  public mutating func isolated(_ text: some Collection<UInt8>, _ body: (inout TerminalText) -> Void) {
    guard traits.isolatesDirections, Direction.hasRightToLeft(text) else { return body(&self) }
    bytes += Direction.firstStrongIsolate
    body(&self)
    bytes += Direction.popIsolate
  }

  /// Ends the line.
  public mutating func endLine() { bytes.append(0x0A) }
}

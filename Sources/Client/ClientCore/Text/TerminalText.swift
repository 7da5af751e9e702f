/// What a terminal is told of what it shows.
public struct TerminalTraits: Equatable, Sendable {
  /// Colours, weights and hyperlinks are wanted.
  public var usesColor: Bool
  /// Text that runs from right to left is to be isolated from what stands beside it (UAX #9, FSI and PDI). On a
  /// terminal; a program at the other end of a pipe gets the text as it is.
  public var isolatesDirections: Bool

  /// Puts the parts together.
  public init(usesColor: Bool, isolatesDirections: Bool) {
    self.usesColor = usesColor
    self.isolatesDirections = isolatesDirections
  }

  /// Bare text, as for a pipe.
  public static let bare = TerminalTraits(usesColor: false, isolatesDirections: false)
}

/// What a piece of a painted row is; each has one look, in the 16 colours every terminal has.
public enum TextRole: CaseIterable, Sendable {
  case plain
  case author
  /// Handles, labels, counts: there when looked for.
  case faint
  case mention
  case hashtag
  case link
  case warning

  /// The parameters of SGR (ECMA-48, 8.3.117), or nil for none.
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
/// There are two doors. Text, whoever wrote it, comes in through `append(_:as:)`, which lets no control character pass.
/// Escape sequences come in through the role and link arguments alone, which are a closed set of constants and a URL
/// encoded to printable ASCII. So nothing that a post says can be an escape sequence, whatever its field (clients.md,
/// 1.9).
public struct TerminalText: Sendable {
  /// What has been painted so far.
  public private(set) var bytes: [UInt8] = []
  /// What the terminal is told.
  public let traits: TerminalTraits

  /// Nothing painted yet.
  public init(_ traits: TerminalTraits) { self.traits = traits }

  /// Paints `text`. With `link`, clicking it leads there, where the terminal can and the scheme is harmless.
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

  /// Paints a text of the client's own, or a Swift string from outside; it is filtered all the same.
  public mutating func append(_ text: String, as role: TextRole = .plain) { append(Array(text.utf8), as: role) }

  /// Paints what `body` paints as one field: if `text`, which is what it is about, has anything that runs from right to
  /// left, the field does not disturb the order of what stands beside it.
  public mutating func isolated(_ text: some Collection<UInt8>, _ body: (inout TerminalText) -> Void) {
    guard traits.isolatesDirections, Direction.hasRightToLeft(text) else { return body(&self) }
    bytes += Direction.firstStrongIsolate
    body(&self)
    bytes += Direction.popIsolate
  }

  /// Ends the line.
  public mutating func endLine() { bytes.append(0x0A) }
}

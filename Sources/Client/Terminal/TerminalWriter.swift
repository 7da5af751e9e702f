internal import ClientCore

/// Output for a terminal whose style and cursor are tracked, so that nothing is sent twice.
///
/// Texts pass through `text`, which filters them; everything else is generated here.
struct TerminalWriter: Sendable {
  /// The pending output.
  var bytes: [UInt8] = []
  let traits: RendererTraits
  /// The position of the cursor; nil if only the terminal knows.
  private(set) var position: (line: Int, column: Int)?
  private var style = Style()
  private var link: [UInt8] = []
  /// Styles as this terminal shows them.
  private var reduced: [Style: Style] = [:]
  /// A screen has few distinct styles. This bounds the memory for unusual callers.
  private static let reducedLimit = 1024

  init(traits: RendererTraits) { self.traits = traits }

  mutating func append(_ sequence: String) { bytes += Array(sequence.utf8) }

  /// Resets the terminal to a known state.
  mutating func reset() {
    append("\u{1B}[0m")
    if traits.hasHyperlinks { bytes += Hyperlink.opening + Hyperlink.terminator }
    style = Style()
    link = []
    position = nil
  }

  /// Forgets the cursor's position, because something else has moved it.
  mutating func forgetPosition() { position = nil }

  /// Saves the cursor's position in the terminal (DECSC). The style saved with it is the same at the return.
  mutating func savePosition() {
    set(Style(), link: [])
    append("\u{1B}7")
  }

  /// Returns the cursor to the saved position (DECRC).
  mutating func restorePosition() {
    set(Style(), link: [])
    append("\u{1B}8")
    position = nil
  }

  mutating func move(line: Int, column: Int) {
    if let position {
      if position == (line, column) { return }
      if position.line == line {
        append(column == 0 ? "\r" : "\u{1B}[\(column + 1)G")
        self.position = (line, column)
        return
      }
    }
    append("\u{1B}[\(line + 1);\(column + 1)H")
    position = (line, column)
  }

  mutating func set(_ new: Style, link newLink: [UInt8]) {
    if traits.hasHyperlinks, newLink != link {
      link = newLink
      bytes += Hyperlink.opening
      bytes += newLink.isEmpty ? [] : Hyperlink.target(of: newLink) ?? []
      bytes += Hyperlink.terminator
    }
    let next = reduce(new)
    StyleCodes.append(from: style, to: next, to: &bytes)
    style = next
  }

  private mutating func reduce(_ style: Style) -> Style {
    if let known = reduced[style] { return known }
    if reduced.count >= Self.reducedLimit { reduced.removeAll() }
    let result = StyleCodes.reduced(style, to: traits.colorDepth)
    reduced[style] = result
    return result
  }

  /// Writes plain ASCII, one cell a byte. At the right edge the cursor stays on the last column on some terminals, and
  /// goes beyond it on others.
  mutating func plain(_ text: some Collection<UInt8>, columns: Int) {
    bytes += text
    guard let now = position else { return }
    let column = now.column + text.count
    position = column < columns ? (now.line, column) : nil
  }

  /// Writes any text. Only the terminal knows where the cursor is afterwards.
  mutating func text(_ text: some Collection<UInt8>) {
    HarmlessText.append(text, to: &bytes)
    position = nil
  }

  /// Writes a direction mark.
  mutating func isolate(_ mark: [UInt8]) {
    bytes += mark
    position = nil
  }

  /// Blanks cells from the cursor on. The cursor stays, or is moved back.
  mutating func blank(_ count: Int, _ style: Style, columns: Int) {
    set(style, link: [])
    // ECH (ECMA-48, 8.3.38) leaves only the background, and not even that on every terminal.
    let isPlain = self.style.attributes.isDisjoint(with: [.underline, .inverse])
    if count > 3, isPlain, traits.erasesWithBackground || self.style.background == .standard {
      return append("\u{1B}[\(count)X")
    }
    let start = position
    plain(repeatElement(0x20, count: count), columns: columns)
    if let start { move(line: start.line, column: start.column) }
  }
}

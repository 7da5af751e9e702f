internal import ClientCore

/// Bytes for a terminal whose look and cursor are kept track of, so that nothing is said that it knows.
///
/// Texts come in through `text`, which filters them; all else is made here.
struct TerminalWriter: Sendable {
  /// What is to be written.
  var bytes: [UInt8] = []
  let traits: PainterTraits
  /// Where the cursor is; nil where only the terminal knows.
  private(set) var position: (line: Int, column: Int)?
  private var style = Style()
  private var link: [UInt8] = []
  /// Styles as this terminal shows them.
  private var reduced: [Style: Style] = [:]
  /// Distinct styles of a screen are few; this only keeps a strange caller from filling the memory.
  private static let reducedLimit = 1024

  init(traits: PainterTraits) { self.traits = traits }

  mutating func append(_ sequence: String) { bytes += Array(sequence.utf8) }

  /// Brings the terminal to a known state: nothing of what it had is taken for granted.
  mutating func reset() {
    append("\u{1B}[0m")
    if traits.hasHyperlinks { bytes += Hyperlink.opening + Hyperlink.terminator }
    style = Style()
    link = []
    position = nil
  }

  /// The cursor has been moved by something else.
  mutating func losePosition() { position = nil }

  /// Has the terminal keep where its cursor is (DECSC); what it keeps of the look beside that is the same when it comes
  /// back.
  mutating func keepPosition() {
    set(Style(), link: [])
    append("\u{1B}7")
  }

  /// Has the cursor go back to where it was kept (DECRC).
  mutating func returnToKept() {
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

  /// Plain ASCII, each byte a cell. At the right edge the cursor stays on the last column in one terminal and beside it
  /// in the next.
  mutating func plain(_ text: some Collection<UInt8>, columns: Int) {
    bytes += text
    guard let now = position else { return }
    let column = now.column + text.count
    position = column < columns ? (now.line, column) : nil
  }

  /// Any text: where the cursor is then only the terminal knows.
  mutating func text(_ text: some Collection<UInt8>) {
    HarmlessText.append(text, to: &bytes)
    position = nil
  }

  /// Bytes that are part of a text and were made here.
  mutating func isolate(_ mark: [UInt8]) {
    bytes += mark
    position = nil
  }

  /// Blanks cells from the cursor on; it stays where it is, or is moved back there.
  mutating func blank(_ count: Int, _ style: Style, columns: Int) {
    set(style, link: [])
    // ECH (ECMA-48, 8.3.38) leaves a background and nothing else, and not even that in every terminal.
    let isPlain = self.style.attributes.isDisjoint(with: [.underline, .inverse])
    if count > 3, isPlain, traits.erasesWithBackground || self.style.background == .standard {
      return append("\u{1B}[\(count)X")
    }
    let start = position
    plain(repeatElement(0x20, count: count), columns: columns)
    if let start { move(line: start.line, column: start.column) }
  }
}

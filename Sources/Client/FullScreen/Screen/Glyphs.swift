/// The characters that pictures are drawn with.
public enum Glyphs: Sendable {
  /// Box drawing, and Braille for the clock: one cell wherever ambiguous characters take one.
  case unicode
  /// ASCII only: for `--ascii`, and on terminals whose ambiguous characters take two cells.
  case ascii

  private func pick(_ unicode: String, _ ascii: String) -> String { self == .unicode ? unicode : ascii }

  var horizontal: String { pick("─", "-") }
  var vertical: String { pick("│", "|") }
  /// The mark beside the selected row.
  var heavyVertical: String { pick("┃", "#") }
  var guide: String { pick("┊", ":") }
  var roundTopLeft: String { pick("╭", ".") }
  var roundTopRight: String { pick("╮", ".") }
  var roundBottomLeft: String { pick("╰", "'") }
  var roundBottomRight: String { pick("╯", "'") }
  var squareTopLeft: String { pick("┌", "+") }
  var squareTopRight: String { pick("┐", "+") }
  var squareBottomLeft: String { pick("└", "+") }
  var squareBottomRight: String { pick("┘", "+") }
  var leftTee: String { pick("├", "+") }
  var rightTee: String { pick("┤", "+") }
  var thumb: String { pick("▐", "#") }
  var selected: String { pick("▸", ">") }
  var above: String { pick("▲", "^") }
  var dot: String { pick("·", "-") }
  var glow: String { pick("●", "*") }
  var offline: String { pick("○", "!") }
  var end: String { pick("…", "~") }
  var moreRight: String { pick("›", ">") }
  /// A covered pane.
  var coveredPane: String { pick("▏", "|") }
}

/// The corners and tees of a box.
struct BoxCorners {
  enum Row { case top, middle, bottom, sides }

  let glyphs: Glyphs
  /// True if the corners on that side may be round.
  let left: Bool
  let right: Bool

  /// Returns the character at the left end of a line.
  func leftEnd(_ row: Row) -> String {
    switch row {
    case .top: left ? glyphs.roundTopLeft : glyphs.squareTopLeft
    case .bottom: left ? glyphs.roundBottomLeft : glyphs.squareBottomLeft
    case .middle: glyphs.leftTee
    case .sides: glyphs.vertical
    }
  }

  /// Returns the character at the right end of a line.
  func rightEnd(_ row: Row) -> String {
    switch row {
    case .top: right ? glyphs.roundTopRight : glyphs.squareTopRight
    case .bottom: right ? glyphs.roundBottomRight : glyphs.squareBottomRight
    case .middle: glyphs.rightTee
    case .sides: glyphs.vertical
    }
  }
}

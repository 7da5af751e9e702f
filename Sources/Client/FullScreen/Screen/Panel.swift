internal import ClientCore
internal import Terminal

/// A box with lines.
struct Panel {
  var title = ""
  /// The lines inside the border, each cut to fit.
  var lines: [PanelLine] = []
  /// Text in the lower border; may be empty.
  var foot = ""
  /// A count before that text, and true if it is too high.
  var count = ""
  var isOverCount = false
  /// The width in columns with the border, if smaller than standard.
  var width: Int?
  /// True if the box is at the bottom of the screen instead of its middle.
  var isLow = false
  /// The number of lines at the top that stay when others scroll.
  var fixed = 0
  /// The first line shown below these, if not all fit.
  var first = 0
  /// A line that must be visible.
  var visible: Int?
}

/// A line of a panel.
struct PanelLine {
  var pieces: [Picture.Piece] = []
  var blank: Style?
  /// The position of the cursor, in bytes of the line's text.
  var cursor: Int?
  /// Text at the right end; may be empty.
  var right: [Picture.Piece] = []
}

/// Styles inside a panel.
extension ScreenLook {
  var panelStyle: Style { theme[.panel].over(theme[.text]) }

  func panel(_ role: ThemeRole) -> Style { theme[role].over(panelStyle) }

  func words(_ text: String, _ role: ThemeRole = .panel) -> Picture.Piece {
    Picture.Piece(HarmlessText.filtered(text.utf8), panel(role))
  }
}

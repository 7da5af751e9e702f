internal import ClientCore
internal import Terminal

/// A box and what stands in it.
struct Panel {
  var title = ""
  /// Lines inside of the border, each of which is cut to it.
  var lines: [PanelLine] = []
  /// Said in the lower border; may be empty.
  var foot = ""
  /// Columns with the border, where it is narrower than others.
  var width: Int?
  /// At the bottom of the screen instead of its middle.
  var isLow = false
  /// The first line that is shown, where not all of them fit.
  var first = 0
  /// A line that is shown in any case.
  var visible: Int?
}

/// A line of a panel.
struct PanelLine {
  var pieces: [Picture.Piece] = []
  var blank: Style?
  /// Where the cursor is: so many bytes into the text of the line.
  var cursor: Int?
  /// Said at its right end; may be empty.
  var right: [Picture.Piece] = []
}

/// Looks of what stands in a panel.
extension ScreenLook {
  var panelStyle: Style { theme[.panel].over(theme[.text]) }

  func panel(_ role: ThemeRole) -> Style { theme[role].over(panelStyle) }

  func words(_ text: String, _ role: ThemeRole = .panel) -> Picture.Piece {
    Picture.Piece(HarmlessText.filtered(text.utf8), panel(role))
  }
}

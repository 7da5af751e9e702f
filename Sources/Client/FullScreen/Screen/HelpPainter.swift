internal import ClientCore
internal import Terminal

/// Draws the list of keys.
struct HelpPainter {
  let look: ScreenLook
  /// The columns of the navigation pane.
  let navigation: Int

  /// The least columns of keys.
  private static let keyColumns = 14
  /// The columns between two halves of the list.
  private static let gap = 2
  /// The widths of the box in which the list has two columns, beside the navigation pane. Without room for it the box
  /// fills the screen.
  private static let widths = 116...140

  /// Returns the box with the list. `width` is that of a line in a box of the usual width; `field` draws a text field.
  func panel(_ help: Help, width: Int, field: (String, LineField, Int) -> PanelLine) -> Panel {
    var panel = Panel(title: "Keys", isLow: false, fixed: 1, first: help.scroll)
    var width = width
    if help.columns >= Help.wide {
      let room = help.columns - navigation
      let box = room < Self.widths.lowerBound ? help.columns : min(room, Self.widths.upperBound)
      panel.width = box
      width = box - 4
    }
    panel.lines.append(field("Find: ", help.filter, width))
    let rows = help.rows
    let count = rows.first?.count ?? 1
    let each = (width - (count - 1) * Self.gap) / count
    // Summaries stand below each other, beside keys of at most half the width.
    let longest = help.bindings.map { CellText.width($0.keys.joined(separator: " ")) }.max() ?? 0
    let start = max(Self.keyColumns, min(longest, each / 2) + 1)
    for row in rows {
      var pieces: [Picture.Piece] = []
      for (number, line) in row.enumerated() {
        if number > 0 { pieces.append(blank(Self.gap)) }
        pieces += self.pieces(of: line, width: each, summaryAt: start)
      }
      panel.lines.append(PanelLine(pieces: pieces))
    }
    if rows.isEmpty { panel.lines.append(PanelLine(pieces: [look.words("No keys match.", .panelFaint)])) }
    return panel
  }

  private func blank(_ count: Int) -> Picture.Piece { look.words(String(repeating: " ", count: max(0, count))) }

  /// Columns narrower than this have no names of actions.
  private static let narrow = 60

  /// Returns a line of the list, `width` cells wide. The action's name, which key files use, is at its right end if
  /// there is room.
  private func pieces(of line: Help.Line, width: Int, summaryAt start: Int) -> [Picture.Piece] {
    switch line {
    case .blank: return [blank(width)]
    case .title(let title):
      return [look.words(title, .panelTitle), blank(width - CellText.width(title))]
    case .keys(let binding):
      let keys = ClippedText(binding.keys.joined(separator: " ").utf8, width: start - 1, end: look.glyphs.end)
      let summary = ClippedText(binding.summary.utf8, width: max(0, width - start), end: look.glyphs.end)
      let name = binding.action.rawValue
      let room = width - start - summary.cells - CellText.width(name)
      var pieces = [
        Picture.Piece(keys.bytes, look.panel(.key)), blank(start - keys.cells),
        Picture.Piece(summary.bytes, look.panel(.panel)),
      ]
      if room >= 2, width >= Self.narrow, binding.keys != ["1-9"] {
        pieces += [blank(room), look.words(name, .panelFaint)]
      } else {
        pieces.append(blank(room + CellText.width(name)))
      }
      return pieces
    }
  }
}

internal import ClientCore
internal import Terminal

/// The client's own texts, placed by an upper bound of their width in cells.
enum CellText {
  /// Returns the greatest number of cells that `text` may take.
  static func width(_ text: String) -> Int { ClippedText.upperBound(of: text.utf8) }

  /// Returns as many pieces as fit into `width` cells; one that is cut off ends with `end`. O(n).
  static func clipped(_ pieces: [Picture.Piece], to width: Int, end: String) -> [Picture.Piece] {
    var room = width
    var result: [Picture.Piece] = []
    for var piece in pieces where room > 0 {
      let clipped = ClippedText(piece.text, width: room, end: end)
      piece.text = clipped.bytes
      if !piece.text.isEmpty { result.append(piece) }
      room -= clipped.cells
    }
    return result
  }

  /// Returns as many pieces, and as much of the last one, as certainly fit into `width` cells. O(n).
  static func cut(_ pieces: [Picture.Piece], to width: Int) -> [Picture.Piece] {
    var room = width
    var result: [Picture.Piece] = []
    for piece in pieces {
      guard room > 0 else { break }
      let needed = ClippedText.upperBound(of: piece.text)
      guard needed > room else {
        result.append(piece)
        room -= needed
        continue
      }
      var cut = piece
      // Nothing replaces what is cut off: its cell may hold text too.
      var bytes = 0
      for character in String(decoding: piece.text, as: UTF8.self) {
        room -= ClippedText.upperBound(of: character)
        guard room >= 0 else { break }
        bytes += character.utf8.count
      }
      cut.text = Array(piece.text.prefix(bytes))
      if !cut.text.isEmpty { result.append(cut) }
      break
    }
    return result
  }

  /// Breaks `text` into lines of at most `width` cells: at line feeds, then after spaces, and inside a word only if
  /// that is longer than a line. Every byte is in one of the lines. O(n).
  static func wrap(_ text: String, width: Int) -> [Range<String.Index>] {
    var lines: [Range<String.Index>] = []
    var start = text.startIndex
    var cells = 0
    // The last possible break, and the cells after it.
    var space: (index: String.Index, cells: Int)?
    for index in text.indices {
      let character = text[index]
      let next = text.index(after: index)
      if character.isNewline {
        lines.append(start..<next)
        (start, cells, space) = (next, 0, nil)
        continue
      }
      let own = ClippedText.upperBound(of: character)
      if cells + own > width, character != " ", index > start {
        if let last = space {
          lines.append(start..<last.index)
          (start, cells) = (last.index, last.cells)
        } else {
          lines.append(start..<index)
          (start, cells) = (index, 0)
        }
        space = nil
      }
      cells += own
      if character == " " { space = (next, 0) } else if space != nil { space!.cells += own }
    }
    lines.append(start..<text.endIndex)
    return lines
  }

  /// Wraps `text` like ``wrap(_:width:)`` and returns strings without trailing spaces and line feeds.
  static func wrapped(_ text: String, width: Int) -> [String] {
    wrap(text, width: max(1, width)).map { range in
      var line = text[range]
      while let last = line.last, last == " " || last.isNewline { line.removeLast() }
      return String(line)
    }
  }
}

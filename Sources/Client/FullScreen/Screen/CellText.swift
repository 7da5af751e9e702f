internal import ClientCore
internal import Terminal

/// Texts of the client's own, placed by an upper bound of the cells that they take.
enum CellText {
  /// Cells that `text` takes at most.
  static func width(_ text: String) -> Int { ClippedText.upperBound(of: text.utf8) }

  /// As many pieces, and as much of the last of them, as surely fit into `width` cells. O(n).
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
      // Nothing stands in place of what is cut: its cell too may hold text.
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

  /// `text` in lines of at most `width` cells: cut at its line feeds, then behind a space, and inside of a word only
  /// where that is longer than a line. Every byte of it is in one of the lines. O(n).
  static func wrap(_ text: String, width: Int) -> [Range<String.Index>] {
    var lines: [Range<String.Index>] = []
    var start = text.startIndex
    var cells = 0
    // Where the line may end, and the cells from there on.
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

  /// The same as strings, without the spaces and line feeds at the ends of lines.
  static func wrapped(_ text: String, width: Int) -> [String] {
    wrap(text, width: max(1, width)).map { range in
      var line = text[range]
      while let last = line.last, last == " " || last.isNewline { line.removeLast() }
      return String(line)
    }
  }
}

internal import ClientCore

extension Picture.Run {
  /// The columns it fills.
  public var cells: Range<Int> { column..<column + width }

  /// What is seen of it in some of its columns, where something lies over the others. Of a wide character that is cut
  /// in two, the half that is seen is a blank on the character's own ground.
  ///
  /// Text that is cut at its end is cut by an upper bound of its width. Where its beginning is cut off, the rest is
  /// shown only if all terminals agree on how many cells came before; otherwise nobody knows where it stands, and the
  /// part is blank. O(n).
  ///
  /// - Parameter columns: not empty, and within ``cells``.
  public func part(_ columns: Range<Int>) -> Self {
    guard columns != cells else { return self }
    var cut = Cut(skip: columns.lowerBound - column, room: columns.count)
    for piece in pieces where !cut.isOver { cut.take(piece) }
    return Self(column: columns.lowerBound, width: columns.count, cut.pieces, blank: blank)
  }
}

/// The pieces of a run, of which some cells are left out and some taken.
private struct Cut {
  /// Cells of the run up to which nothing is seen.
  let skip: Int
  /// Cells that are seen.
  let room: Int
  private(set) var pieces: [Picture.Piece] = []
  private(set) var isOver = false
  /// Cells of the text up to here: exactly, as long as that is known, and at most so many then.
  private var position = 0
  private var isExact = true

  init(skip: Int, room: Int) {
    self.skip = skip
    self.room = room
  }

  mutating func take(_ piece: Picture.Piece) {
    var kept: [UInt8] = []
    for character in String(decoding: piece.text, as: UTF8.self) {
      let width = ClippedText.upperBound(of: character)
      let start = position
      position += width
      isExact = isExact && ClippedText.isCertain(character)
      if start < skip {
        if !isExact || position >= skip + room { isOver = true }
        if isExact, position > skip { blank(min(position, skip + room) - skip, piece) }
      } else if position > skip + room {
        isOver = true
        append(kept, piece)
        if isExact, start < skip + room { blank(skip + room - start, piece) }
        return
      } else if width > 0 || start > skip || skip == 0 {
        // A mark without a base is left out with its base.
        kept += character.utf8
      }
      if isOver { return }
    }
    append(kept, piece)
  }

  private mutating func append(_ text: [UInt8], _ piece: Picture.Piece) {
    if !text.isEmpty { pieces.append(Picture.Piece(text, piece.style, link: piece.link)) }
  }

  private mutating func blank(_ count: Int, _ piece: Picture.Piece) {
    let ground = Style(
      foreground: piece.style.foreground, background: piece.style.background,
      attributes: piece.style.attributes.intersection(.inverse))
    pieces.append(Picture.Piece(Array(repeating: 0x20, count: count), ground))
  }
}

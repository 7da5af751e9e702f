internal import ClientCore

extension Picture.Run {
  /// The columns it fills.
  public var cells: Range<Int> { column..<column + width }

  /// Returns the part of a run in some of its columns, where something lies over the others. A wide character cut in
  /// half becomes a blank with its own background.
  ///
  /// Text is cut at its end by an upper bound of its width. If its beginning is cut off, the rest is shown only if all
  /// terminals agree on the width of what came before; otherwise its position is unknown, and the part is blank. O(n).
  ///
  /// - Parameter columns: not empty, and within ``cells``.
  public func part(_ columns: Range<Int>) -> Self {
    guard columns != cells else { return self }
    var cut = Cut(skip: columns.lowerBound - column, room: columns.count)
    for piece in pieces where !cut.isOver { cut.add(piece) }
    return Self(column: columns.lowerBound, width: columns.count, cut.pieces, blank: blank)
  }
}

/// The pieces of a run after skipping some cells and taking others.
private struct Cut {
  /// The number of cells to skip.
  let skip: Int
  /// The number of cells to take.
  let room: Int
  private(set) var pieces: [Picture.Piece] = []
  private(set) var isOver = false
  /// The number of cells up to here: exact while known, then an upper bound.
  private var position = 0
  private var isExact = true

  init(skip: Int, room: Int) {
    self.skip = skip
    self.room = room
  }

  mutating func add(_ piece: Picture.Piece) {
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
        // A combining mark without its base is left out.
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

internal import ClientCore

/// One line of a picture: cells of plain ASCII, each of which is known, and texts that only the terminal can measure.
struct ScreenLine {
  /// The content of a cell.
  struct Cell: Equatable {
    var byte: UInt8 = 0x20
    var style = Style()
    var link: [UInt8] = []

    /// True if both look the same. On a blank, the weight is invisible, and so is the colour of text unless colours are
    /// inverted.
    static func == (left: Cell, right: Cell) -> Bool {
      left.byte == right.byte && left.link == right.link
        && (left.style == right.style || left.byte == 0x20 && left.style.ofBlank == right.style.ofBlank)
    }
  }

  /// A run that is not plain ASCII.
  struct Text {
    let run: Picture.Run
    /// The cells it may touch: its own, and those beyond that it takes on a terminal with other widths.
    let reach: Range<Int>
  }

  /// A cell for each column; blank under texts.
  private(set) var cells: [Cell]
  /// The index in `texts` of the text in each column; -1 for none.
  private(set) var owners: [Int]
  /// The texts from left to right, so that cells one takes beyond its own are painted over by the next.
  private(set) var texts: [Text] = []

  /// Splits the runs of a line, which do not overlap. O(columns + length of the texts).
  init(_ runs: [Picture.Run], columns: Int) {
    cells = Array(repeating: Cell(), count: columns)
    owners = Array(repeating: -1, count: columns)
    for run in runs {
      if Self.isPlain(run) {
        fill(with: run)
      } else {
        for column in run.cells { owners[column] = texts.count }
        let cells = run.pieces.reduce(0) { $0 + ClippedText.upperBound(of: HarmlessText.filtered($1.text)) }
        texts.append(Text(run: run, reach: run.column..<max(run.cells.upperBound, min(columns, run.column + cells))))
      }
    }
  }

  private static func isPlain(_ run: Picture.Run) -> Bool {
    run.pieces.allSatisfy { $0.text.allSatisfy { 0x20...0x7E ~= $0 } }
  }

  private mutating func fill(with run: Picture.Run) {
    var column = run.column
    for piece in run.pieces {
      for byte in piece.text where column < run.cells.upperBound {
        cells[column] = Cell(byte: byte, style: piece.style, link: piece.link)
        column += 1
      }
    }
    while column < run.cells.upperBound {
      cells[column] = Cell(style: run.blank)
      column += 1
    }
  }

  /// Returns the columns to repaint to get from `old` to this line: those of texts that changed, came or went, with all
  /// cells they touch. O(columns + texts squared).
  func damage(since old: ScreenLine) -> [Bool] {
    var damage = Array(repeating: false, count: cells.count)
    for span in Self.spans(old.texts + texts) {
      let before = old.texts.indices.filter { span.contains(old.texts[$0].reach.lowerBound) }
      let after = texts.indices.filter { span.contains(texts[$0].reach.lowerBound) }
      let isSame = before.count == after.count && zip(before, after).allSatisfy { old.texts[$0].run == texts[$1].run }
      if !isSame { for column in span { damage[column] = true } }
    }
    return damage
  }

  /// Returns the columns reached by texts, merged where they touch.
  private static func spans(_ texts: [Text]) -> [Range<Int>] {
    var spans: [Range<Int>] = []
    for reach in texts.map(\.reach).sorted(by: { $0.lowerBound < $1.lowerBound }) where !reach.isEmpty {
      if let last = spans.last, reach.lowerBound < last.upperBound {
        spans[spans.count - 1] = last.lowerBound..<max(last.upperBound, reach.upperBound)
      } else {
        spans.append(reach)
      }
    }
    return spans
  }
}

extension Style {
  /// The visible part of the style on a blank.
  fileprivate var ofBlank: Style {
    guard attributes.isDisjoint(with: [.underline, .inverse]) else { return self }
    return Style(background: background)
  }
}

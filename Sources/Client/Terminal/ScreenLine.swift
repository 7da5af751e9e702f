internal import ClientCore

/// What one line of a picture comes to: cells of plain ASCII, of which each is known, and texts that only the terminal
/// can measure.
struct ScreenLine {
  /// What stands in a cell.
  struct Cell: Equatable {
    var byte: UInt8 = 0x20
    var style = Style()
    var link: [UInt8] = []

    /// Whether they look the same: of a blank neither a weight is seen nor, unless colours are exchanged, the colour of
    /// text.
    static func == (left: Cell, right: Cell) -> Bool {
      left.byte == right.byte && left.link == right.link
        && (left.style == right.style || left.byte == 0x20 && left.style.ofBlank == right.style.ofBlank)
    }
  }

  /// A run with more than plain ASCII in it.
  struct Text {
    let run: Picture.Run
    /// The cells that it may touch: its own, and beyond them those that it takes in a terminal with other widths.
    let reach: Range<Int>
  }

  /// One for each column; what is under a text is blank.
  private(set) var cells: [Cell]
  /// Which of `texts` is seen in each column; -1 for none.
  private(set) var owners: [Int]
  /// From left to right, so that what one takes beyond its own cells is painted over by what stands there.
  private(set) var texts: [Text] = []

  /// Takes the runs of a line apart, of which none covers another. O(columns + length of the texts).
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

  /// The columns that have to be painted anew to come from `old` to this line: those of texts that changed, came or
  /// went, with all that they touch. O(columns + texts squared).
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

  /// The columns that texts reach, joined where they touch each other's.
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
  /// What is seen of it where nothing stands.
  fileprivate var ofBlank: Style {
    guard attributes.isDisjoint(with: [.underline, .inverse]) else { return self }
    return Style(background: background)
  }
}

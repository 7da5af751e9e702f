internal import ClientCore

/// What one line of a picture comes to: cells of plain ASCII, of which each is known, and texts that only the terminal can measure.
struct ScreenLine {
  /// What stands in a cell.
  struct Cell: Equatable {
    var byte: UInt8 = 0x20
    var style = Style()
    var link: [UInt8] = []

    /// Whether they look the same: of a blank neither a weight is seen nor, unless colours are exchanged, the colour of text.
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
  /// From the lowest to the topmost, without those of which nothing is seen.
  private(set) var texts: [Text] = []

  /// Takes the runs of a line apart. O(columns * runs).
  init(_ runs: [Picture.Run], columns: Int) {
    cells = Array(repeating: Cell(), count: columns)
    owners = Array(repeating: -1, count: columns)
    var isTaken = Array(repeating: false, count: columns)
    // From the topmost down: what is seen of a run is what the ones above it have left.
    for run in runs.reversed() {
      let range = run.column..<min(columns, run.column + run.width)
      guard range.contains(where: { !isTaken[$0] }) else { continue }
      if Self.isPlain(run) {
        fill(range, with: run, isTaken)
      } else {
        for column in range where !isTaken[column] { owners[column] = texts.count }
        let cells = run.pieces.reduce(0) { $0 + ClippedText.upperBound(of: HarmlessText.filtered($1.text)) }
        texts.append(Text(run: run, reach: range.lowerBound..<max(range.upperBound, min(columns, run.column + cells))))
      }
      for column in range { isTaken[column] = true }
    }
    texts.reverse()
    for column in owners.indices where owners[column] >= 0 { owners[column] = texts.count - 1 - owners[column] }
  }

  private static func isPlain(_ run: Picture.Run) -> Bool {
    run.pieces.allSatisfy { $0.text.allSatisfy { 0x20...0x7E ~= $0 } }
  }

  private mutating func fill(_ range: Range<Int>, with run: Picture.Run, _ isTaken: [Bool]) {
    var column = range.lowerBound
    for piece in run.pieces {
      for byte in piece.text where column < range.upperBound {
        if !isTaken[column] { cells[column] = Cell(byte: byte, style: piece.style, link: piece.link) }
        column += 1
      }
    }
    while column < range.upperBound {
      if !isTaken[column] { cells[column] = Cell(style: run.blank) }
      column += 1
    }
  }

  /// Texts in the order in which they are painted: above what they cover; otherwise from left to right, so that what a text takes
  /// beyond its own cells is painted over by what stands there. O(texts squared).
  var paintingOrder: [Int] {
    var order: [Int] = []
    var waiting = Array(texts.indices)
    while !waiting.isEmpty {
      let free = waiting.filter { index in
        !waiting.contains { $0 < index && texts[$0].run.cells.overlaps(texts[index].run.cells) }
      }
      let next = free.min { texts[$0].run.column < texts[$1].run.column } ?? waiting[0]
      order.append(next)
      waiting.removeAll { $0 == next }
    }
    return order
  }

  /// The columns that have to be painted anew to come from `old` to this line: those of texts that changed, came or went, or that are seen
  /// in other places, with all that they touch. O(columns + texts).
  func damage(since old: ScreenLine) -> [Bool] {
    var damage = Array(repeating: false, count: cells.count)
    for span in Self.spans(old.texts + texts) {
      let before = old.texts.indices.filter { span.contains(old.texts[$0].reach.lowerBound) }
      let after = texts.indices.filter { span.contains(texts[$0].reach.lowerBound) }
      let isSame =
        before.count == after.count && zip(before, after).allSatisfy { old.texts[$0].run == texts[$1].run }
        && span.allSatisfy { column in
          Self.rank(old.owners[column], in: before) == Self.rank(owners[column], in: after)
        }
      if !isSame { for column in span { damage[column] = true } }
    }
    return damage
  }

  private static func rank(_ owner: Int, in texts: [Int]) -> Int { owner < 0 ? -1 : texts.firstIndex(of: owner) ?? -2 }

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

extension Picture.Run {
  /// The columns it fills.
  var cells: Range<Int> { column..<column + width }
}

extension Style {
  /// What is seen of it where nothing stands.
  fileprivate var ofBlank: Style {
    guard attributes.isDisjoint(with: [.underline, .inverse]) else { return self }
    return Style(background: background)
  }
}

import Terminal

/// A terminal, as far as ``TerminalRenderer`` uses one. Sequences it does not know are recorded as faults.
struct Emulator: Equatable {
  struct Cell: Equatable {
    /// Empty for the second half of a wide character.
    var text = " "
    var look: [String] = []
    var link = ""

    /// True if both look the same. The colour and weight of a blank are invisible.
    static func == (left: Cell, right: Cell) -> Bool {
      left.text == right.text && left.link == right.link && left.seen == right.seen
    }

    private var seen: [String] {
      text == " " && !look.contains("4") && !look.contains("7") ? look.filter { $0.hasPrefix("b") } : look
    }
  }

  let columns: Int
  let lines: Int
  private(set) var cells: [[Cell]]
  private(set) var cursor = (line: 0, column: 0)
  private var kept = (line: 0, column: 0)
  private(set) var isCursorShown = true
  private(set) var title = ""
  /// Input that was not understood, or would have done harm.
  private(set) var faults: [String] = []
  /// True between the marks of mode 2026, which make output appear at once.
  private(set) var isHeld = false
  private var look = Look()
  private var link = ""
  /// True if erasing half of a wide character erases the other half too. In tmux that stays, and hangs over the erased
  /// cell.
  var erasesWholeCharacters = true
  /// The width of a code point in cells.
  var width: (Unicode.Scalar) -> Int = Emulator.commonWidth

  private struct Look: Equatable {
    var attributes: Set<Int> = []
    var foreground = ""
    var background = ""

    var description: [String] {
      attributes.sorted().map(String.init) + (foreground.isEmpty ? [] : ["f" + foreground])
        + (background.isEmpty ? [] : ["b" + background])
    }
    /// The look of an erased cell.
    var erased: [String] { background.isEmpty ? [] : ["b" + background] }
  }

  init(columns: Int, lines: Int) {
    self.columns = columns
    self.lines = lines
    cells = Array(repeating: Array(repeating: Cell(), count: columns), count: lines)
  }

  static func == (left: Emulator, right: Emulator) -> Bool {
    left.cells == right.cells && left.isCursorShown == right.isCursorShown && left.title == right.title
      && (!left.isCursorShown || left.cursor == right.cursor)
  }

  static func commonWidth(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x300...0x36F, 0x200B...0x200F, 0xFE00...0xFE0F, 0x1F3FB...0x1F3FF: 0
    case 0x1100...0x115F, 0x2E80...0x9FFF, 0xAC00...0xD7A3, 0xFF00...0xFF60, 0x1F300...0x1FAFF: 2
    default: 1
    }
  }

  /// Returns a description of the first difference.
  func difference(to other: Emulator) -> String {
    for line in cells.indices {
      for column in cells[line].indices where cells[line][column] != other.cells[line][column] {
        return
          "line \(line), column \(column): \(cells[line][column]), not \(other.cells[line][column]), in \(text[line])"
      }
    }
    return
      "the cursor is at \(isCursorShown ? "\(cursor)" : "no place"), not \(other.isCursorShown ? "\(other.cursor)" : "at any")"
  }

  /// Cells that show half of a wide character.
  var halves: [String] {
    cells.enumerated().flatMap { line, cells in
      cells.indices.filter { column in
        let isWide = cells[column].text.unicodeScalars.first.map { width($0) == 2 } ?? false
        let hasSecond = column + 1 < cells.count && cells[column + 1].text.isEmpty
        return isWide != hasSecond
      }.map { "line \(line), column \($0)" }
    }
  }

  /// The texts of the lines.
  var text: [String] { cells.map { $0.map(\.text).joined() } }

  mutating func write(_ bytes: [UInt8]) {
    let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      index += 1
      switch scalar.value {
      case 0x0D: cursor.column = 0
      case 0x1B: index = escape(scalars, index)
      case ..<0x20, 0x7F...0x9F, 0x202A...0x202E: faults.append("control U+\(String(scalar.value, radix: 16))")
      // Direction changes nothing here.
      case 0x2066...0x2069: continue
      default: put(scalar)
      }
    }
  }

  private mutating func escape(_ scalars: [Unicode.Scalar], _ start: Int) -> Int {
    var index = start
    guard index < scalars.count else {
      faults.append("an open escape")
      return index
    }
    switch scalars[index] {
    case "[":
      var parameters = ""
      index += 1
      while index < scalars.count, !(0x40...0x7E ~= scalars[index].value) {
        parameters.unicodeScalars.append(scalars[index])
        index += 1
      }
      if index < scalars.count { control(scalars[index], parameters) } else { faults.append("an open sequence") }
      return index + 1
    case "]":
      var text = ""
      index += 1
      while index < scalars.count, scalars[index] != "\u{1B}" {
        text.unicodeScalars.append(scalars[index])
        index += 1
      }
      if text.hasPrefix("8;;") {
        link = String(text.dropFirst(3))
      } else if text.hasPrefix("2;") {
        title = String(text.dropFirst(2))
      } else {
        faults.append("OSC \(text)")
      }
      return index + 2
    case "7":
      kept = cursor
      return index + 1
    case "8":
      cursor = kept
      return index + 1
    default:
      faults.append("ESC \(scalars[index])")
      return index + 1
    }
  }

  private mutating func control(_ final: Unicode.Scalar, _ parameters: String) {
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    switch (final, parameters) {
    case ("H", ""): cursor = (0, 0)
    case ("H", _):
      cursor = (numbers[0] - 1, numbers[1] - 1)
      if !(0..<lines ~= cursor.line && 0..<columns ~= cursor.column) { faults.append("a move to \(cursor)") }
    case ("G", _): cursor.column = numbers[0] - 1
    case ("J", "2"): for line in cells.indices { erase(line, 0..<columns) }
    case ("X", _): erase(cursor.line, cursor.column..<min(columns, cursor.column + numbers[0]))
    case ("m", _): setLook(numbers)
    case ("h", "?25"): isCursorShown = true
    case ("l", "?25"): isCursorShown = false
    case ("h", "?2026"): isHeld = true
    case ("l", "?2026"): isHeld = false
    default: faults.append("CSI \(parameters) \(final)")
    }
  }

  private mutating func setLook(_ numbers: [Int]) {
    var rest = numbers[...]
    func color(_ rest: inout ArraySlice<Int>) -> String {
      let count = rest.first == 5 ? 2 : 4
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count).map(String.init).joined(separator: ";")
    }
    while let number = rest.popFirst() {
      switch number {
      case 0: look = Look()
      case 1...7: look.attributes.insert(number)
      case 22: look.attributes.subtract([1, 2])
      case 23, 24, 27: look.attributes.remove(number - 20)
      case 38: look.foreground = color(&rest)
      case 48: look.background = color(&rest)
      case 39: look.foreground = ""
      case 49: look.background = ""
      case 30...37, 90...97: look.foreground = String(number)
      case 40...47, 100...107: look.background = String(number - 10)
      default: faults.append("SGR \(number)")
      }
    }
  }

  private mutating func erase(_ line: Int, _ range: Range<Int>) {
    for column in range {
      if erasesWholeCharacters { overwrite(line, column, width: 1) }
      cells[line][column] = Cell(look: look.erased)
    }
  }

  /// Replaces the rest of a half-overwritten wide character by a blank without any style, as in tmux.
  private mutating func overwrite(_ line: Int, _ column: Int, width: Int) {
    let old = cells[line][column]
    if old.text.isEmpty {
      var first = column
      while first > 0, cells[line][first].text.isEmpty {
        cells[line][first] = Cell()
        first -= 1
      }
      cells[line][first] = Cell()
    }
    var next = column + width
    while next < columns, cells[line][next].text.isEmpty {
      cells[line][next] = Cell()
      next += 1
    }
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    let width = width(scalar)
    if width == 0 {
      var column = cursor.column - 1
      if column > 0, cells[cursor.line][column].text.isEmpty { column -= 1 }
      if column >= 0 { cells[cursor.line][column].text.unicodeScalars.append(scalar) }
      return
    }
    // Without autowrap, text that does not fit stays on the last column.
    let column = min(cursor.column, columns - width)
    overwrite(cursor.line, column, width: width)
    cells[cursor.line][column] = Cell(text: String(scalar), look: look.description, link: link)
    if width == 2 { cells[cursor.line][column + 1] = Cell(text: "", look: look.description, link: link) }
    cursor.column = column + width
    if cursor.column >= columns { cursor.column = columns - 1 }
  }
}

internal import ClientCore
internal import Terminal

/// One line of a part of the screen: fields from left to right, with what is between them blank, so that every cell of
/// the part is covered once.
struct LineBuilder {
  /// The columns of the part that are seen.
  let clip: Range<Int>
  /// Of what is blank.
  let base: Style
  private(set) var runs: [Picture.Run] = []
  /// The first column that nothing was said of.
  private var next: Int

  /// A line of which nothing is said yet.
  init(_ clip: Range<Int>, base: Style) {
    self.clip = clip
    self.base = base
    next = clip.lowerBound
  }

  /// Puts pieces into a field, which lies right of all before it; of what reaches beyond the clip the part within is
  /// seen (``Picture/Run/part(_:)``).
  mutating func add(_ pieces: [Picture.Piece], column: Int, width: Int, blank: Style? = nil) {
    let start = max(column, next)
    let end = min(column + width, clip.upperBound)
    guard end > start else { return }
    fill(to: start)
    runs.append(Picture.Run(column: column, width: width, pieces, blank: blank ?? base).part(start..<end))
    next = end
  }

  /// Puts one text into a field.
  mutating func add(_ text: String, _ style: Style, column: Int, width: Int) {
    add([Picture.Piece(HarmlessText.filtered(text.utf8), style)], column: column, width: width, blank: style)
  }

  /// Repeats a character of one cell.
  mutating func fill(_ sign: String, _ style: Style, column: Int, width: Int) {
    // Cut here rather than by an upper bound: the sign is known to take one cell.
    let start = max(column, next)
    let width = min(column + width, clip.upperBound) - start
    guard width > 0 else { return }
    add(
      [Picture.Piece(Array(String(repeating: sign, count: width).utf8), style)], column: start, width: width,
      blank: style)
  }

  /// Blanks what is left, and gives all of the line.
  mutating func finish() -> [Picture.Run] {
    fill(to: clip.upperBound)
    return runs
  }

  private mutating func fill(to column: Int) {
    guard column > next else { return }
    if let last = runs.last, last.blank == base {
      runs[runs.count - 1].width += column - next
    } else {
      runs.append(Picture.Run(column: next, width: column - next, [], blank: base))
    }
    next = column
  }
}

extension Style {
  /// This look where something of the look `base` lies behind it: what it does not say is as there.
  func over(_ base: Style) -> Style {
    Style(
      foreground: foreground == .standard ? base.foreground : foreground,
      background: background == .standard ? base.background : background, attributes: attributes.union(base.attributes))
  }

  /// Less to be seen than what is beside it.
  var dimmed: Style {
    Style(foreground: foreground, background: background, attributes: attributes.union(.faint).subtracting(.bold))
  }
}

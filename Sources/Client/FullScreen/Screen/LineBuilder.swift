internal import ClientCore
internal import Terminal

/// Builds one line of a part of the screen from fields, left to right. Gaps are blank, so that every cell of the part
/// is covered once.
struct LineBuilder {
  /// The visible columns of the part.
  let clip: Range<Int>
  /// The style of blanks.
  let base: Style
  private(set) var runs: [Picture.Run] = []
  /// The first column that is not covered yet.
  private var next: Int

  /// An empty line.
  init(_ clip: Range<Int>, base: Style) {
    self.clip = clip
    self.base = base
    next = clip.lowerBound
  }

  /// Adds pieces in a field to the right of all previous ones. Beyond the clip only the visible part is kept
  /// (``Picture/Run/part(_:)``).
  mutating func add(_ pieces: [Picture.Piece], column: Int, width: Int, blank: Style? = nil) {
    let start = max(column, next)
    let end = min(column + width, clip.upperBound)
    guard end > start else { return }
    fill(to: start)
    runs.append(Picture.Run(column: column, width: width, pieces, blank: blank ?? base).part(start..<end))
    next = end
  }

  /// Adds a text in a field.
  mutating func add(_ text: String, _ style: Style, column: Int, width: Int) {
    add([Picture.Piece(HarmlessText.filtered(text.utf8), style)], column: column, width: width, blank: style)
  }

  /// Fills a field with a character of one cell.
  mutating func fill(_ sign: String, _ style: Style, column: Int, width: Int) {
    // Cut here rather than by an upper bound: the character is known to take one cell.
    let start = max(column, next)
    let width = min(column + width, clip.upperBound) - start
    guard width > 0 else { return }
    add(
      [Picture.Piece(Array(String(repeating: sign, count: width).utf8), style)], column: start, width: width,
      blank: style)
  }

  /// Blanks the rest of the line, and returns all runs.
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
  /// Returns this style on top of `base`: standard colours come from `base`, and attributes are joined.
  func over(_ base: Style) -> Style {
    Style(
      foreground: foreground == .standard ? base.foreground : foreground,
      background: background == .standard ? base.background : background, attributes: attributes.union(base.attributes))
  }

  /// A fainter version of the style.
  var dimmed: Style {
    Style(foreground: foreground, background: background, attributes: attributes.union(.faint).subtracting(.bold))
  }
}

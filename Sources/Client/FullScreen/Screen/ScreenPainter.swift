public import Terminal
public import ViewState

/// Makes pictures: of what a view holds, and of where its client is in it.
///
/// It decides nothing that the daemon decides: panes lie where their frames say, rows are as high as they say and are cut where they
/// say. The same snapshot and state always make the same picture.
public struct ScreenPainter: Sendable {
  public var theme: Theme
  public var glyphs: Glyphs

  /// A painter with the looks and the signs that it is given.
  public init(theme: Theme, glyphs: Glyphs) {
    self.theme = theme
    self.glyphs = glyphs
  }

  /// The whole screen. O(cells of the screen + rows held).
  public func picture(of snapshot: ViewSnapshot, _ state: ScreenState) -> Picture {
    var picture = Picture(columns: state.columns, lines: state.lines)
    for (pane, frame) in zip(snapshot.panes, snapshot.paneFrames) {
      var line = ScreenState.titleLines
      for row in pane.rows {
        for _ in 0..<row.height {
          picture.put(Picture.Run(column: frame.x, width: frame.width, [Picture.Piece(row.content.fields.text)]), line: line)
          line += 1
        }
      }
    }
    return picture
  }
}

/// The signs that pictures are drawn with.
public enum Glyphs: Sendable {
  /// Box drawing, and Braille for the clock: characters of one cell wherever ambiguous characters take one.
  case unicode
  /// ASCII alone: for `--ascii`, and where ambiguous characters take two cells.
  case ascii
}

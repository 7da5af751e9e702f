internal import ClientCore

/// A line of text with a cursor between two of its clusters.
public struct LineField: Equatable, Sendable {
  private var buffer: TextBuffer
  /// Bytes it holds at most; more are not taken.
  public let limit: Int

  /// A field with the cursor at its end.
  public init(_ text: String = "", limit: Int = 4_000) {
    buffer = TextBuffer(TextBuffer.harmless(text, keepsLines: false))
    self.limit = limit
  }

  /// Without line feeds and other controls.
  public var text: String { buffer.text }
  /// Clusters before the cursor.
  public var cursor: Int { buffer.cursor }

  /// Puts text at the cursor; line feeds become spaces, other controls U+FFFD. False where that would be too much:
  /// nothing is done then.
  @discardableResult public mutating func insert(_ new: String) -> Bool {
    let new = TextBuffer.harmless(new, keepsLines: false)
    guard buffer.text.utf8.count + new.utf8.count <= limit else { return false }
    buffer.insert(new)
    return true
  }

  /// Does what an action of editing does; false where it is none.
  @discardableResult public mutating func perform(_ action: Action) -> Bool { buffer.perform(action) }

  /// The part around the cursor that surely fits into `width` cells with the cursor behind it, and how many bytes of it
  /// are before the cursor.
  func shown(width: Int) -> (text: String, cursorBytes: Int) {
    let before = text[..<buffer.index]
    var cells = ClippedText.upperBound(of: before.utf8)
    var start = before.startIndex
    while cells > max(0, width - 1), start < before.endIndex {
      cells -= ClippedText.upperBound(of: before[start])
      start = before.index(after: start)
    }
    return (String(text[start...]), before[start...].utf8.count)
  }
}

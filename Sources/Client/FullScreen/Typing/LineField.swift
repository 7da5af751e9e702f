internal import ClientCore

/// A line of text with a cursor between two of its clusters.
public struct LineField: Equatable, Sendable {
  private var buffer: TextBuffer
  /// The largest text in bytes. More is not accepted.
  public let limit: Int

  /// A field with the cursor at the end.
  public init(_ text: String = "", limit: Int = 4_000) {
    buffer = TextBuffer(TextBuffer.harmless(text, keepsLines: false))
    self.limit = limit
  }

  /// The text, without line feeds and other control characters.
  public var text: String { buffer.text }
  /// The number of clusters before the cursor.
  public var cursor: Int { buffer.cursor }

  /// Inserts text at the cursor. Line feeds become spaces, other control characters U+FFFD. Returns false and does
  /// nothing if that would exceed the limit.
  @discardableResult public mutating func insert(_ new: String) -> Bool {
    let new = TextBuffer.harmless(new, keepsLines: false)
    guard buffer.text.utf8.count + new.utf8.count <= limit else { return false }
    buffer.insert(new)
    return true
  }

  /// Performs an editing action. Returns false for other actions.
  @discardableResult public mutating func perform(_ action: Action) -> Bool { buffer.perform(action) }

  /// Returns the part around the cursor that certainly fits into `width` cells with the cursor after it, and the number
  /// of its bytes before the cursor.
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

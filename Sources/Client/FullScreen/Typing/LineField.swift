/// A line of text with a cursor between two of its clusters.
public struct LineField: Equatable, Sendable {
  /// Without line feeds.
  public private(set) var text: String
  /// Clusters before the cursor.
  public private(set) var cursor: Int
  /// Clusters it holds at most; more are not taken.
  public let limit: Int

  /// A field with the cursor at its end.
  public init(_ text: String = "", limit: Int = 1_000) {
    self.text = text
    self.limit = limit
    cursor = text.count
  }

  /// Puts text at the cursor; line feeds become spaces.
  public mutating func insert(_ new: String) {
    text += new
    cursor = text.count
  }

  /// Does what an action of editing does; false where it is none, or changes nothing.
  @discardableResult public mutating func perform(_ action: Action) -> Bool { false }
}

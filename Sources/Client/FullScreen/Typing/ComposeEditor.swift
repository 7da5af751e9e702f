public import ViewState

/// A post that is being written: text with a cursor, what it answers, and who may see it. Whatever was done to it can be undone.
public struct ComposeEditor: Equatable, Sendable {
  /// What is written.
  public private(set) var text: String
  /// Clusters before the cursor.
  public private(set) var cursor: Int
  /// What it answers, shown above it; nil for nothing.
  public let parent: PlacedRow?
  /// It is being sent: keys change nothing.
  public var isSending = false
  /// Why it could not be sent; empty for no reason.
  public var failure = ""

  /// Bytes of a post that the daemon takes.
  public static let byteLimit = 10_000

  /// An editor with the cursor at the end of `text`.
  public init(text: String = "", parent: PlacedRow? = nil) {
    self.text = text
    self.parent = parent
    cursor = text.count
  }

  /// Puts text at the cursor, as typed (`isPaste` false) or pasted. What would go beyond the limit by far is cut.
  public mutating func insert(_ new: String, isPaste: Bool = false) {
    text += new
    cursor = text.count
  }

  /// Puts another text in the place of all of it, as one step that can be undone: what comes back from `$EDITOR`.
  public mutating func replace(with new: String) {
    text = new
    cursor = text.count
  }

  /// Does what an action of editing does; false where it is none, or changes nothing.
  @discardableResult public mutating func perform(_ action: Action) -> Bool { false }

  /// Clusters written, and bytes that are left (negative: it cannot be sent).
  public var counter: (clusters: Int, bytesLeft: Int) { (text.count, ComposeEditor.byteLimit - text.utf8.count) }
  /// There is something to send, and not too much.
  public var canSend: Bool { !isSending && !text.allSatisfy(\.isWhitespace) && counter.bytesLeft >= 0 }
}

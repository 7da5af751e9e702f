internal import ClientCore
public import ViewState

/// A post that is being written: text with a cursor, and what it answers. Whatever was done to the text can be undone.
public struct ComposeEditor: Equatable, Sendable {
  private var buffer: TextBuffer
  private var past: [TextBuffer] = []
  private var future: [TextBuffer] = []
  /// What was done last was typing, with which the next letter is one step.
  private var isTyping = false
  /// What it answers, shown above it; nil for nothing.
  public let parent: PlacedRow?
  /// It is another text for a post that is there.
  public let isEdit: Bool
  /// It is being sent: keys change nothing.
  public var isSending = false
  /// Why it could not be sent; empty for no reason.
  public var failure = ""
  /// What the daemon last counted; of an earlier text, if one has been typed since.
  public var count: Count?
  /// Who may see it, in a word; empty for everybody.
  public var audience = ""
  /// Cells of a line on the screen, for moves up and down (``ScreenState/panelWidth``).
  public var width = 68

  /// How long a text is by the daemon's rule.
  public struct Count: Equatable, Sendable {
    /// What was counted.
    public var text: String
    /// What may still be written; negative for too much.
    public var remaining: Int

    /// Puts the parts together.
    public init(text: String, remaining: Int) {
      self.text = text
      self.remaining = remaining
    }
  }

  /// Bytes of a post that the daemon takes.
  public static let byteLimit = 10_000
  /// Bytes that are held: more than can be sent, so that what was pasted can be made shorter.
  public static let heldLimit = 40_000
  /// Steps that can be undone.
  public static let undoLimit = 200

  /// An editor with the cursor at the end of `text`.
  public init(text: String = "", parent: PlacedRow? = nil, isEdit: Bool = false) {
    buffer = TextBuffer(Self.held(text))
    self.parent = parent
    self.isEdit = isEdit
  }

  /// What is written.
  public var text: String { buffer.text }
  /// Clusters before the cursor.
  public var cursor: Int { buffer.cursor }

  /// Puts text at the cursor, as typed or pasted; controls but line feeds become U+FFFD. What does not fit into
  /// ``heldLimit`` is cut.
  public mutating func insert(_ new: String, isPaste: Bool = false) {
    guard !isSending else { return }
    var new = TextBuffer.harmless(new, keepsLines: true)
    while text.utf8.count + new.utf8.count > Self.heldLimit, !new.isEmpty {
      new = Self.prefix(of: new, bytes: Self.heldLimit - text.utf8.count)
    }
    guard !new.isEmpty else { return }
    // A word is one step.
    let joins = isTyping && !isPaste && new.count == 1 && !new.allSatisfy(\.isWhitespace)
    if !joins { note() }
    isTyping = !isPaste
    buffer.insert(new)
  }

  /// Puts another text in the place of all of it, as one step that can be undone: what comes back from `$EDITOR`.
  public mutating func replace(with new: String) {
    guard !isSending else { return }
    note()
    isTyping = false
    buffer = TextBuffer(Self.held(new))
  }

  /// Does what an action of editing does; false where it is none.
  @discardableResult public mutating func perform(_ action: Action) -> Bool {
    guard !isSending else { return false }
    switch action {
    case .undoTyping: step(from: \.past, to: \.future)
    case .redoTyping: step(from: \.future, to: \.past)
    case .newLine: insert("\n")
    case .up: move(lines: -1)
    case .down: move(lines: 1)
    default:
      var next = buffer
      guard next.perform(action) else { return false }
      if next.text != text { note() }
      buffer = next
    }
    isTyping = false
    return true
  }

  /// Clusters written, and bytes that are left (negative: it cannot be sent).
  public var counter: (clusters: Int, bytesLeft: Int) { (text.count, Self.byteLimit - text.utf8.count) }

  /// There is something to send, and not too much.
  public var canSend: Bool { !isSending && !text.allSatisfy(\.isWhitespace) && counter.bytesLeft >= 0 && !isTooLong }

  /// The daemon has counted this very text, and too much of it.
  private var isTooLong: Bool { count.map { $0.text == text && $0.remaining < 0 } ?? false }

  /// Takes a step that can be undone.
  private mutating func note() {
    past.append(buffer)
    if past.count > Self.undoLimit { past.removeFirst() }
    future = []
  }

  private mutating func step(from: WritableKeyPath<Self, [TextBuffer]>, to: WritableKeyPath<Self, [TextBuffer]>) {
    guard let last = self[keyPath: from].popLast() else { return }
    self[keyPath: to].append(buffer)
    buffer = last
  }

  private static func held(_ text: String) -> String {
    let text = TextBuffer.harmless(text, keepsLines: true)
    return text.utf8.count <= heldLimit ? text : prefix(of: text, bytes: heldLimit)
  }

  /// As many clusters as fit into so many bytes.
  private static func prefix(of text: String, bytes: Int) -> String {
    var room = bytes
    return String(
      text.prefix { character in
        room -= character.utf8.count
        return room >= 0
      })
  }

  // MARK: - On the screen

  /// The lines of the text on the screen, wrapped by an upper bound of widths, and where the cursor is in them.
  func lines(width: Int) -> (lines: [String], line: Int, bytes: Int) {
    let ranges = CellText.wrap(text, width: max(1, width))
    let index = buffer.index
    // Where a line ends without a line feed, the cursor is at the beginning of the next.
    let line = ranges.lastIndex { $0.lowerBound <= index } ?? 0
    let lines = ranges.map { range in String(text[range].last?.isNewline == true ? text[range].dropLast() : text[range])
    }
    let bytes = text.utf8.distance(from: ranges[line].lowerBound, to: index)
    return (lines, line, min(bytes, lines[line].utf8.count))
  }

  /// Goes to the line above or below, to about as many cells; beyond the first and the last line to their ends.
  private mutating func move(lines step: Int) {
    let ranges = CellText.wrap(text, width: max(1, width))
    let index = buffer.index
    let line = ranges.lastIndex { $0.lowerBound <= index } ?? 0
    guard ranges.indices.contains(line + step) else {
      return buffer.move(to: step < 0 ? text.startIndex : text.endIndex)
    }
    var room = CellText.width(String(text[ranges[line].lowerBound..<index]))
    let target = ranges[line + step]
    var place = target.lowerBound
    while place < target.upperBound, !text[place].isNewline, room > 0 {
      let next = text.index(after: place)
      // Behind the last cluster of a line that goes on, the cursor would be in the next one.
      if next == target.upperBound, next < text.endIndex { break }
      room -= ClippedText.upperBound(of: text[place])
      guard room >= 0 else { break }
      place = next
    }
    buffer.move(to: place)
  }
}

internal import ClientCore
public import ViewState

/// A post that is being written: text with a cursor, and the post it replies to. All changes to the text can be undone.
public struct ComposeEditor: Equatable, Sendable {
  private var buffer: TextBuffer {
    didSet { if !failure.isEmpty, buffer.text != oldValue.text { failure = "" } }
  }
  /// The completion being gone through.
  private var completing: WordCompletion?
  /// The names that complete words.
  var values = KnownValues()
  /// Who may see the post.
  public internal(set) var audience = PostAudience.everyone
  /// The line that is shown in place of the text; empty for none.
  var warning = LineField(limit: SharedLimits.warningBytes) {
    didSet { if warning.text != oldValue.text { failure = "" } }
  }
  /// The tag of the text's language; empty if unknown.
  var language = LineField(limit: SharedLimits.languageBytes) {
    didSet { if language.text != oldValue.text { failure = "" } }
  }
  /// The path of a file of the post; empty for none.
  var file = LineField(limit: 1_000) { didSet { if file.text != oldValue.text { failure = "" } } }
  /// The description of the file; "-" if it is meant to have none.
  var description = LineField(limit: 1_500) { didSet { if description.text != oldValue.text { failure = "" } } }
  /// The line that has the keys; nil for the text.
  private(set) var typedLine: Line?
  private var past: [TextBuffer] = []
  private var future: [TextBuffer] = []
  /// True if the last change was typing, which the next letter joins to one undo step.
  private var isTyping = false
  /// The post it replies to, shown above it; nil for none.
  public let parent: PlacedRow?
  /// True if it edits an existing post.
  public let isEdit: Bool
  /// True while it is being sent. Keys change nothing then.
  public var isSending = false
  /// The reason why it was not sent; empty for none.
  public var failure = ""
  /// The daemon's last count, possibly of an earlier text.
  public var count: Count?
  /// The width of a line on the screen in cells, for moves up and down (``ScreenState/panelWidth``).
  public var width = 68

  /// A line beside the text.
  enum Line: Equatable {
    case warning, language, file, description
  }

  /// The length of a text by the daemon's rule.
  public struct Count: Equatable, Sendable {
    /// The text counted, and the content warning that counts with it.
    public var text: String
    public var warning: String
    /// The number of characters it counts as.
    public var length: Int
    /// The largest number allowed.
    public var limit: Int

    public init(text: String, warning: String = "", length: Int, limit: Int) {
      (self.text, self.warning) = (text, warning)
      self.length = length
      self.limit = limit
    }
  }

  /// The largest post the daemon accepts, in bytes.
  public static let byteLimit = 10_000
  /// The largest text held, in bytes: larger than a post, so that a pasted text can be shortened.
  public static let heldLimit = 40_000
  /// The number of steps that can be undone.
  public static let undoLimit = 200

  /// An editor with the cursor at the end of `text`.
  public init(text: String = "", parent: PlacedRow? = nil, isEdit: Bool = false) {
    buffer = TextBuffer(Self.held(text))
    self.parent = parent
    self.isEdit = isEdit
    if let parent { audience = PostAudience.replying(to: parent.content.fields.visibility) }
  }

  /// The text.
  public var text: String { buffer.text }
  /// What is written, and who may see it.
  var post: WrittenPost {
    WrittenPost(
      text: text, audience: audience, warning: warning.text, language: language.text, file: file.text,
      description: description.text)
  }
  /// The number of clusters before the cursor.
  public var cursor: Int { buffer.cursor }

  /// Inserts typed or pasted text at the cursor. Control characters except line feeds become U+FFFD. Text beyond
  /// ``heldLimit`` is cut off.
  public mutating func insert(_ new: String, isPaste: Bool = false) {
    guard !isSending else { return }
    if let typedLine { return change(typedLine) { $0.insert(new) } }
    var new = TextBuffer.harmless(new, keepsLines: true)
    while text.utf8.count + new.utf8.count > Self.heldLimit, !new.isEmpty {
      new = Self.prefix(of: new, bytes: Self.heldLimit - text.utf8.count)
    }
    guard !new.isEmpty else { return }
    completing = nil
    // A word is one step.
    let joins = isTyping && !isPaste && new.count == 1 && !new.allSatisfy(\.isWhitespace)
    if !joins { recordUndoStep() }
    isTyping = !isPaste
    buffer.insert(new)
  }

  /// Replaces the whole text as one undo step, with the text from `$EDITOR`.
  public mutating func replace(with new: String) {
    guard !isSending else { return }
    recordUndoStep()
    isTyping = false
    buffer = TextBuffer(Self.held(new))
  }

  private var nextAudience: PostAudience { audience.next(replyingTo: parent?.content.fields.visibility) }
  /// True if there is another audience to choose.
  var mayChangeAudience: Bool { nextAudience != audience }

  /// Performs an editing action. Returns false for other actions.
  @discardableResult public mutating func perform(_ action: Action) -> Bool {
    guard !isSending else { return false }
    if action != .complete { completing = nil }
    if let typedLine, perform(action, in: typedLine) { return true }
    switch action {
    case .warning where !isEdit: typedLine = .warning
    case .language where !isEdit: typedLine = .language
    case .attach where !isEdit: typedLine = .file
    case .complete: complete()
    case .audience: audience = nextAudience
    case .undoTyping: restoreStep(from: \.past, to: \.future)
    case .redoTyping: restoreStep(from: \.future, to: \.past)
    case .newLine: insert("\n")
    case .up: move(lines: -1)
    case .down: move(lines: 1)
    default:
      var next = buffer
      guard next.perform(action) else { return false }
      if next.text != text { recordUndoStep() }
      buffer = next
    }
    isTyping = false
    return true
  }

  /// Performs an action in a line beside the text. Returns false for one that is the text's.
  private mutating func perform(_ action: Action, in line: Line) -> Bool {
    switch action {
    case .attach where line == .file, .newLine where line == .file: typedLine = .description
    case .warning where line != .warning, .language where line != .language, .audience: return false
    case .attach where line != .description: return false
    case .warning, .language, .attach, .newLine, .complete, .up, .down: typedLine = nil
    default: change(line) { $0.perform(action) }
    }
    return true
  }

  private mutating func change(_ line: Line, _ change: (inout LineField) -> Void) {
    switch line {
    case .warning: change(&warning)
    case .language: change(&language)
    case .file: change(&file)
    case .description: change(&description)
    }
  }

  /// Takes over what was written before.
  mutating func resume(_ written: WrittenPost, audience: PostAudience?) {
    warning = LineField(written.warning, limit: warning.limit)
    language = LineField(written.language, limit: language.limit)
    file = LineField(written.file, limit: file.limit)
    description = LineField(written.description, limit: description.limit)
    if let audience { self.audience = audience }
  }

  // MARK: - Completing

  /// The @name or #tag before the cursor; nil for none.
  var wantedKind: KnownValues.Kind? {
    WordCompletion.word(of: buffer).map { $0.word.hasPrefix("#") ? .tag : .author }
  }

  /// The completions to show, and which of them is inserted.
  var completions: (matches: [String], chosen: Int?) {
    let shown = completing ?? WordCompletion(buffer, values)
    return (shown?.matches ?? [], shown?.chosen)
  }

  private mutating func complete() {
    guard var completion = completing ?? WordCompletion(buffer, values) else { return }
    recordUndoStep()
    var changed = buffer
    completion.insertNext(into: &changed)
    buffer = changed
    completing = completion
  }

  /// The number of clusters, and the number of bytes left (negative if it cannot be sent).
  public var counter: (clusters: Int, bytesLeft: Int) { (text.count, Self.byteLimit - text.utf8.count) }

  /// True if there is something to send, and not too much.
  public var canSend: Bool { !isSending && obstacle.isEmpty }

  /// The reason why the text cannot be sent; empty for none. Whether it is too long is known once the daemon has counted
  /// this very text.
  var obstacle: String {
    if text.allSatisfy(\.isWhitespace) { return "There is nothing to post yet." }
    if !file.text.isEmpty, description.text.isEmpty { return "Describe the file, or write - for no description." }
    if let count, isCounted, count.length > count.limit {
      let (over, length) = (NumberText.grouped(count.length - count.limit), NumberText.grouped(count.length))
      return "Too long by \(over): \(length) of \(NumberText.grouped(count.limit)) characters."
    }
    let bytesLeft = counter.bytesLeft
    guard bytesLeft < 0 else { return "" }
    return "Too long by \(NumberText.grouped(-bytesLeft)) bytes of \(NumberText.grouped(Self.byteLimit))."
  }

  /// True if the daemon has counted what is written now.
  var isCounted: Bool { count?.text == text && count?.warning == warning.text }

  /// Records an undo step.
  private mutating func recordUndoStep() {
    past.append(buffer)
    if past.count > Self.undoLimit { past.removeFirst() }
    future = []
  }

  private mutating func restoreStep(from: WritableKeyPath<Self, [TextBuffer]>, to: WritableKeyPath<Self, [TextBuffer]>)
  {
    guard let last = self[keyPath: from].popLast() else { return }
    self[keyPath: to].append(buffer)
    buffer = last
  }

  private static func held(_ text: String) -> String {
    let text = TextBuffer.harmless(text, keepsLines: true)
    return text.utf8.count <= heldLimit ? text : prefix(of: text, bytes: heldLimit)
  }

  /// Returns the longest prefix of whole clusters that fits into `bytes`.
  private static func prefix(of text: String, bytes: Int) -> String {
    var room = bytes
    return String(
      text.prefix { character in
        room -= character.utf8.count
        return room >= 0
      })
  }

  // MARK: - On the screen

  /// The title of the box.
  var title: String {
    if isEdit { return "Edit post" }
    guard let author = parent?.content.fields.author else {
      return audience == .parent ? "Reply" : audience == .direct ? "New direct message" : "New post"
    }
    return "Reply to @\(String(decoding: author.handle, as: UTF8.self))"
  }

  /// Returns the lines on the screen, wrapped by an upper bound of widths, and the position of the cursor in them.
  func lines(width: Int) -> (lines: [String], line: Int, bytes: Int) {
    let ranges = CellText.wrap(text, width: max(1, width))
    let index = buffer.index
    // At the end of a line without a line feed, the cursor is at the start of the next line.
    let line = ranges.lastIndex { $0.lowerBound <= index } ?? 0
    let lines = ranges.map { range in String(text[range].last?.isNewline == true ? text[range].dropLast() : text[range])
    }
    let bytes = text.utf8.distance(from: ranges[line].lowerBound, to: index)
    return (lines, line, min(bytes, lines[line].utf8.count))
  }

  /// Moves to the line above or below, to about the same column; beyond the first and last line, to their ends.
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
      // After the last cluster of a wrapped line, the cursor would be in the next line.
      if next == target.upperBound, next < text.endIndex { break }
      room -= ClippedText.upperBound(of: text[place])
      guard room >= 0 else { break }
      place = next
    }
    buffer.move(to: place)
  }
}

internal import ClientCore

/// Text with a cursor between two of its clusters (UAX #29), and the editing actions on it.
struct TextBuffer: Equatable, Sendable {
  private(set) var text: String
  /// The number of clusters before the cursor, from 0 to the text's count.
  private(set) var cursor: Int

  /// A buffer with the cursor at the end.
  init(_ text: String) {
    self.text = text
    cursor = text.count
  }

  /// The index of the cursor.
  var index: String.Index { text.index(text.startIndex, offsetBy: cursor) }

  /// The number of bytes before the cursor.
  var cursorBytes: Int { text.utf8.distance(from: text.startIndex, to: index) }

  /// Returns `new` with control characters replaced; line feeds may be kept.
  static func harmless(_ new: String, keepsLines: Bool) -> String {
    var lines = new.split(omittingEmptySubsequences: false) { $0.isNewline }
    if !keepsLines { lines = [Substring(lines.joined(separator: " "))] }
    return lines.map { String(decoding: HarmlessText.filtered($0.utf8), as: UTF8.self) }.joined(separator: "\n")
  }

  /// Inserts text at the cursor and moves the cursor after it. Text that joins its neighbours forms one cluster with
  /// them. O(n).
  mutating func insert(_ new: String) { replace(index..<index, with: new) }

  /// Replaces a range with `new`. O(n).
  mutating func replace(_ range: Range<String.Index>, with new: String) {
    let before = text[..<range.lowerBound] + new
    let bytes = before.utf8.count
    text = String(before + text[range.upperBound...])
    move(toByte: bytes)
  }

  /// Moves the cursor after the cluster that holds the byte before `bytes`.
  mutating func move(toByte bytes: Int) {
    var clusters = 0
    var passed = 0
    for character in text {
      guard passed < bytes else { break }
      passed += character.utf8.count
      clusters += 1
    }
    cursor = clusters
  }

  mutating func move(to index: String.Index) { cursor = text.distance(from: text.startIndex, to: index) }

  /// Performs an editing action. Returns false for other actions, but true for one that finds nothing to do.
  mutating func perform(_ action: Action) -> Bool {
    switch action {
    case .left: cursor = max(0, cursor - 1)
    case .right: cursor = min(text.count, cursor + 1)
    case .wordLeft: move(to: wordStart)
    case .wordRight: move(to: wordEnd)
    case .lineStart: move(to: lineStart)
    case .lineEnd: move(to: lineEnd)
    case .textStart: cursor = 0
    case .textEnd: cursor = text.count
    case .deleteBackward: if cursor > 0 { remove(text.index(before: index)..<index) }
    case .deleteForward: if index < text.endIndex { remove(index..<text.index(after: index)) }
    case .deleteWord: remove(wordStart..<index)
    case .deleteToStart: remove(lineStart..<index)
    case .deleteToEnd: remove(index..<lineEnd)
    default: return false
    }
    return true
  }

  private mutating func remove(_ range: Range<String.Index>) { if !range.isEmpty { replace(range, with: "") } }

  private static func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  /// The start of the word before the cursor.
  private var wordStart: String.Index {
    var place = index
    while place > text.startIndex, !Self.isWord(text[text.index(before: place)]) { place = text.index(before: place) }
    while place > text.startIndex, Self.isWord(text[text.index(before: place)]) { place = text.index(before: place) }
    return place
  }

  /// The end of the word after the cursor.
  private var wordEnd: String.Index {
    var place = index
    while place < text.endIndex, !Self.isWord(text[place]) { place = text.index(after: place) }
    while place < text.endIndex, Self.isWord(text[place]) { place = text.index(after: place) }
    return place
  }

  private var lineStart: String.Index {
    text[..<index].lastIndex(where: \.isNewline).map { text.index(after: $0) } ?? text.startIndex
  }

  private var lineEnd: String.Index { text[index...].firstIndex(where: \.isNewline) ?? text.endIndex }
}

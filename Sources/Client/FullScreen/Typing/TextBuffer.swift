internal import ClientCore

/// Text with a cursor between two of its clusters (UAX #29), and what editing does to them.
struct TextBuffer: Equatable, Sendable {
  private(set) var text: String
  /// Clusters before the cursor, 0 to the count of the text's.
  private(set) var cursor: Int

  /// A buffer with the cursor at its end.
  init(_ text: String) {
    self.text = text
    cursor = text.count
  }

  /// The place of the cursor.
  var index: String.Index { text.index(text.startIndex, offsetBy: cursor) }

  /// Bytes before the cursor.
  var cursorBytes: Int { text.utf8.distance(from: text.startIndex, to: index) }

  /// `new` as it may be written: line feeds are kept, other controls are not.
  static func harmless(_ new: String, keepsLines: Bool) -> String {
    var lines = new.split(omittingEmptySubsequences: false) { $0.isNewline }
    if !keepsLines { lines = [Substring(lines.joined(separator: " "))] }
    return lines.map { String(decoding: HarmlessText.filtered($0.utf8), as: UTF8.self) }.joined(separator: "\n")
  }

  /// Puts text at the cursor, which then is behind it. What joins with its neighbours becomes one cluster with them.
  /// O(n).
  mutating func insert(_ new: String) { replace(index..<index, with: new) }

  /// Puts `new` in the place of a part. O(n).
  mutating func replace(_ range: Range<String.Index>, with new: String) {
    let before = text[..<range.lowerBound] + new
    let bytes = before.utf8.count
    text = String(before + text[range.upperBound...])
    move(toByte: bytes)
  }

  /// Puts the cursor behind the cluster that holds the byte before.
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

  /// Does what an action of editing does; false where it is none. An action that finds nothing to do is done.
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

  /// Where the word before the cursor begins.
  private var wordStart: String.Index {
    var place = index
    while place > text.startIndex, !Self.isWord(text[text.index(before: place)]) { place = text.index(before: place) }
    while place > text.startIndex, Self.isWord(text[text.index(before: place)]) { place = text.index(before: place) }
    return place
  }

  /// Where the word behind the cursor ends.
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

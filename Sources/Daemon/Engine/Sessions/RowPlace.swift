internal import Dates
internal import Posts

/// A line of a row, described independently of width: views of equal width resolve it to the same line, others to the
/// line with the same word. The day line above the row, which comes and goes, moves only places on or above it.
enum RowPlace: Hashable {
  /// Lines from the top of the row and its day line: 0 is the top, negative above it. A positive number is a line that
  /// a command named, in no layout that is known.
  case head(Int)
  /// Above the text: lines from the row's top below its day line; negative in the day line.
  case byline(Int)
  /// In the text: a byte of it, and lines below the top of the line with that byte.
  case text(byte: Int, below: Int)
  /// Below the text: lines from the row's end.
  case foot(Int)
}

/// A line of a row of a list.
struct RowAnchor: Hashable {
  /// The row, or its last position if it is gone.
  var key: OrderKey
  var place: RowPlace

  /// Returns true if a reader going from old to new has come further than `other`: to a later row, or further up in the
  /// same one. Without a layout, a line that a command named is not known to be further up than any other place.
  func isBeyond(_ other: RowAnchor) -> Bool {
    guard key == other.key else { return key > other.key }
    return switch (place, other.place) {
    case (.head(let line), .head(let other)): line < other
    case (.head(let line), _): line <= 0
    case (_, .head(let other)): other > 0
    default: place.distance < other.place.distance
    }
  }

  /// Like ``isBeyond(_:)``, as seen in a layout in which `lines` are those of the row of both, if it is the same.
  func isBeyond(_ other: RowAnchor, in lines: RowLines?) -> Bool {
    guard key == other.key, let lines else { return isBeyond(other) }
    return lines.line(of: place) < lines.line(of: other.place)
  }
}

extension RowPlace {
  /// Sort key of the places in a row, from its top down.
  fileprivate var distance: (Int, Int, Int) {
    switch self {
    case .head(let line): (0, line, 0)
    case .byline(let line): (1, line, 0)
    case .text(let byte, let below): (2, byte, below)
    case .foot(let line): (3, -line, 0)
    }
  }
}

extension RowLines {
  /// Returns the place of a line of the row. `word` is a byte of the text known to be in that line.
  func place(atLine line: Int, word: Int? = nil) -> RowPlace {
    if let byte = word ?? self.word(atLine: line) {
      return .text(byte: byte, below: max(0, line - self.line(ofWord: byte)))
    }
    if line <= 0 { return .head(line) }
    return line < top ? .byline(line - dayHeight) : .foot(max(1, height - line))
  }

  /// Returns the line of a place, at most height - 1. In a layout whose parts are lower than those of the place's own,
  /// that is the last line of the same part.
  func line(of place: RowPlace) -> Int {
    switch place {
    case .head(let line): min(line, height - 1)
    case .byline(let line): max(0, min(dayHeight + line, max(dayHeight, top - 1)))
    case .text(let byte, let below): min(self.line(ofWord: byte) + min(below, lineHeight - 1), height - 1)
    case .foot(let line): max(end, height - max(1, line))
    }
  }
}

// MARK: - Encoding

extension RowAnchor {
  /// The anchor as words: row, instant, and two or three for the place.
  var words: String {
    let place =
      switch place {
      case .head(let line): "head \(line)"
      case .byline(let line): "byline \(line)"
      case .text(let byte, let below): "text \(byte) \(below)"
      case .foot(let line): "foot \(line)"
      }
    return "\(key.id.rawValue) \(key.createdAt.milliseconds) \(place)"
  }

  /// Decodes a saved anchor; nil if the words are malformed. Numbers beyond any row's mean its end.
  init?(words: ArraySlice<String>) {
    let numbers = words.map { Int64($0) }
    guard words.count >= 4, let id = numbers[0], let createdAt = numbers[1], let first = numbers[3] else { return nil }
    let line = min(max(0, Int(first)), Self.largestNumber)
    let head = min(max(-Self.largestNumber, Int(first)), Self.largestNumber)
    key = OrderKey(createdAt: Instant(milliseconds: createdAt), id: PostID(id))
    switch (words[words.startIndex + 2], words.count) {
    case ("head", 4): place = .head(head)
    case ("byline", 4): place = .byline(head)
    case ("foot", 4): place = .foot(line)
    case ("text", 5):
      guard let below = numbers[4] else { return nil }
      place = .text(byte: line, below: min(max(0, Int(below)), Self.largestNumber))
    default: return nil
    }
  }

  /// Greater than any row's number of lines or bytes.
  static let largestNumber = 1 << 30
}

internal import Dates
internal import Posts

/// A line of a row, described independently of width: views of equal width resolve it to the same line, others to the
/// line with the same word.
enum RowPlace: Hashable {
  /// Above the text: lines from the row's top; negative above the row.
  case head(Int)
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
  /// same one.
  func isBeyond(_ other: RowAnchor) -> Bool {
    key == other.key ? place.distance < other.place.distance : key > other.key
  }
}

extension RowPlace {
  /// Sort key of the places in a row, from its top down.
  fileprivate var distance: (Int, Int, Int) {
    switch self {
    case .head(let line): (0, line, 0)
    case .text(let byte, let below): (1, byte, below)
    case .foot(let line): (2, -line, 0)
    }
  }
}

extension RowLines {
  /// Returns the place of a line of the row. `word` is a byte of the text known to be in that line.
  func place(atLine line: Int, word: Int? = nil) -> RowPlace {
    if let byte = word ?? self.word(atLine: line) {
      return .text(byte: byte, below: max(0, line - self.line(ofWord: byte)))
    }
    return line < self.line(ofWord: 0) ? .head(line) : .foot(max(1, height - line))
  }

  /// Returns the line of a place, at most height - 1.
  func line(of place: RowPlace) -> Int {
    switch place {
    case .head(let line): min(line, height - 1)
    case .text(let byte, let below): min(self.line(ofWord: byte) + below, height - 1)
    case .foot(let line): max(0, height - max(1, line))
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

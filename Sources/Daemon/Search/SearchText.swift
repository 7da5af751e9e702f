/// A text as a search sees it: a sequence of tokens. Queries consist of the same tokens.
///
/// A *word* is letters, digits and marks, folded: in lower case, without the diacritics of Latin, Greek and Cyrillic,
/// with ligatures and styled letters spelt out (ﬁ, 𝐚, Ａ, ß), and at most ``wordBytes`` long. In scripts written without
/// spaces (Han, kana, Hangul, Thai and its neighbours) the tokens are *bigrams*: all pairs of adjacent characters, and
/// at the end of each run its last character alone, so 東京都 is 東京, 京都, 都. Every character therefore begins a token, and
/// no pair spans two runs.
///
/// Names with a mark before them are *facets*: `#tag`, `@handle`, `:link`. Words never contain such a mark. `:` alone
/// is a gap, which no phrase spans. O(length), in memory that is reused for the next text.
public struct SearchText: Sendable {
  /// The tokens in UTF-8, one after the other.
  public private(set) var bytes: [UInt8] = []
  /// The end of each token.
  private var ends: [Int] = []
  /// The number of characters in the run that ends the last text; 0 if it ends with a word.
  private(set) var gramsAtEnd = 0

  /// The maximum length of a word in bytes, longer than any typed word; the rest of a word is ignored.
  public static let wordBytes = 64
  /// The approximate maximum length of a name in bytes.
  public static let nameBytes = 256
  /// The maximum number of token bytes for each byte of text: ϗ is spelt και.
  private static let bytesPerByte = 3

  /// Creates a text without tokens.
  public init() {}

  /// The number of tokens.
  public var count: Int { ends.count }

  /// Returns the range of a token in the bytes. A token's number is its position in phrases.
  @inline(__always)
  public func range(_ token: Int) -> Range<Int> { (token == 0 ? 0 : ends[token &- 1])..<ends[token] }

  /// Removes the tokens.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }

  /// Adds the tokens of a text, which must be well-formed UTF-8 (``SafeText``).
  public mutating func add(words text: Span<UInt8>) {
    let table = CharacterTable.unicode
    var ends: [Int] = []
    swap(&ends, &self.ends)
    var cutter = TokenCutter(after: ends)
    bytes.append(addingCapacity: Self.bytesPerByte * text.count) { output in
      var offset = 0
      while offset < text.count {
        let byte = text[offset]
        if byte < 0x80 {
          offset &+= 1
          let letter = CharacterTable.ascii(byte)
          if letter == 0 { cutter.end(output.count) } else { cutter.add(letter: letter, to: &output) }
          continue
        }
        switch table.folded(text, at: &offset) {
        case .separator: cutter.end(output.count)
        case .ignored: break
        case .letters(let fold): cutter.add(letters: fold, to: &output)
        case .gram(let fold): cutter.add(gram: fold, to: &output)
        }
      }
      cutter.end(output.count)
    }
    self.ends = cutter.ends
    gramsAtEnd = cutter.gramsAtEnd
  }

  /// Adds a facet, unless nothing remains of its name: letters and digits folded as in words, and `_`, `-`, `.` and
  /// `@`.
  public mutating func add(facet mark: UInt8, _ name: Span<UInt8>) {
    let table = CharacterTable.unicode
    let start = bytes.count
    bytes.append(mark)
    bytes.append(addingCapacity: Self.bytesPerByte * name.count) { output in
      var offset = 0
      while offset < name.count, output.count < Self.nameBytes {
        let byte = name[offset]
        if byte < 0x80 {
          offset &+= 1
          let letter = Self.isJoint(byte) ? byte : CharacterTable.ascii(byte)
          if letter != 0 { output.append(letter) }
          continue
        }
        switch table.folded(name, at: &offset) {
        case .separator, .ignored: break
        case .letters(let fold), .gram(let fold): fold.append(to: &output)
        }
      }
    }
    if bytes.count == start + 1 { bytes.removeLast() } else { ends.append(bytes.count) }
  }

  /// Adds a gap, which no phrase spans: a facet without a name.
  public mutating func addGap() {
    bytes.append(UInt8(ascii: ":"))
    ends.append(bytes.count)
  }

  /// Returns the length of a token's first character in bytes if it is of a script without spaces, else 0.
  static func firstGram(_ token: Span<UInt8>) -> Int {
    var offset = 0
    guard token[0] >= 0x80, case .gram = CharacterTable.unicode.folded(token, at: &offset) else { return 0 }
    return offset
  }

  /// True if a name may contain the byte beside letters and digits.
  private static func isJoint(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "@"): true
    default: false
    }
  }
}

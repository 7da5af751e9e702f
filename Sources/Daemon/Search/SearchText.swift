/// A text as a search sees it: tokens in their order, which are what queries are made of too.
///
/// A *word* is letters, digits and marks; lower case, without the diacritics of Latin, Greek and Cyrillic, ligatures and styled letters
/// spelt out (ﬁ, 𝐚, Ａ, ß), at most ``wordBytes`` long. Where words are written without spaces (Han, kana, Hangul, Thai and its
/// neighbours) the tokens are *bigrams*, all pairs of neighbouring characters, and at the end of each run its last character alone:
/// 東京都 is 東京, 京都, 都. So every character begins a token, and no pair spans what lies between two runs.
///
/// Names with a mark before them are *facets*: `#tag`, `@handle`, `:link`. A word has no such mark in it. `:` alone is a gap, which no
/// phrase spans. O(length), in memory that is kept for the next text.
public struct SearchText: Sendable {
  /// The tokens, one after the other: UTF-8.
  public private(set) var bytes: [UInt8] = []
  /// Where each token ends.
  private var ends: [Int] = []
  /// How many characters the run has that the last token ends; 0 where it is a word.
  private(set) var gramsAtEnd = 0
  /// Where the token begins that is being written.
  private var start = 0
  /// Whether the token that is being written is the last character of a run.
  private var isInRun = false

  /// Bytes of a word that count; longer ones are cut there. Longer than any word that somebody types.
  public static let wordBytes = 64
  /// Bytes of a name that count.
  public static let nameBytes = 256

  /// No tokens.
  public init() {}

  /// The number of tokens.
  public var count: Int { ends.count }

  /// Where the token with this number is among the bytes. A token's number is its position in phrases.
  @inline(__always)
  public func range(_ token: Int) -> Range<Int> { (token == 0 ? 0 : ends[token - 1])..<ends[token] }

  /// Forgets the tokens.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    start = 0
    gramsAtEnd = 0
  }

  /// Adds the tokens of a text, which is well-formed UTF-8 (``SafeText``).
  public mutating func add(words text: Span<UInt8>) {
    let table = CharacterTable.unicode
    var offset = 0
    while offset < text.count {
      let byte = text[offset]
      if byte < 0x80 {
        offset &+= 1
        let letter = CharacterTable.ascii(byte)
        if letter == 0 { endToken() } else { add(letter: letter) }
        continue
      }
      switch Self.scalar(text, at: &offset).map(table.folded) ?? .separator {
      case .separator: endToken()
      case .ignored: break
      case .letter(let fold): add(letters: fold)
      case .gram(let fold): add(gram: fold)
      }
    }
    endToken()
  }

  /// Adds a facet, unless nothing of its name is left: letters and digits folded as in words, and `_`, `-`, `.` and `@`.
  public mutating func add(facet mark: UInt8, _ name: Span<UInt8>) {
    let table = CharacterTable.unicode
    bytes.append(mark)
    var offset = 0
    while offset < name.count, bytes.count - start <= Self.nameBytes {
      let byte = name[offset]
      if byte < 0x80 {
        offset &+= 1
        let letter = CharacterTable.ascii(byte)
        if letter != 0 || Self.isJoint(byte) { bytes.append(letter == 0 ? byte : letter) }
        continue
      }
      switch Self.scalar(name, at: &offset).map(table.folded) ?? .separator {
      case .separator, .ignored: break
      case .letter(let fold), .gram(let fold): append(fold)
      }
    }
    if bytes.count == start + 1 { bytes.removeLast() }
    endToken()
  }

  /// Adds what no phrase spans: a facet without a name.
  public mutating func addGap() {
    bytes.append(UInt8(ascii: ":"))
    endToken()
  }

  @inline(__always)
  private mutating func add(letter: UInt8) {
    if isInRun { endToken() }
    if bytes.count &- start < Self.wordBytes { bytes.append(letter) }
  }

  private mutating func add(letters fold: UInt64) {
    if isInRun { endToken() }
    if bytes.count - start + Int(fold >> 56) <= Self.wordBytes { append(fold) }
  }

  private mutating func add(gram fold: UInt64) {
    let length = isInRun ? gramsAtEnd : 0
    if isInRun { append(fold) }
    endToken()
    append(fold)
    isInRun = true
    gramsAtEnd = length + 1
  }

  @inline(__always)
  private mutating func endToken() {
    guard bytes.count > start else { return }
    ends.append(bytes.count)
    start = bytes.count
    if !isInRun { gramsAtEnd = 0 }
    isInRun = false
  }

  private mutating func append(_ fold: UInt64) {
    var rest = fold
    for _ in 0..<fold >> 56 {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  /// Whether the byte may be in a name beside letters and digits.
  private static func isJoint(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "@"): true
    default: false
    }
  }

  /// The code point at `offset`, whose first byte is not ASCII, and moves behind it. Nil where the bytes are none, or too few.
  static func scalar(_ text: Span<UInt8>, at offset: inout Int) -> Unicode.Scalar? {
    let lead = text[offset]
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard lead >= 0xC0, offset + length <= text.count else {
      offset += 1
      return nil
    }
    var value = UInt32(lead) & (0x7F >> UInt32(length))
    for index in offset + 1..<offset + length { value = value << 6 | UInt32(text[index] & 0x3F) }
    offset += length
    return Unicode.Scalar(value)
  }
}

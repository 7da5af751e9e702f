/// The tokens of a text as in ``SearchText``, each with the bytes of the text it was cut from.
struct LocatedTokens {
  /// A token in its folded form.
  struct Token: Equatable {
    var folded: [UInt8]
    /// Its characters in the text, as bytes; for a pair of characters, both.
    var range: Range<Int>
  }

  private(set) var tokens: [Token] = []
  private var word: Token?
  /// The last character of the run that is being read, which begins a token.
  private var gram: Token?

  /// Cuts a text, which should be well-formed UTF-8. O(length).
  init(_ text: Span<UInt8>) {
    let table = CharacterTable.unicode
    var offset = 0
    while offset < text.count {
      let start = offset
      if text[start] < 0x80 {
        offset += 1
        let letter = CharacterTable.ascii(text[start])
        if letter == 0 { end() } else { add(letters: [letter], start..<offset) }
        continue
      }
      switch table.folded(text, at: &offset) {
      case .separator: end()
      case .ignored: if let word { self.word?.range = word.range.lowerBound..<offset }
      case .letters(let fold): add(letters: Self.bytes(fold), start..<offset)
      case .gram(let fold): add(gram: Self.bytes(fold), start..<offset)
      }
    }
    end()
  }

  private static func bytes(_ fold: Fold) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(addingCapacity: 8) { fold.append(to: &$0) }
    return bytes
  }

  private mutating func add(letters: [UInt8], _ range: Range<Int>) {
    if gram != nil { end() }
    var word = word ?? Token(folded: [], range: range.lowerBound..<range.lowerBound)
    if word.folded.count + letters.count <= SearchText.wordBytes { word.folded += letters }
    word.range = word.range.lowerBound..<range.upperBound
    self.word = word
  }

  private mutating func add(gram next: [UInt8], _ range: Range<Int>) {
    if word != nil { end() }
    if let gram {
      tokens.append(Token(folded: gram.folded + next, range: gram.range.lowerBound..<range.upperBound))
    }
    gram = Token(folded: next, range: range)
  }

  private mutating func end() {
    if let word { tokens.append(word) }
    if let gram { tokens.append(gram) }
    (word, gram) = (nil, nil)
  }
}

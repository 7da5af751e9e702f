/// What a post must have, or must not have: a word, a phrase or a facet, as the tokens that follow one another in its
/// ``SearchText``.
public struct SearchTerm: Hashable, Sendable {
  /// At least one.
  public let tokens: [[UInt8]]
  /// Whether the last token is only the beginning of one: a single character of a script without spaces.
  public let isPrefix: Bool

  /// The tokens of what somebody is looking for; nil where there are none in it.
  ///
  /// The run that a text ends with may go on in the post, so its last character needs no token of its own: 東京 is found
  /// in 東京都.
  init?(words: [UInt8]) {
    var text = SearchText()
    text.add(words: words.span)
    guard text.count > 0 else { return nil }
    let isWithinRun = text.gramsAtEnd > 1
    isPrefix = text.gramsAtEnd == 1
    tokens = (0..<text.count - (isWithinRun ? 1 : 0)).map { Array(text.bytes[text.range($0)]) }
  }

  /// A facet; nil where nothing of its name is left.
  init?(facet mark: UInt8, _ name: [UInt8]) {
    var text = SearchText()
    text.add(facet: mark, name.span)
    guard text.count > 0 else { return nil }
    tokens = [text.bytes]
    isPrefix = false
  }

  /// Whether it is a facet and not made of words.
  var isFacet: Bool { CharacterTable.ascii(tokens[0][0]) == 0 && tokens[0][0] < 0x80 }

  /// How a query spells it: what is parsed as the same term again.
  var spelling: String {
    if tokens[0] == [Facet.has] + Facet.link { return "has:link" }
    if isFacet { return String(decoding: tokens[0], as: UTF8.self) }
    var pieces: [String] = []
    var run = ""
    for (index, token) in tokens.enumerated() {
      let text = String(decoding: token, as: UTF8.self).unicodeScalars
      guard SearchText.firstGram(token.span) > 0 else {
        pieces.append(String(text))
        continue
      }
      run.unicodeScalars.append(text.first!)
      if text.count == 1 {
        pieces.append(run)
        run = ""
      } else if index == tokens.count - 1 {
        run.unicodeScalars.append(text.last!)
      }
    }
    if !run.isEmpty { pieces.append(run) }
    return pieces.count == 1 ? pieces[0] : "\"\(pieces.joined(separator: " "))\""
  }
}

/// A word, phrase or facet that a post must or must not have, as consecutive tokens of its ``SearchText``.
public struct SearchTerm: Hashable, Sendable {
  /// At least one.
  public let tokens: [[UInt8]]
  /// True if the last token is only the beginning of a token: a single character of a script without spaces.
  public let isPrefix: Bool

  /// Creates the term of a typed text; nil if the text has no tokens.
  ///
  /// The run at the end of a text may continue in the post, so its last character needs no token of its own: 東京 is
  /// found in 東京都.
  init?(words: [UInt8]) {
    var text = SearchText()
    text.add(words: words.span)
    guard text.count > 0 else { return nil }
    let isWithinRun = text.gramsAtEnd > 1
    isPrefix = text.gramsAtEnd == 1
    tokens = (0..<text.count - (isWithinRun ? 1 : 0)).map { Array(text.bytes[text.range($0)]) }
  }

  /// Creates a facet; nil if nothing remains of its name.
  init?(facet mark: UInt8, _ name: [UInt8]) {
    var text = SearchText()
    text.add(facet: mark, name.span)
    guard text.count > 0 else { return nil }
    tokens = [text.bytes]
    isPrefix = false
  }

  /// Creates the facet with this token.
  init(token: [UInt8]) {
    tokens = [token]
    isPrefix = false
  }

  /// True for a facet, false for words.
  var isFacet: Bool { CharacterTable.ascii(tokens[0][0]) == 0 && tokens[0][0] < 0x80 }

  /// The spelling in a query, which parses to the same term.
  var spelling: String {
    if tokens[0] == [Facet.has] + Facet.link { return "has:link" }
    if let keptState { return "is:\(keptState)" }
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

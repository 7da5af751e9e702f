/// Cuts a text into tokens as its characters arrive. Bytes go to an output; the ends of tokens are recorded here.
struct TokenCutter {
  /// The end of each token.
  private(set) var ends: [Int]
  /// The number of characters in the run that the last token ends; 0 if that token is a word.
  private(set) var gramsAtEnd = 0
  /// The offset at which the output begins.
  private let base: Int
  /// The start of the current token in the output.
  private var start = 0
  /// The number of characters in the run that the current token ends; 0 for a word.
  private var grams = 0

  /// Continues after earlier tokens.
  init(after ends: consuming [Int]) {
    base = ends.last ?? 0
    self.ends = ends
  }

  /// Adds an ASCII letter or digit in lower case.
  @inline(__always)
  mutating func add(letter: UInt8, to output: inout OutputSpan<UInt8>) {
    if grams > 0 { end(output.count) }
    if output.count &- start < SearchText.wordBytes { output.append(letter) }
  }

  /// Adds the folded form of a character of a word.
  @inline(__always)
  mutating func add(letters: Fold, to output: inout OutputSpan<UInt8>) {
    if grams > 0 { end(output.count) }
    if output.count &- start &+ letters.count <= SearchText.wordBytes { letters.append(to: &output) }
  }

  /// Adds a character of a run: to the token of the previous character, which it ends, and as a new token.
  @inline(__always)
  mutating func add(gram: Fold, to output: inout OutputSpan<UInt8>) {
    let run = grams &+ 1
    if grams > 0 { gram.append(to: &output) }
    end(output.count)
    gram.append(to: &output)
    grams = run
  }

  /// Ends the current token, if any; the output has `count` bytes.
  @inline(__always)
  mutating func end(_ count: Int) {
    guard count > start else { return }
    ends.append(base &+ count)
    start = count
    gramsAtEnd = grams
    grams = 0
  }
}

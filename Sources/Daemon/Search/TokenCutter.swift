/// Cuts a text into tokens while its characters come in: bytes go to an output, the ends of tokens are kept here.
struct TokenCutter {
  /// Where each token ends.
  private(set) var ends: [Int]
  /// How many characters the run has that the last token ends; 0 where it is a word.
  private(set) var gramsAtEnd = 0
  /// Where the output begins.
  private let base: Int
  /// Where the token begins that is being written, in the output.
  private var start = 0
  /// How many characters the run has of which that token is the last; 0 for a word.
  private var grams = 0

  /// Goes on behind earlier tokens.
  init(behind ends: consuming [Int]) {
    base = ends.last ?? 0
    self.ends = ends
  }

  /// Adds a letter or digit of ASCII in lower case.
  @inline(__always)
  mutating func add(letter: UInt8, to output: inout OutputSpan<UInt8>) {
    if grams > 0 { end(output.count) }
    if output.count &- start < SearchText.wordBytes { output.append(letter) }
  }

  /// Adds what a character of a word is folded to.
  @inline(__always)
  mutating func add(letters: Fold, to output: inout OutputSpan<UInt8>) {
    if grams > 0 { end(output.count) }
    if output.count &- start &+ letters.count <= SearchText.wordBytes { letters.append(to: &output) }
  }

  /// Adds a character of a run: to the token of the one before, which it ends, and as a token of its own.
  @inline(__always)
  mutating func add(gram: Fold, to output: inout OutputSpan<UInt8>) {
    let run = grams &+ 1
    if grams > 0 { gram.append(to: &output) }
    end(output.count)
    gram.append(to: &output)
    grams = run
  }

  /// Ends the token that is being written, if there is one; the output has `count` bytes.
  @inline(__always)
  mutating func end(_ count: Int) {
    guard count > start else { return }
    ends.append(base &+ count)
    start = count
    gramsAtEnd = grams
    grams = 0
  }
}

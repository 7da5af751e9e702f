/// A character as patterns see it: folded as in a search if it is part of a word, otherwise unchanged.
struct FoldedScalar: Equatable {
  /// The code point.
  let value: UInt32
  /// True for a letter, a digit, a spacing mark or `_`.
  let isWord: Bool

  /// Folds an ASCII character.
  @inline(__always)
  init(ascii byte: UInt8) {
    let letter = CharacterTable.ascii(byte)
    value = UInt32(letter == 0 ? byte : letter)
    isWord = letter != 0 || byte == UInt8(ascii: "_")
  }

  @inline(__always)
  init(_ value: UInt32, isWord: Bool) {
    self.value = value
    self.isWord = isWord
  }

  /// Returns the folded form of a character: empty for marks on letters and the like, two scalars for ß, at most seven.
  static func folding(_ scalar: Unicode.Scalar) -> [FoldedScalar] {
    if scalar.isASCII { return [FoldedScalar(ascii: UInt8(scalar.value))] }
    let bytes = Array(UTF8.encode(scalar)!)
    var offset = 0
    switch CharacterTable.unicode.folded(bytes.span, at: &offset) {
    case .separator: return [FoldedScalar(scalar.value, isWord: false)]
    case .ignored: return []
    case .letters(var fold), .gram(var fold):
      var scalars: [FoldedScalar] = []
      while let value = fold.popScalar() { scalars.append(FoldedScalar(value, isWord: true)) }
      return scalars
    }
  }
}

extension Fold {
  /// Removes and returns the first scalar; nil if none is left.
  @inline(__always)
  mutating func popScalar() -> UInt32? {
    guard count > 0 else { return nil }
    let lead = UInt32(truncatingIfNeeded: bits & 0xFF)
    let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    var value = length == 1 ? lead : lead & 0x7F >> UInt32(length)
    for index in 1..<4 where index < length {
      value = value << 6 | UInt32(truncatingIfNeeded: bits >> (8 * UInt64(index)) & 0x3F)
    }
    let rest = (bits & 0x00FF_FFFF_FFFF_FFFF) >> (8 * UInt64(length))
    self = Fold(bits: rest | UInt64(count - length) << 56)
    return value
  }
}

/// How a locale writes whole numbers, and which it counts in the same grammatical form.
struct Numerals: Sendable {
  private let digits: [Unicode.Scalar]
  /// Returns the plural category of a whole number.
  let plural: @Sendable (Int64) -> PluralCategory

  /// Numbers whose digit 0 is `zero`; the other nine follow it in Unicode.
  init(zero: Unicode.Scalar, plural: @escaping @Sendable (Int64) -> PluralCategory) {
    digits = (0...9).compactMap { Unicode.Scalar(zero.value + $0) }
    self.plural = plural
  }

  /// Returns a number in the locale's digits, of which there are at least so many.
  func text(_ value: Int, digits count: Int = 1) -> String {
    var text = String(value.magnitude)
    while text.utf8.count < count { text = "0" + text }
    if digits.first != "0" {
      var translated = String.UnicodeScalarView()
      for digit in text.utf8 { translated.append(digits[Int(digit - 0x30)]) }
      text = String(translated)
    }
    return value < 0 ? "-" + text : text
  }
}

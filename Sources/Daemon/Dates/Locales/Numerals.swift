/// The digits of a locale and its plural rule.
struct Numerals: Sendable {
  private let digits: [Unicode.Scalar]
  /// Returns the plural category of a whole number.
  let plural: @Sendable (Int64) -> PluralCategory

  /// Creates the numerals whose digit 0 is `zero`; the other nine digits follow it in Unicode.
  init(zero: Unicode.Scalar, plural: @escaping @Sendable (Int64) -> PluralCategory) {
    digits = (0...9).compactMap { Unicode.Scalar(zero.value + $0) }
    self.plural = plural
  }

  /// Returns a number in the locale's digits, at least `count` of them.
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

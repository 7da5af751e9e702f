/// Emoji sequences as defined by UTS #51 (ED-17 of revision 25), by the Unicode properties in the standard library.
enum Emoji {
  /// Returns the end of the emoji that begins at `index`; nil if none does.
  static func end(in text: ScalarText, from index: Int) -> Int? {
    let first = text.scalars[index]
    if first.value < 0x80 {
      guard first.isASCIIDigit || first == "#" || first == "*" else { return nil }
      let key = text[index + 1]?.value == 0xFE0F ? index + 2 : index + 1
      return text[key]?.value == 0x20E3 ? key + 1 : nil
    }
    if isFlagLetter(first) {
      if let second = text[index + 1], isFlagLetter(second) { return index + 2 }
      return index + 1
    }
    guard let element = element(in: text, from: index) else { return nil }
    var (end, isShown) = (element.end, element.isShown)
    while text[end]?.value == 0x200D, let next = Self.element(in: text, from: end + 1) {
      (end, isShown) = (next.end, true)
    }
    return isShown ? end : nil
  }

  /// Returns the end of an emoji element, alone or in a joined sequence, and whether it is displayed as an emoji when
  /// alone.
  private static func element(in text: ScalarText, from index: Int) -> (end: Int, isShown: Bool)? {
    guard let base = text[index], base.value >= 0x80, base.properties.isEmoji else { return nil }
    var end = index + 1
    var isShown = base.properties.isEmojiPresentation
    if let next = text[end] {
      if next.value == 0xFE0F || (next.properties.isEmojiModifier && base.properties.isEmojiModifierBase) {
        end += 1
        isShown = true
      }
    }
    let tags = text.end(from: end) { (0xE0020...0xE007E).contains($0.value) }
    if tags > end, text[tags]?.value == 0xE007F { end = tags + 1 }
    return (end, isShown)
  }

  private static func isFlagLetter(_ scalar: Unicode.Scalar) -> Bool { (0x1F1E6...0x1F1FF).contains(scalar.value) }
}

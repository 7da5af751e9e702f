/// Finds mentions, hashtags and links in the text of a post written here, as twitter-text does. Its published cases are
/// part of the tests.
///
/// - A mention is "@" and letters, digits or "_", optionally followed by "@host".
/// - A hashtag is "#" and letters, marks, digits or "_" of any script, with at least one letter.
/// - Neither begins in the middle of a word.
/// - A link begins with `http://` or `https://`, or is a host that ends in an existing top-level domain. Parentheses
///   after it belong to it, closing punctuation does not.
/// - Of overlapping spans, the first counts.
///
/// Unlike in twitter-text, `@name@host` mentions an account at another server, names can have any length, and a host
/// after a scheme may be known only to its own network. O(n).
public enum TextSpans {
  /// Returns the spans of `text`, in order.
  public static func find(in text: SafeText) -> [Span] {
    guard mayHaveSpans(text.utf8) else { return [] }
    let scalars = ScalarText(text.string)
    func target(_ range: Range<Int>, _ prefix: String = "") -> SafeText {
      SafeText(trusted: Array(prefix.utf8) + text.utf8[scalars.bytes(range)])
    }
    var found: [(range: Range<Int>, span: Span)] = []
    for link in LinkFinder.find(in: scalars, takesAnyHost: true) {
      let target = target(link.range, link.hasScheme ? "" : "https://")
      found.append((link.range, Span(kind: .link, range: scalars.bytes(link.range), target: target)))
    }
    for tag in hashtags(in: scalars) {
      found.append((tag, Span(kind: .hashtag, range: scalars.bytes(tag), target: target(tag.dropFirst()))))
    }
    for mention in mentions(in: scalars) {
      found.append((mention, Span(kind: .mention, range: scalars.bytes(mention), target: target(mention.dropFirst()))))
    }
    found.sort { $0.range.lowerBound < $1.range.lowerBound }
    var spans: [Span] = []
    var end = 0
    for (range, span) in found where range.lowerBound >= end {
      spans.append(span)
      end = range.upperBound
    }
    return spans
  }

  /// True if the text may contain a span; most texts contain none.
  private static func mayHaveSpans(_ bytes: [UInt8]) -> Bool {
    for (index, byte) in bytes.enumerated() {
      switch byte {
      // "@", "#", ":", and the first byte of the fullwidth forms of "@" and "#".
      case 0x40, 0x23, 0xEF: return true
      case 0x3A where index + 1 < bytes.count && bytes[index + 1] == 0x2F: return true
      // A "." inside a host has a byte of the host after it.
      case 0x2E where index + 1 < bytes.count && bytes[index + 1] > 0x2E: return true
      default: break
      }
    }
    return false
  }

  /// Returns the hashtags, including their sign.
  private static func hashtags(in text: ScalarText) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var end = 0
    for start in 0..<text.count where text.scalars[start].isHashSign {
      guard start == 0 || start > end || end == 0 else { continue }
      if start > 0, case let before = text.scalars[start - 1] {
        if before == "&" || (before.isTag && !(0xFE0E...0xFE0F).contains(before.value)) { continue }
      }
      if let next = text[start + 1], next.value == 0xFE0F || next.value == 0x20E3 { continue }
      let last = text.end(from: start + 1) { $0.isTag }
      guard text.scalars[start + 1..<last].contains(where: { $0.isASCIILetter || ($0.value >= 0x80 && $0.isTagLetter) })
      else { continue }
      end = last
      if text[last]?.isHashSign != true, !text.has("://", at: last) { found.append(start..<last) }
    }
    return found
  }

  /// Returns the mentions, including their sign.
  private static func mentions(in text: ScalarText) -> [Range<Int>] {
    var found: [Range<Int>] = []
    for start in 0..<text.count where text.scalars[start].isAtSign && mayMention(text, at: start) {
      let name = text.end(from: start + 1) { $0.isName }
      guard name > start + 1 else { continue }
      if text[name] == "@", let host = host(in: text, from: name + 1) {
        found.append(start..<host)
        continue
      }
      // With the name of a list after it, it refers to that list.
      if text[name] == "/", let first = text[name + 1], first.isASCIILetter { continue }
      if let next = text[name], next.isAtSign || next.isLatinAccent { continue }
      if !text.has("://", at: name) { found.append(start..<name) }
    }
    return found
  }

  /// True if a sign at `index` may begin a mention after the text before it: not inside a word, except after "RT".
  private static func mayMention(_ text: ScalarText, at index: Int) -> Bool {
    guard let before = text[index - 1] else { return true }
    if !(before.isName || before.isAtSign || "!#$%&*".unicodeScalars.contains(before)) { return true }
    guard text.has("rt", at: max(0, index - 2)), index >= 2 else { return false }
    guard let ahead = text[index - 3] else { return true }
    return !(ahead.isName || "+~.-".unicodeScalars.contains(ahead))
  }

  /// Returns the end of the host in a mention of an account at another server; nil if there is none.
  private static func host(in text: ScalarText, from start: Int) -> Int? {
    var end = text.end(from: start) { $0.isName || $0 == "." || $0 == "-" }
    while end > start, !text.scalars[end - 1].isName { end -= 1 }
    return end > start && text.scalars[start].isName ? end : nil
  }

  static func isWord(_ byte: UInt8) -> Bool { byte >= 0x80 || AccountName.isNameByte(byte) }
}

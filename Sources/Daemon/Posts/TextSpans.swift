/// Finds mentions, hashtags and links in the text of a post that was written here.
///
/// A link is `http://` or `https://` up to white space, without closing punctuation. A mention is "@" and letters, digits or "_"
/// (then perhaps "@host"), a hashtag "#" and letters, digits, "_" or anything beyond ASCII, with at least one that is no digit;
/// neither begins in the middle of a word. O(n).
public enum TextSpans {
  /// The spans of `text`, in order.
  public static func find(in text: SafeText) -> [Span] {
    var spans: [Span] = []
    let bytes = text.utf8
    var index = 0
    while index < bytes.count {
      let atWordStart = index == 0 || !isWord(bytes[index - 1])
      let span = atWordStart ? link(bytes, index) ?? mention(bytes, index) ?? hashtag(bytes, index) : nil
      if let span { spans.append(span) }
      index = span?.range.upperBound ?? index + 1
    }
    return spans
  }

  private static func link(_ bytes: [UInt8], _ start: Int) -> Span? {
    guard ["http://", "https://"].contains(where: { bytes[start...].starts(with: $0.utf8) }) else { return nil }
    var end = start
    while end < bytes.count, bytes[end] > 0x20 { end += 1 }
    while end > start, closing.contains(bytes[end - 1]) { end -= 1 }
    guard end - start > 8 else { return nil }
    return Span(kind: .link, range: start..<end, target: SafeText(trusted: Array(bytes[start..<end])))
  }

  private static func mention(_ bytes: [UInt8], _ start: Int) -> Span? {
    guard bytes[start] == UInt8(ascii: "@") else { return nil }
    var end = start + 1
    while end < bytes.count, isName(bytes[end]) { end += 1 }
    guard end > start + 1 else { return nil }
    if end + 1 < bytes.count, bytes[end] == UInt8(ascii: "@"), isName(bytes[end + 1]) {
      end += 1
      while end < bytes.count, isName(bytes[end]) || bytes[end] == UInt8(ascii: ".") || bytes[end] == UInt8(ascii: "-") { end += 1 }
      while closing.contains(bytes[end - 1]) { end -= 1 }
    }
    return Span(kind: .mention, range: start..<end, target: SafeText(trusted: Array(bytes[start + 1..<end])))
  }

  private static func hashtag(_ bytes: [UInt8], _ start: Int) -> Span? {
    guard bytes[start] == UInt8(ascii: "#") else { return nil }
    var end = start + 1
    while end < bytes.count, isWord(bytes[end]) { end += 1 }
    let tag = bytes[start + 1..<end]
    guard tag.contains(where: { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
    return Span(kind: .hashtag, range: start..<end, target: SafeText(trusted: Array(tag)))
  }

  private static let closing = Set(".,;:!?)]}'\"".utf8)

  private static func isName(_ byte: UInt8) -> Bool { AccountName.isNameByte(byte) }

  static func isWord(_ byte: UInt8) -> Bool { byte >= 0x80 || isName(byte) }
}

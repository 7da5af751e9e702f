internal import HTTPSupport
internal import Ingest
internal import Posts

/// Makes the text of a post from the title and the text of an item.
enum ItemText {
  /// The longest title, and the longest text with it, in bytes; what is longer is cut at a word and ends in "…".
  static let titleBytes = 300
  static let textBytes = 16 << 10
  /// The most links of a text, and the most bytes of their addresses; the text of a link beyond stays without it. So a
  /// post has less than ``PostBody/byteLimit``, and the line of its batch less than a line may have.
  static let linkLimit = 1_000
  static let linkBytes = 32 << 10

  /// Returns a text as one harmless line.
  static func line(_ text: FeedText?, limit: Int = titleBytes) -> SafeText {
    guard let text else { return .empty }
    let bytes = text.isHTML ? HTMLText.read(text.bytes, limit: textBytes) { _ in nil }.bytes : beginning(text.bytes)
    let words = SafeText(line: bytes).utf8.split(separator: 0x20).joined(separator: [0x20])
    return SafeText(trusted: cut(Array(words), limit: limit))
  }

  /// Returns the title, an empty line and the text; or one of them, if the other is missing or says the same.
  ///
  /// - Parameter base: the address against which links are resolved.
  static func post(title: FeedText?, text: FeedText?, base: WebURL) -> (text: SafeText, spans: [Span]) {
    let title = line(title).utf8
    let (body, spans) = self.body(text, base: base)
    guard !body.utf8.isEmpty else { return (SafeText(trusted: title), []) }
    guard !title.isEmpty, !repeats(title, body.utf8) else { return limited(body.utf8, spans) }
    let front = title + [0x0A, 0x0A]
    let moved = spans.map { $0.moved(by: front.count) }
    return limited(front + body.utf8, moved)
  }

  private static func body(_ text: FeedText?, base: WebURL) -> (SafeText, [Span]) {
    guard let text else { return (.empty, []) }
    guard text.isHTML else {
      let plain = SafeText(sanitizing: beginning(text.bytes))
      return (plain, TextSpans.find(in: plain))
    }
    var remaining = linkBytes
    var marked = HTMLText.read(text.bytes, limit: textBytes) { target in
      guard remaining > 0, let link = link(target, base: base) else { return nil }
      remaining -= link.count
      return remaining >= 0 ? link : nil
    }
    marked.trimEnd()
    return marked.finished()
  }

  /// Returns as much of a text as is more than can be shown, however much of it cleaning leaves out.
  private static func beginning(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.prefix(textBytes * 4)) }

  /// Returns where a link leads: http and https, resolved, and mail.
  private static func link(_ target: [UInt8], base: WebURL) -> [UInt8]? {
    if String(decoding: target.prefix(7), as: UTF8.self).lowercased() == "mailto:" {
      let link = SafeText(line: target.prefix(WebURL.limitBytes)).utf8
      return link.count < WebURL.limitBytes ? link : nil
    }
    return base.resolving(target).map { Array($0.text.utf8) }
  }

  /// True if a text begins with the title, which may have been cut.
  private static func repeats(_ title: [UInt8], _ body: [UInt8]) -> Bool {
    var title = title[...]
    for end in [Array("…".utf8), Array("...".utf8)] where title.count > end.count && title.suffix(end.count) == end[...]
    {
      title = title.dropLast(end.count)
    }
    let words = body.lazy.map { $0 == 0x0A ? 0x20 : $0 }
    return words.starts(with: title)
  }

  private static func limited(_ bytes: [UInt8], _ spans: [Span]) -> (SafeText, [Span]) {
    let spans = spans.prefix(linkLimit)
    guard bytes.count > textBytes else { return (SafeText(trusted: bytes), Array(spans)) }
    let shown = cut(bytes, limit: textBytes)
    return (SafeText(trusted: shown), spans.filter { $0.range.upperBound <= shown.count - 3 })
  }

  /// Cuts a text to at most `limit` bytes, if possible between words.
  private static func cut(_ bytes: [UInt8], limit: Int) -> [UInt8] {
    guard bytes.count > limit else { return bytes }
    var end = limit - 3
    if let space = bytes[(end / 2)..<end].lastIndex(where: { $0 == 0x20 || $0 == 0x0A }) {
      end = space
    } else {
      while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    }
    return bytes[..<end] + Array("…".utf8)
  }
}

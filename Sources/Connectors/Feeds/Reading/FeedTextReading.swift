internal import Codecs

/// How elements hold texts.
extension XMLElement {
  /// The text of an element of RSS: its content with references decoded once; markup that should have been escaped is
  /// kept as markup.
  var plainText: [UInt8] { Self.trim(hasElements ? markup : ownText) }

  /// The text of an element of RSS, which may be HTML wherever a person reads it; nil if it is empty.
  var rssText: FeedText? {
    let text = plainText
    return text.isEmpty ? nil : FeedText(bytes: text, isHTML: true)
  }

  /// The text construct of Atom (RFC 4287, section 3.1; Atom 0.3, section 3.1), or content of a media type that is
  /// text; nil if it is empty or of another type.
  var atomText: FeedText? {
    let type = String(decoding: attribute("type") ?? [], as: UTF8.self).lowercased()
    let mode = String(decoding: attribute("mode") ?? [], as: UTF8.self).lowercased()
    let text: FeedText
    switch (type, mode) {
    case (_, "base64"):
      text = FeedText(bytes: Self.trim(Self.base64(ownText) ?? ownText), isHTML: type != "" && type != "text/plain")
    case ("xhtml", _), ("application/xhtml+xml", ""), ("application/xhtml+xml", "xml"):
      text = FeedText(bytes: Self.trim(inDivision.markup), isHTML: true)
    case ("", _), ("text", _), ("text/plain", _):
      // Many feeds write markup without declaring its type.
      text = FeedText(bytes: plainText, isHTML: hasElements || mode == "xml")
    case ("html", _), ("text/html", _), ("application/xhtml+xml", _):
      text = FeedText(bytes: hasElements ? Self.trim(inDivision.markup) : plainText, isHTML: true)
    case let (type, _) where type.hasPrefix("text/"): text = FeedText(bytes: plainText, isHTML: false)
    case let (type, _) where type.hasSuffix("xml"): text = FeedText(bytes: Self.trim(markup), isHTML: true)
    default:
      // RFC 4287, section 4.1.3.3: everything else is in base64.
      guard let decoded = Self.base64(ownText) else { return nil }
      text = FeedText(bytes: Self.trim(decoded), isHTML: false)
    }
    return text.bytes.isEmpty ? nil : text
  }

  /// The `div` that is the whole content, as XHTML has it, or the element itself.
  private var inDivision: XMLElement {
    let elements = children
    guard elements.count == 1, elements[0].name.word == "div", Self.trim(ownText).isEmpty else { return self }
    return elements[0]
  }

  /// Removes white space from both ends.
  static func trim(_ text: [UInt8]) -> [UInt8] {
    guard let start = text.firstIndex(where: { $0 > 0x20 }), let end = text.lastIndex(where: { $0 > 0x20 }) else {
      return []
    }
    return Array(text[start...end])
  }

  /// Decodes base64, with white space anywhere, that holds well-formed UTF-8; nil for anything else.
  private static func base64(_ text: [UInt8]) -> [UInt8]? {
    Base64.decode(text.filter { $0 > 0x20 }).flatMap { String(validating: $0, as: UTF8.self) == nil ? nil : $0 }
  }
}

/// An HTML tag with its name and the attributes that statuses and pages of feeds need.
package struct HTMLTag {
  /// In lower case.
  package var name: String
  var isEnd: Bool
  package var href: [UInt8] = []
  /// The words of `rel`, and the media type, in lower case.
  package var relations: [String] = []
  package var type = ""
  var classes: [Substring] = []
  var alt: [UInt8] = []
  /// `start` of `ol` or `value` of `li`.
  var number: Int?

  /// Reads the tag at the `<` of `position` and returns it with the position after it; nil if the `<` is text.
  ///
  /// Comments, declarations and processing instructions are tags without a name. An unclosed tag extends to the end.
  static func read(_ html: [UInt8], at position: Int) -> (tag: HTMLTag, end: Int)? {
    guard position + 1 < html.count else { return nil }
    let next = html[position + 1]
    if next == UInt8(ascii: "!") || next == UInt8(ascii: "?") {
      return (HTMLTag(name: "", isEnd: false), skipDeclaration(html, position))
    }
    let isEnd = next == UInt8(ascii: "/")
    var at = position + (isEnd ? 2 : 1)
    guard at < html.count, isLetter(html[at]) else { return nil }
    let nameStart = at
    while at < html.count, !isSpace(html[at]), html[at] != UInt8(ascii: ">"), html[at] != UInt8(ascii: "/") { at += 1 }
    var tag = HTMLTag(name: String(decoding: html[nameStart..<at], as: UTF8.self).lowercased(), isEnd: isEnd)
    while at < html.count, html[at] != UInt8(ascii: ">") { tag.readAttribute(html, &at) }
    return (tag, min(at + 1, html.count))
  }

  private static func skipDeclaration(_ html: [UInt8], _ position: Int) -> Int {
    let isComment = html[position...].starts(with: "<!--".utf8)
    var at = position + (isComment ? 4 : 2)
    while at < html.count {
      if html[at] == UInt8(ascii: ">") {
        if !isComment || (html[at - 1] == UInt8(ascii: "-") && html[at - 2] == UInt8(ascii: "-")) { return at + 1 }
      }
      at += 1
    }
    return html.count
  }

  private mutating func readAttribute(_ html: [UInt8], _ at: inout Int) {
    while at < html.count, Self.isSpace(html[at]) || html[at] == UInt8(ascii: "/") { at += 1 }
    let nameStart = at
    while at < html.count, !Self.isSpace(html[at]), html[at] != UInt8(ascii: "="), html[at] != UInt8(ascii: ">"),
      html[at] != UInt8(ascii: "/") || at == nameStart
    { at += 1 }
    let name = String(decoding: html[nameStart..<at], as: UTF8.self).lowercased()
    while at < html.count, Self.isSpace(html[at]) { at += 1 }
    guard at < html.count, html[at] == UInt8(ascii: "=") else { return }
    at += 1
    while at < html.count, Self.isSpace(html[at]) { at += 1 }
    let value = Self.attributeValue(html, &at)
    switch name {
    case "href": href = value
    case "alt": alt = value
    case "class": classes = String(decoding: value, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    case "rel":
      relations = String(decoding: value, as: UTF8.self).lowercased().split(whereSeparator: \.isWhitespace).map(
        String.init)
    case "type":
      let type = String(decoding: value.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
      self.type = type.lowercased().filter { !$0.isWhitespace }
    case "start", "value": number = Int(String(decoding: value, as: UTF8.self))
    default: break
    }
  }

  private static func attributeValue(_ html: [UInt8], _ at: inout Int) -> [UInt8] {
    guard at < html.count else { return [] }
    let quote = html[at]
    let quoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    if quoted { at += 1 }
    let start = at
    while at < html.count, quoted ? html[at] != quote : !isSpace(html[at]) && html[at] != UInt8(ascii: ">") { at += 1 }
    var value: [UInt8] = []
    Entities.appendDecoded(html, start..<at, to: &value)
    if quoted, at < html.count { at += 1 }
    return value
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  /// HTML's white space: tab, line feed, form feed, carriage return, space.
  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) && byte != 0x0B }
}

extension HTMLText {
  /// Returns the start tags with these names, in lower case, in the order of a page. Scripts and styles are passed over.
  /// O(length).
  package static func tags(in html: [UInt8], named names: Set<String>) -> [HTMLTag] {
    var tags: [HTMLTag] = []
    var position = 0
    var raw: String?
    while let start = html[position...].firstIndex(of: UInt8(ascii: "<")) {
      // Within a script only its own end is a tag.
      let isText =
        raw.map { !html[(start + 1)...].prefix($0.utf8.count + 1).map { $0 | 0x20 }.elementsEqual("/\($0)".utf8) }
        ?? false
      guard !isText, let (tag, end) = HTMLTag.read(html, at: start) else {
        position = start + 1
        continue
      }
      raw = nil
      if !tag.isEnd, tag.name == "script" || tag.name == "style" { raw = tag.name }
      if !tag.isEnd, names.contains(tag.name) { tags.append(tag) }
      position = end
    }
    return tags
  }
}

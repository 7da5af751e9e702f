internal import Posts

/// Converts the HTML of a status or an article to plain text with marks.
///
/// Paragraphs are separated by an empty line and `br` is a line feed. List items begin with a bullet or their number,
/// quoted lines with "> ". A link is its visible part (with "…" where it was cut), and its `href` becomes the target.
/// Unknown tags are dropped but not their text, and references are decoded. Any input is accepted, with unclosed,
/// misnested and truncated tags. O(length).
package struct HTMLText {
  /// An account that the status mentions, so that a mention can target the full handle.
  package struct Mentioned {
    /// The link of the mention.
    var url: String
    /// Without the first "@".
    var handle: String
  }

  /// An open element.
  private struct Open {
    var name: String
    var effect: Effect
  }

  private enum Effect {
    case none
    case hidden
    case ellipsis
    case anchor(href: [UInt8], kind: Posts.Span.Kind, start: Int?)
    case quote
    case list(ordered: Bool, next: Int)
    case preformatted
  }

  /// Deeper elements are ignored, but not their text.
  private static let maximumDepth = 64

  private let mentioned: [Mentioned]
  private let link: ([UInt8]) -> [UInt8]?
  private var output = MarkedText()
  private var open: [Open] = []
  private var hiddenDepth = 0
  private var quoteDepth = 0
  private var preformattedDepth = 0
  /// Line feeds due before the next text, from blocks and from `br`.
  private var blockBreaks = 0
  private var lineBreaks = 0
  private var spaceDue = false
  private var markerDue: [UInt8] = []

  private init(mentioned: [Mentioned], link: @escaping ([UInt8]) -> [UInt8]?) {
    self.mentioned = mentioned
    self.link = link
  }

  /// Reads `html`, well-formed UTF-8.
  ///
  /// - Parameters:
  ///   - mentioned: the accounts that its links may lead to.
  ///   - limit: reading ends once the text is longer than so many bytes.
  ///   - link: returns where a link leads whose `href` is given; nil if it may not be followed.
  package static func read(
    _ html: [UInt8], mentioned: [Mentioned] = [], limit: Int = .max,
    link: @escaping ([UInt8]) -> [UInt8]? = HTMLText.followable
  ) -> MarkedText {
    var reader = HTMLText(mentioned: mentioned, link: link)
    var position = 0
    while position < html.count, reader.output.bytes.count <= limit {
      let byte = html[position]
      if byte == UInt8(ascii: "<"), let (tag, end) = HTMLTag.read(html, at: position) {
        reader.handleTag(tag)
        position = end
      } else if byte == UInt8(ascii: "&"), let reference = Entities.decode(html, at: position) {
        reader.emit(reference.text[...])
        position = reference.end
      } else if HTMLTag.isSpace(byte) {
        reader.handleSpace(byte)
        position += 1
      } else {
        let start = position
        position += 1
        while position < html.count, !isSpecial(html[position]) { position += 1 }
        reader.emit(html[start..<position])
      }
    }
    while let last = reader.open.last { reader.close(last.name) }
    return reader.output
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") || HTMLTag.isSpace(byte)
  }

  // MARK: - Text

  private mutating func handleSpace(_ byte: UInt8) {
    guard preformattedDepth > 0 else {
      spaceDue = true
      return
    }
    if byte == 0x0A { lineBreaks += 1 } else { emit([0x20]) }
  }

  private mutating func emit(_ text: ArraySlice<UInt8>) {
    guard hiddenDepth == 0 else { return }
    beginText()
    for index in open.indices {
      if case .anchor(let href, let kind, nil) = open[index].effect {
        open[index].effect = .anchor(href: href, kind: kind, start: output.bytes.count)
      }
    }
    output.bytes += text
  }

  /// Writes everything due before a text: line feeds, quote signs, a list item's marker, a space.
  private mutating func beginText() {
    let atStart = output.bytes.isEmpty
    let breaks = max(blockBreaks, lineBreaks)
    if !atStart {
      for _ in 0..<breaks { output.bytes.append(0x0A) }
    }
    if atStart || breaks > 0 {
      for _ in 0..<quoteDepth { output.bytes += Array("> ".utf8) }
    } else if spaceDue, markerDue.isEmpty {
      output.bytes.append(0x20)
    }
    output.bytes += markerDue
    markerDue = []
    blockBreaks = 0
    lineBreaks = 0
    spaceDue = false
  }

  private mutating func block(_ breaks: Int) { blockBreaks = max(blockBreaks, breaks) }

  // MARK: - Tags

  private mutating func handleTag(_ tag: HTMLTag) {
    switch tag.name {
    case "": break
    case "br": if !tag.isEnd { lineBreaks += 1 }
    case "img": if !tag.isEnd, !tag.alt.isEmpty { emit(tag.alt[...]) }
    case "hr": block(2)
    case "p", "h1", "h2", "h3", "h4", "h5", "h6": handleBlock(tag, breaks: 2, effect: .none)
    case "div", "section", "article", "tr", "table", "dl", "dt", "dd", "figure", "figcaption":
      handleBlock(tag, breaks: 1, effect: .none)
    case "blockquote": handleBlock(tag, breaks: 2, effect: .quote)
    case "pre": handleBlock(tag, breaks: 2, effect: .preformatted)
    case "ul": handleBlock(tag, breaks: listDepth == 0 ? 2 : 1, effect: .list(ordered: false, next: 1))
    case "ol": handleBlock(tag, breaks: listDepth == 0 ? 2 : 1, effect: .list(ordered: true, next: tag.number ?? 1))
    case "li": handleListItem(tag)
    case "td", "th": spaceDue = true
    case "script", "style", "template", "title": handleInline(tag, .hidden)
    case "span": handleInline(tag, spanEffect(tag))
    case "a": handleInline(tag, .anchor(href: tag.href, kind: anchorKind(tag), start: nil))
    default: break
    }
  }

  private func spanEffect(_ tag: HTMLTag) -> Effect {
    tag.classes.contains("invisible") ? .hidden : tag.classes.contains("ellipsis") ? .ellipsis : .none
  }

  private func anchorKind(_ tag: HTMLTag) -> Posts.Span.Kind {
    tag.classes.contains("hashtag") ? .hashtag : tag.classes.contains("mention") ? .mention : .link
  }

  private mutating func handleInline(_ tag: HTMLTag, _ effect: Effect) {
    if tag.isEnd { close(tag.name) } else { push(tag.name, effect) }
  }

  private mutating func handleBlock(_ tag: HTMLTag, breaks: Int, effect: Effect) {
    block(breaks)
    handleInline(tag, effect)
  }

  private mutating func handleListItem(_ tag: HTMLTag) {
    block(1)
    guard !tag.isEnd else { return }
    markerDue = Array(repeating: 0x20, count: max(0, listDepth - 1) * 2)
    for index in open.indices.reversed() {
      guard case .list(let ordered, let next) = open[index].effect else { continue }
      let number = ordered ? tag.number ?? next : next
      open[index].effect = .list(ordered: ordered, next: number &+ 1)
      markerDue += Array((ordered ? "\(number). " : "• ").utf8)
      return
    }
    markerDue = Array("• ".utf8)
  }

  private var listDepth: Int {
    open.count { if case .list = $0.effect { true } else { false } }
  }

  private mutating func push(_ name: String, _ effect: Effect) {
    guard open.count < Self.maximumDepth else { return }
    open.append(Open(name: name, effect: effect))
    switch effect {
    case .hidden: hiddenDepth += 1
    case .quote: quoteDepth += 1
    case .preformatted: preformattedDepth += 1
    case .none, .ellipsis, .anchor, .list: break
    }
  }

  /// Closes the innermost open element `name` and all elements left open inside it; does nothing if there is none.
  private mutating func close(_ name: String) {
    guard open.contains(where: { $0.name == name }) else { return }
    while let last = open.popLast() {
      end(last.effect)
      if last.name == name { return }
    }
  }

  private mutating func end(_ effect: Effect) {
    switch effect {
    case .none: break
    case .hidden: hiddenDepth -= 1
    case .ellipsis: emit(Array("…".utf8)[...])
    case .quote: quoteDepth -= 1
    case .preformatted: preformattedDepth -= 1
    case .list: markerDue = []
    case .anchor(let href, let kind, let start):
      if let start { mark(kind, start..<output.bytes.count, href: href) }
    }
  }

  // MARK: - Marks

  private mutating func mark(_ kind: Posts.Span.Kind, _ range: Range<Int>, href: [UInt8]) {
    let shown = output.bytes[range]
    switch kind {
    case .hashtag where shown.first == UInt8(ascii: "#"):
      output.mark(.hashtag, range, target: Array(shown.dropFirst()))
    case .mention where shown.first == UInt8(ascii: "@"):
      output.mark(.mention, range, target: Array(handle(shown: shown.dropFirst(), href: href).utf8))
    default:
      if let target = link(href) { output.mark(.link, range, target: target) }
    }
  }

  /// Returns the full handle of a mention: of the account its link leads to; otherwise of the one with the displayed
  /// name on the link's host; otherwise the displayed name.
  private func handle(shown: ArraySlice<UInt8>, href: [UInt8]) -> String {
    let url = String(decoding: href, as: UTF8.self)
    let name = String(decoding: shown, as: UTF8.self)
    if let exact = mentioned.first(where: { $0.url == url }) { return exact.handle }
    let host = WebAddress(url).host
    return mentioned.first { $0.handle == "\(name)@\(host)" }?.handle
      ?? mentioned.first { $0.handle == name }?.handle ?? name
  }

  /// Returns a link unchanged if it may be followed: the schemes that Mastodon allows (`LINK_PROTOCOLS` in its
  /// `sanitize_config.rb`), and mail.
  package static func followable(_ href: [UInt8]) -> [UInt8]? {
    guard let colon = href.firstIndex(of: UInt8(ascii: ":")), colon <= 10 else { return nil }
    return schemes.contains(String(decoding: href[..<colon], as: UTF8.self).lowercased()) ? href : nil
  }

  private static let schemes: Set<String> = [
    "http", "https", "dat", "dweb", "ipfs", "ipns", "ssb", "gopher", "xmpp", "magnet", "gemini", "mailto",
  ]
}

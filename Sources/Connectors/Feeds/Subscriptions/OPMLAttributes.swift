internal import Posts

/// The attributes of an outline that mean nothing here, kept for other programs: `htmlUrl`, `category` and the like, as
/// XML writes them, with a space between two. Those of namespaces are left out.
struct OPMLAttributes: Equatable {
  /// The most bytes that are kept. What does not fit is left out, attribute by attribute.
  static let limit = 1_000

  /// The attributes in one line of UTF-8 without TABs.
  private(set) var text: [UInt8] = []

  /// None.
  init() {}

  /// Those of an outline.
  init(of tag: XMLTag) {
    for attribute in tag.attributes where attribute.name.vocabulary == .rss {
      if ["text", "title", "type", "xmlurl"].contains(attribute.name.word) { continue }
      var written = Array("\(text.isEmpty ? "" : " ")\(attribute.local)=\"".utf8)
      XMLElement.writeAttribute(Array(SafeText(line: attribute.value).utf8), to: &written)
      written.append(UInt8(ascii: "\""))
      if text.count + written.count <= Self.limit { text += written }
    }
  }

  /// Reads attributes, from whomever they come: what is not an attribute, or has a meaning here, is left out.
  init(reading text: some Sequence<UInt8>) {
    var first = FirstTag()
    _ = XMLDocument.read(XMLInput(Array("<outline ".utf8) + text + Array("/>".utf8)), into: &first)
    self = first.tag.map(OPMLAttributes.init(of:)) ?? OPMLAttributes()
  }

  /// Receives the first element of a document.
  private struct FirstTag: XMLElementReceiver {
    private(set) var tag: XMLTag?

    mutating func wantsWhole(_ tag: XMLTag) -> Bool {
      self.tag = self.tag ?? tag
      return false
    }

    mutating func receive(_: XMLElement) {}
  }
}

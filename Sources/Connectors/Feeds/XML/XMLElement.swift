/// An element with all that is in it.
struct XMLElement {
  /// A part of the content.
  enum Node {
    case text([UInt8])
    case element(XMLElement)
  }

  let tag: XMLTag
  var nodes: [Node] = []

  var name: XMLName { tag.name }

  init(tag: XMLTag) { self.tag = tag }

  /// Appends text, to the last text if nothing is between them.
  @unsafe mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    if case .text(var last) = nodes.last {
      nodes.removeLast()
      unsafe last += text
      nodes.append(.text(last))
    } else {
      unsafe nodes.append(.text(Array(text)))
    }
  }

  /// The child elements.
  var children: [XMLElement] { nodes.compactMap { if case .element(let child) = $0 { child } else { nil } } }

  /// Returns the value of an attribute; nil if there is none. A name without a prefix is in no namespace.
  func attribute(_ word: String, in vocabulary: XMLName.Vocabulary = .rss) -> [UInt8]? {
    tag.attributes.first { $0.name == XMLName(vocabulary, word) }?.value
  }

  /// Returns the first child with one of these names.
  func child(_ names: XMLName...) -> XMLElement? {
    for name in names { if let child = children.first(where: { $0.name == name }) { return child } }
    return nil
  }

  /// True if it contains elements.
  var hasElements: Bool { nodes.contains { if case .element = $0 { true } else { false } } }

  /// The text of the element alone, without that of its children.
  var ownText: [UInt8] { nodes.flatMap { if case .text(let text) = $0 { text } else { [UInt8]() } } }

  /// The content as markup: text with references, children as tags.
  var markup: [UInt8] {
    var output: [UInt8] = []
    writeContent(to: &output)
    return output
  }

  private func writeContent(to output: inout [UInt8]) {
    for node in nodes {
      switch node {
      case .text(let text): Self.writeEscaped(text, to: &output)
      case .element(let child): child.write(to: &output)
      }
    }
  }

  private func write(to output: inout [UInt8]) {
    output += "<\(name.word)".utf8
    for attribute in tag.attributes {
      let prefix = attribute.name.vocabulary == .xml ? "xml:" : ""
      output += " \(prefix)\(attribute.name.word)=\"".utf8
      Self.writeAttribute(attribute.value, to: &output)
      output += "\"".utf8
    }
    guard !nodes.isEmpty else {
      output += "/>".utf8
      return
    }
    output += ">".utf8
    writeContent(to: &output)
    output += "</\(name.word)>".utf8
  }

  /// Writes the value of an attribute, for double quotation marks.
  static func writeAttribute(_ text: [UInt8], to output: inout [UInt8]) {
    for part in text.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false).enumerated() {
      if part.offset > 0 { output += "&#34;".utf8 }
      writeEscaped(Array(part.element), to: &output)
    }
  }

  /// Writes a text with references for what markup is made of.
  static func writeEscaped(_ text: [UInt8], to output: inout [UInt8]) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "<"): output += "&lt;".utf8
      case UInt8(ascii: ">"): output += "&gt;".utf8
      case UInt8(ascii: "&"): output += "&amp;".utf8
      default: output.append(byte)
      }
    }
  }
}

internal import HTTPSupport

/// Lists of subscriptions in OPML 1.0 and 2.0 (opml.org), as every feed reader writes them.
///
/// Nested outlines are lists whose names are joined by "/".
struct OPML {
  /// A subscription.
  struct Outline: Equatable {
    var url: WebURL
    /// The name; empty for the feed's own.
    var title: [UInt8] = []
    /// The names of the lists that it is in, without duplicates; empty for none.
    var lists: [String] = []
    var attributes = OPMLAttributes()
  }

  /// The subscriptions, each address once, in the order of the document.
  var outlines: [Outline] = []
  /// Addresses that cannot be read, as they came, with the reason as a clause.
  var refused: [(address: String, reason: String)] = []

  /// The reason for refusing anything but an address.
  static let notAnAddress = "not an http(s) address"

  /// The deepest nesting of lists that is read; what lies deeper is in the list at this depth.
  static let depthLimit = 8

  init(outlines: [Outline] = []) { self.outlines = outlines }

  /// Reads a document. Returns nil if it has no outlines at all.
  init?(_ document: [UInt8]) {
    guard let text = TextEncoding(of: document).decode(document) else { return nil }
    var reading = OPMLReading()
    _ = XMLDocument.read(XMLInput(text), into: &reading)
    guard reading.hasOutlines else { return nil }
    outlines = reading.outlines
    refused = reading.refused
  }

  /// Returns the document, which is read as the same subscriptions. An outline in several lists stands in each.
  func written(title: String) -> [UInt8] {
    var output = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\">\n<head><title>".utf8)
    XMLElement.writeEscaped(Array(title.utf8), to: &output)
    output += "</title></head>\n<body>\n".utf8
    var tree = OPMLFolder()
    for outline in outlines {
      if outline.lists.isEmpty { tree.add(outline, at: []) }
      for list in outline.lists { tree.add(outline, at: list.split(separator: "/").map(String.init)[...]) }
    }
    tree.write(to: &output, depth: 1)
    output += "</body>\n</opml>\n".utf8
    return output
  }
}

/// Collects the outlines of a document.
private struct OPMLReading: XMLElementReceiver {
  private(set) var outlines: [OPML.Outline] = []
  private(set) var refused: [(address: String, reason: String)] = []
  private(set) var hasOutlines = false
  private var indexes: [WebURL: Int] = [:]

  func wantsWhole(_ tag: XMLTag) -> Bool { tag.name.word == "outline" }

  mutating func receive(_ element: XMLElement) { read(element, lists: []) }

  private mutating func read(_ element: XMLElement, lists: [String]) {
    hasOutlines = true
    var outline: OPML.Outline?
    var name: [UInt8] = []
    var title: [UInt8] = []
    for attribute in element.tag.attributes {
      switch attribute.name.word {
      case "xmlurl":
        if let url = WebURL(given: String(decoding: attribute.value, as: UTF8.self)) {
          outline = OPML.Outline(url: url)
        } else {
          refused.append((String(decoding: attribute.value, as: UTF8.self), OPML.notAnAddress))
        }
      case "text": name = XMLElement.trim(attribute.value)
      case "title": title = XMLElement.trim(attribute.value)
      default: break
      }
    }
    let label = title.isEmpty ? name : title
    if var outline {
      // Readers write the address of a subscription without a title in its place.
      outline.title = label == Array(outline.url.text.utf8) ? [] : label
      outline.attributes = OPMLAttributes(of: element.tag)
      add(outline, lists: lists)
    }
    let isFolder = outline == nil && element.tag.attributes.allSatisfy { $0.name.word != "xmlurl" }
    let inside = isFolder && !label.isEmpty && lists.count < OPML.depthLimit ? lists + [folder(label)] : lists
    for child in element.children where child.name.word == "outline" { read(child, lists: inside) }
  }

  /// The name of a list, in which "/" would begin another one.
  private func folder(_ label: [UInt8]) -> String { String(decoding: label, as: UTF8.self).replacing("/", with: "-") }

  private mutating func add(_ outline: OPML.Outline, lists: [String]) {
    let list = lists.joined(separator: "/")
    let index = indexes[outline.url] ?? outlines.count
    if index == outlines.count {
      indexes[outline.url] = index
      outlines.append(outline)
    }
    if !list.isEmpty, !outlines[index].lists.contains(list) { outlines[index].lists.append(list) }
  }
}

/// A list while a document is written.
private struct OPMLFolder {
  private var outlines: [OPML.Outline] = []
  private var folders: [(name: String, folder: OPMLFolder)] = []

  mutating func add(_ outline: OPML.Outline, at path: ArraySlice<String>) {
    guard let name = path.first else { return outlines.append(outline) }
    let index = folders.firstIndex { $0.name == name } ?? folders.count
    if index == folders.count { folders.append((name, OPMLFolder())) }
    folders[index].folder.add(outline, at: path.dropFirst())
  }

  func write(to output: inout [UInt8], depth: Int) {
    let indent = [UInt8](repeating: 0x20, count: depth * 2)
    for outline in outlines {
      output += indent
      output += "<outline type=\"rss\"".utf8
      let title = outline.title.isEmpty ? Array(outline.url.text.utf8) : outline.title
      for (name, value) in [("text", title), ("title", outline.title), ("xmlUrl", Array(outline.url.text.utf8))]
      where !value.isEmpty {
        output += " \(name)=\"".utf8
        XMLElement.writeAttribute(value, to: &output)
        output += "\"".utf8
      }
      if !outline.attributes.text.isEmpty { output += [0x20] + outline.attributes.text }
      output += "/>\n".utf8
    }
    for (name, folder) in folders {
      output += indent
      output += "<outline text=\"".utf8
      XMLElement.writeAttribute(Array(name.utf8), to: &output)
      output += "\">\n".utf8
      folder.write(to: &output, depth: depth + 1)
      output += indent
      output += "</outline>\n".utf8
    }
  }
}

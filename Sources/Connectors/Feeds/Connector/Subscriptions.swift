internal import HTTPSupport
internal import Ingest
internal import Posts

/// Lists of subscriptions as lines of JSON, for programs that read no XML: `url`, `title`, `lists` (their names) and
/// `others` (further attributes of OPML).
package enum SubscriptionLines {
  /// The longest document in bytes.
  package static let documentBytes = 15 << 20

  /// A document of which nothing could be read.
  package struct Unreadable: Error {
    /// Why, as a clause.
    package let reason: String
  }

  /// Returns the subscriptions of an OPML document, or of newsboat's `urls`, as lines, and the addresses that cannot be
  /// read.
  package static func read(_ document: [UInt8]) throws(Unreadable) -> (lines: [UInt8], refused: [String]) {
    let isMarkup = document.first { $0 > 0x20 && $0 < 0x80 } == UInt8(ascii: "<")
    guard let list = isMarkup ? OPML(document) : OPML(newsboat: document) else {
      throw Unreadable(reason: isMarkup ? "it has no outlines of OPML" : "it has no addresses")
    }
    var lines: [UInt8] = []
    for outline in list.outlines { append(outline, to: &lines) }
    return (lines, list.refused.map(\.shortened))
  }

  /// Returns the OPML document of such lines.
  package static func write(_ lines: [UInt8]) throws(Unreadable) -> [UInt8] {
    let parser = JSONParser()
    var list = OPML()
    for (number, line) in lines.split(separator: 0x0A).enumerated() {
      var line = Array(line)
      let outline: OPML.Outline?
      do { outline = try parser.parse(&line) { value, _ in Self.outline(value) } } catch { outline = nil }
      guard let outline else { throw Unreadable(reason: "line \(number + 1) is not a subscription") }
      list.outlines.append(outline)
    }
    return list.written(title: "Stack")
  }

  private static func append(_ outline: OPML.Outline, to lines: inout [UInt8]) {
    var writer = JSONLinesWriter()
    swap(&writer.bytes, &lines)
    writer.begin()
    writer.field("url", outline.url.text)
    writer.text("title", SafeText(line: outline.title))
    if !outline.lists.isEmpty { writer.list("lists", outline.lists) { $0.string(SafeText(line: $1).utf8) } }
    if !outline.others.isEmpty {
      writer.field("others") { writer in
        writer.begin()
        for (name, value) in outline.others {
          writer.field(SafeText(line: name).utf8) { $0.string(SafeText(sanitizing: value).utf8) }
        }
        writer.end()
      }
    }
    writer.end()
    writer.bytes.append(0x0A)
    swap(&writer.bytes, &lines)
  }

  private static func outline(_ value: JSONValue) -> OPML.Outline? {
    guard let url = value["url"]?.string.flatMap({ WebURL($0) }) else { return nil }
    var outline = OPML.Outline(url: url, title: value["title"]?.bytes?.array ?? [])
    outline.lists = (value["lists"]?.elements ?? .none).compactMap(\.string)
    for (key, value) in value["others"]?.fields ?? .none {
      outline.others.append((key.string, value.bytes?.array ?? []))
    }
    return outline
  }
}

extension OPML {
  /// Reads newsboat's `urls`: a line each, with tags in quotation marks; `"~…"` is the title, and a tag that begins with
  /// "!" hides. Nil if there are no addresses.
  init?(newsboat document: [UInt8]) {
    self.init()
    var places: [WebURL: Int] = [:]
    for line in String(decoding: document, as: UTF8.self).split(whereSeparator: \.isNewline) {
      var words = Self.words(line)
      guard let address = words.popLast(), !address.hasPrefix("#") else { continue }
      guard let url = WebURL(address) else {
        refused.append(address)
        continue
      }
      let place = places[url] ?? outlines.count
      if place == outlines.count { outlines.append(Outline(url: url)) }
      places[url] = place
      for word in words.reversed() {
        if word.hasPrefix("~") {
          outlines[place].title = Array(word.dropFirst().utf8)
        } else if !word.hasPrefix("!"), !word.isEmpty, !outlines[place].lists.contains(word) {
          outlines[place].lists.append(word)
        }
      }
    }
    guard !outlines.isEmpty || !refused.isEmpty else { return nil }
  }

  /// Returns the words of a line, the last first; those in quotation marks may have spaces.
  private static func words(_ line: Substring) -> [String] {
    var words: [String] = []
    var word = ""
    var isQuoted = false
    for character in line {
      if character == "\"" {
        isQuoted.toggle()
      } else if character == " " || character == "\t", !isQuoted {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.append(character)
      }
    }
    if !word.isEmpty { words.append(word) }
    return words.reversed()
  }
}

internal import HTTPSupport
internal import Ingest
internal import Posts

/// Lists of subscriptions as lines, for programs that read no XML: address, title, attributes that mean nothing here,
/// and the names of the lists that the feed is in, with a TAB between two.
package enum SubscriptionLines {
  /// The longest document in bytes.
  package static let documentBytes = 15 << 20

  /// A document of which nothing could be read.
  package struct Unreadable: Error {
    /// Why, as a clause.
    package let reason: String
  }

  /// Returns the subscriptions of an OPML document, or of newsboat's `urls`, as lines, and a sentence for each address
  /// that cannot be read.
  package static func read(_ document: [UInt8]) throws(Unreadable) -> (lines: [UInt8], refused: [String]) {
    let isMarkup = document.first { $0 > 0x20 && $0 < 0x80 } == UInt8(ascii: "<")
    guard let list = isMarkup ? OPML(document) : OPML(newsboat: document) else {
      throw Unreadable(reason: isMarkup ? "it has no outlines of OPML" : "it has no addresses")
    }
    var lines: [UInt8] = []
    for outline in list.outlines {
      // A line of SafeText has no TAB.
      lines += Array(outline.url.text.utf8) + [0x09] + SafeText(line: outline.title).utf8
      lines += [0x09] + outline.attributes.text
      for list in outline.lists { lines += [0x09] + SafeText(line: list).utf8 }
      lines.append(0x0A)
    }
    return (lines, list.refused.map { "'\($0.address.shortened)' is left out: \($0.reason)" })
  }

  /// Returns the line of an item of another reader: its address as a post of it has it, and its title, with a TAB
  /// between two.
  package static func line(itemAt url: [UInt8], title: [UInt8]) -> [UInt8] {
    let address = WebURL(url).map { Array($0.text.utf8) } ?? []
    return address + [0x09] + SafeText(line: title).utf8 + [0x0A]
  }

  /// Returns the OPML document of such lines.
  package static func write(_ lines: [UInt8]) throws(Unreadable) -> [UInt8] {
    var list = OPML()
    for (number, line) in lines.split(separator: 0x0A).enumerated() {
      let words = line.split(separator: 0x09, omittingEmptySubsequences: false)
      guard let url = WebURL(given: String(decoding: words[0], as: UTF8.self)) else {
        throw Unreadable(reason: "line \(number + 1) is not a subscription")
      }
      var outline = OPML.Outline(url: url, title: words.count > 1 ? Array(words[1]) : [])
      if words.count > 2, !words[2].isEmpty { outline.attributes = OPMLAttributes(reading: words[2]) }
      outline.lists = words.dropFirst(3).map { String(decoding: $0, as: UTF8.self) }
      list.outlines.append(outline)
    }
    return list.written(title: "Stack")
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
      guard let url = WebURL(given: address) else {
        refused.append((address, Self.reason(against: address)))
        continue
      }
      let place = places[url] ?? outlines.count
      if place == outlines.count { outlines.append(Outline(url: url)) }
      places[url] = place
      for word in words.reversed() {
        if word.hasPrefix("~") {
          outlines[place].title = Array(word.dropFirst().utf8)
        } else if !word.hasPrefix("!") {
          // As OPML can write it: nested lists, each with a name.
          let list = word.split(separator: "/").prefix(Self.depthLimit).joined(separator: "/")
          if !list.isEmpty, !outlines[place].lists.contains(list) { outlines[place].lists.append(list) }
        }
      }
    }
    guard !outlines.isEmpty || !refused.isEmpty else { return nil }
  }

  private static func reason(against address: String) -> String {
    if address.hasPrefix("query:") { return "a query; make a list, or a search in the whole screen" }
    if address.hasPrefix("exec:") || address.hasPrefix("filter:") {
      return "Stack runs no programs; let one write a file, and add file:///PATH"
    }
    return notAnAddress
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

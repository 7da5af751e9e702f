/// Reads the elements of Atom 0.3 and 1.0 (RFC 4287).
enum AtomReader {
  /// Applies a child of `feed` to the facts of the feed.
  static func read(_ element: XMLElement, into feed: inout FeedFacts) {
    guard element.name.vocabulary == .atom else { return RSSReader.read(element, into: &feed) }
    switch element.name.word {
    case "title": feed.title = feed.title ?? element.atomText
    case "subtitle", "tagline": feed.description = feed.description ?? element.atomText
    case "link":
      switch relation(of: element) {
      case "alternate": feed.link = feed.link ?? element.attribute("href")
      case "self": feed.selfLink = feed.selfLink ?? element.attribute("href")
      default: break
      }
    case "logo": feed.image = element.plainText.unlessEmpty ?? feed.image
    case "icon": feed.image = feed.image ?? element.plainText.unlessEmpty
    case "updated", "modified": feed.updated = feed.updated ?? element.plainText.unlessEmpty
    default: break
    }
  }

  /// Returns the facts of an `entry`.
  ///
  /// - Parameter authors: those of the feed, which an entry without its own has.
  static func item(_ element: XMLElement, base: [UInt8], authors: [[UInt8]]) -> ItemFacts {
    var item = ItemFacts(base: element.attribute("base", in: .xml) ?? base)
    for child in element.children { read(child, into: &item) }
    if item.authors.isEmpty {
      let source = element.child(XMLName(.atom, "source"))
      item.authors = source.map { $0.children.compactMap(author) }.flatMap { $0.isEmpty ? nil : $0 } ?? authors
    }
    return item
  }

  /// Returns the name of a person who is an `author`; nil for other elements.
  static func author(_ element: XMLElement) -> [UInt8]? {
    guard element.name == XMLName(.atom, "author") else { return nil }
    return element.child(XMLName(.atom, "name"))?.plainText.unlessEmpty
      ?? element.child(XMLName(.atom, "email"))?.plainText.unlessEmpty ?? XMLElement.trim(element.ownText).unlessEmpty
  }

  private static func relation(of link: XMLElement) -> String {
    let relation = String(decoding: link.attribute("rel") ?? [], as: UTF8.self).lowercased()
    return relation.isEmpty ? "alternate" : relation
  }

  private static func read(_ element: XMLElement, into item: inout ItemFacts) {
    guard element.name.vocabulary == .atom else { return }
    switch element.name.word {
    case "id": item.id = item.id ?? element.plainText.unlessEmpty
    case "title": item.title = item.title ?? element.atomText
    case "summary": item.summary = item.summary ?? element.atomText
    case "content":
      item.content = item.content ?? element.atomText
      if let source = element.attribute("src"), item.link == nil { item.link = source }
    case "published", "issued", "created": item.published = item.published ?? element.plainText.unlessEmpty
    case "updated", "modified": item.updated = item.updated ?? element.plainText.unlessEmpty
    case "author": if let name = author(element) { item.add(author: name) }
    case "category":
      if let name = (element.attribute("label") ?? element.attribute("term"))?.unlessEmpty {
        item.categories.append(name)
      }
    case "link":
      guard let url = element.attribute("href")?.unlessEmpty else { return }
      switch relation(of: element) {
      case "alternate": item.link = url
      case "enclosure":
        item.add(
          ItemFacts.Enclosure(
            url: url, mimeType: element.attribute("type") ?? [], title: element.attribute("title") ?? []))
      default: break
      }
    default: break
    }
  }
}

internal import Ingest

/// Reads JSON Feed 1.0 and 1.1 (jsonfeed.org).
enum JSONFeedReader {
  /// Reads a document, well-formed UTF-8.
  static func read(_ text: [UInt8]) throws(FeedDocumentReader.Failure) -> FeedDocument {
    var text = text
    let parsed: FeedDocument?
    do { parsed = try JSONParser().parse(&text) { root, _ in document(root) } } catch { throw .otherJSON }
    guard let parsed else { throw .otherJSON }
    return parsed
  }

  /// Returns what a document says; nil if it is not a feed.
  private static func document(_ root: JSONValue) -> FeedDocument? {
    let version = root["version"]?.string ?? ""
    guard root["items"]?.isArray == true, !version.isEmpty || root["title"] != nil else { return nil }
    let number = version.split(separator: "/").last.map(String.init) ?? ""
    var document = FeedDocument(format: .json(version: number))
    document.feed.title = text(root["title"], isHTML: false)
    document.feed.description = text(root["description"], isHTML: false)
    document.feed.link = bytes(root["home_page_url"])
    document.feed.selfLink = bytes(root["feed_url"])
    document.feed.image = bytes(root["icon"]) ?? bytes(root["favicon"])
    document.feed.language = bytes(root["language"])
    let authors = authors(root)
    for value in root["items"]?.elements ?? .none {
      guard document.items.count < FeedDocumentReader.itemLimit else { break }
      if value.isObject { document.items.append(item(value, authors: authors)) }
    }
    return document
  }

  private static func item(_ value: JSONValue, authors feedAuthors: [[UInt8]]) -> ItemFacts {
    var item = ItemFacts()
    item.id = value["id"]?.id.map { Array($0.utf8) }?.unlessEmpty
    item.title = text(value["title"], isHTML: false)
    item.link = bytes(value["url"]) ?? bytes(value["external_url"])
    item.summary = text(value["summary"], isHTML: false)
    item.content = text(value["content_html"], isHTML: true) ?? text(value["content_text"], isHTML: false)
    item.published = bytes(value["date_published"])
    item.updated = bytes(value["date_modified"])
    let own = authors(value)
    item.authors = own.isEmpty ? feedAuthors : own
    item.categories = (value["tags"]?.elements ?? .none).compactMap { $0.bytes?.array.unlessEmpty }
    for attachment in value["attachments"]?.elements ?? .none {
      guard let url = bytes(attachment["url"]) else { continue }
      item.add(
        ItemFacts.Enclosure(
          url: url, mimeType: bytes(attachment["mime_type"]) ?? [], title: bytes(attachment["title"]) ?? []))
    }
    return item
  }

  /// Returns the names of `authors`, or of the one `author` of version 1.0.
  private static func authors(_ value: JSONValue) -> [[UInt8]] {
    let names = (value["authors"]?.elements ?? .none).compactMap { bytes($0["name"]) }
    return names.isEmpty ? [value["author"].flatMap { bytes($0["name"]) }].compactMap(\.self) : names
  }

  private static func text(_ value: JSONValue?, isHTML: Bool) -> FeedText? {
    bytes(value).map { FeedText(bytes: XMLElement.trim($0), isHTML: isHTML) }.flatMap { $0.bytes.isEmpty ? nil : $0 }
  }

  private static func bytes(_ value: JSONValue?) -> [UInt8]? { value?.bytes?.array.unlessEmpty }
}

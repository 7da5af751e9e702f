/// Reads a document in any of the formats, which are told apart by content, never by name or media type.
enum FeedDocumentReader {
  /// The most items that are read; those beyond are left out.
  static let itemLimit = 5_000

  /// The reason why a document is not a feed.
  enum Failure: Error, Equatable, Sendable {
    case empty
    /// A web page, perhaps of a bot check.
    case webPage
    /// Another document; the name of its root, or empty.
    case otherDocument(root: String)
    case unknownEncoding(String)
    /// JSON of another kind, or invalid JSON.
    case otherJSON
  }

  /// Reads a document.
  ///
  /// - Parameter charset: the parameter of HTTP's `Content-Type`; nil if there is none.
  static func read(_ document: [UInt8], charset: String? = nil) throws(Failure) -> FeedDocument {
    let encoding = TextEncoding(of: document, charset: charset)
    guard let text = encoding.decode(document) else { throw .unknownEncoding(encoding.name) }
    guard let first = text.first(where: { $0 > 0x20 }) else { throw .empty }
    var feed = first == UInt8(ascii: "{") ? try JSONFeedReader.read(text) : try readXML(text)
    if !encoding.isValid(document) { feed.problems.append("not all of it is UTF-8") }
    return feed
  }

  private static func readXML(_ text: [UInt8]) throws(Failure) -> FeedDocument {
    var reading = XMLReading()
    let input = XMLInput(text)
    let problem = XMLDocument.read(input, into: &reading)
    guard var document = reading.document else {
      let root = reading.root?.name.word ?? ""
      throw ["html", "head", "body"].contains(root) ? .webPage : .otherDocument(root: root)
    }
    if input.hasOwnEntities { document.problems.append("its own entities are not expanded") }
    if let problem { document.problems.append("damaged in line \(problem.line): \(problem.message)") }
    return document
  }
}

/// Collects a feed from the elements of a document.
private struct XMLReading: XMLElementReceiver {
  private(set) var document: FeedDocument?
  private(set) var root: XMLTag?
  private var base: [UInt8] = []
  private var authors: [[UInt8]] = []

  mutating func wantsWhole(_ tag: XMLTag) -> Bool {
    if root == nil {
      root = tag
      document = Self.format(tag).map { FeedDocument(format: $0) }
      document?.feed.language = tag.attributes.first { $0.name == XMLName(.xml, "lang") }?.value
    } else if tag.name != XMLName(.rss, "channel") {
      return document != nil
    }
    // RSS 0.90 and 1.0 have their items beside the channel, all others in it.
    if let own = tag.attributes.first(where: { $0.name == XMLName(.xml, "base") }) { base = own.value }
    return false
  }

  mutating func receive(_ element: XMLElement) {
    guard var document else { return }
    self.document = nil
    read(element, into: &document)
    self.document = document
  }

  private mutating func read(_ element: XMLElement, into document: inout FeedDocument) {
    let isItem = ["item", "entry"].contains(element.name.word)
    if isItem, document.items.count >= FeedDocumentReader.itemLimit { return }
    switch document.format {
    case .atom where isItem: document.items.append(AtomReader.item(element, base: base, authors: authors))
    case .atom:
      if let author = AtomReader.author(element) { authors.append(author) }
      AtomReader.read(element, into: &document.feed)
    case .rss where isItem: document.items.append(RSSReader.item(element, base: base))
    case .rss: RSSReader.read(element, into: &document.feed)
    case .json: break
    }
  }

  /// Returns the format of a document by its root; nil if it is not a feed.
  private static func format(_ root: XMLTag) -> FeedDocument.Format? {
    let version = root.attributes.first { $0.name == XMLName(.rss, "version") }
    let number = version.map { String(decoding: $0.value, as: UTF8.self) } ?? ""
    switch (root.name.vocabulary, root.name.word) {
    case (.rss, "rss"), (.other, "rss"): return .rss(version: number)
    case (.rdf, "rdf"): return .rss(version: "1.0")
    case (.rss, "channel"): return .rss(version: number)
    case (.atom, "feed"), (.rss, "feed"): return .atom(version: number == "0.3" ? number : "1.0")
    default: return nil
    }
  }
}

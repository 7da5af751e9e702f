import Testing

@testable import Feeds

/// The documents of gofeed's parser tests, read by ``XMLDocument`` and ``XMLElement``, in the shape that gofeed expects.
///
/// gofeed keeps every element of a feed under its own name; what is compared here is how elements, attributes and texts
/// are read: names, references, CDATA, markup that should have been escaped, the modes of Atom 0.3, base64, recovery.
@Suite("gofeed's documents")
struct GofeedTests {
  /// Documents that are read differently on purpose, by the parts of their names, and why.
  static let differences: [(part: String, reason: String)] = [
    ("xml_base", "links in markup are resolved when it becomes text, and identifiers are compared as they came"),
    ("relative_uri", "links in markup are resolved when it becomes text"),
    ("uri_base", "addresses of people are not kept, and those of images are resolved with the feed's facts"),
    ("author_uri_inherit", "addresses of people are not kept"),
    ("html_div_escaped_markup", "an escaped `div` is markup like any other, and vanishes when it becomes text"),
    ("rss_channel_item_link", "an item has one link"),
    ("version_rdf_090", "RSS 0.90 and 1.0 are read alike"),
  ]

  @Test("elements and texts are read as gofeed reads them", .enabled(if: !GofeedCases.all(in: "parser/rss").isEmpty))
  func parsers() throws {
    var different: [String] = []
    var count = 0
    for path in GofeedCases.all(in: "parser/atom") + GofeedCases.all(in: "parser/rss") {
      count += 1
      let expected = try GofeedCases.expected(path).without(["extensions", "dcExt", "itunesExt", "custom"])
      let actual = GofeedShape.tree(of: GofeedCases.bytes(path + ".xml"))
      if actual != expected { different.append("\(path): expected \(expected), but read \(actual)") }
    }
    let unexplained = different.filter { text in
      !Self.differences.contains { text.prefix { $0 != ":" }.contains($0.part) }
    }
    #expect(count >= 411 && different.count * 10 <= count, "\(different.count) of \(count) differ")
    #expect(unexplained.isEmpty, "\(unexplained.joined(separator: "\n"))")
  }

  /// Fields of gofeed's `Feed` that Stack does not keep.
  private static let unkept: Set<String> = [
    "author", "links", "updatedParsed", "publishedParsed", "generator", "copyright", "extensions", "custom", "length",
    "avatar", "email", "url of a person", "image of an item", "dcExt", "itunesExt", "authors of a feed",
  ]

  @Test("facts are taken as gofeed takes them", .enabled(if: !GofeedCases.all(in: "translator/rss").isEmpty))
  func translators() throws {
    var different: [String] = []
    let paths = ["rss", "atom", "json"].flatMap { GofeedCases.all(in: "translator/\($0)") }
    for path in paths {
      let expected = GofeedShape.kept(try GofeedCases.expected(path)).without(Self.unkept)
      let actual = try GofeedShape.tree(of: FeedDocumentReader.read(GofeedCases.document(path)))
      if actual != expected { different.append("\(path): expected \(expected), but read \(actual)") }
    }
    let unexplained = different.filter { text in
      !Self.translations.contains { text.prefix { $0 != ":" }.contains($0.part) }
    }
    #expect(paths.count >= 75 && different.count * 10 <= paths.count, "\(different.count) of \(paths.count) differ")
    #expect(unexplained.isEmpty, "\(unexplained.joined(separator: "\n"))")
  }

  /// Documents whose facts are taken differently on purpose, and why.
  static let translations: [(part: String, reason: String)] = [
    ("rdf_item_", "RSS 1.0 identifies an item by rdf:about"),
    (
      "atom03_feed_entry_modified",
      "an entry without a time of publication has none; the reader of posts takes the other"
    ),
    ("json10_full", "a feed's time is not made up from its items"), ("json11_full", "a feed's time is not made up"),
  ]
}

/// A document in the shape of gofeed's `atom.Feed` and `rss.Feed`.
enum GofeedShape {
  static func tree(of document: [UInt8]) -> JSONTree {
    guard let text = TextEncoding(of: document).decode(document) else { return .object([:]) }
    var whole = Whole()
    _ = XMLDocument.read(XMLInput(text), into: &whole)
    guard let root = whole.root else { return .object([:]) }
    return root.name.word == "feed" ? atom(root) : rss(root)
  }

  private struct Whole: XMLElementReceiver {
    var root: XMLElement?
    func wantsWhole(_ tag: XMLTag) -> Bool { true }
    mutating func receive(_ element: XMLElement) { root = element }
  }

  fileprivate static func string(_ bytes: [UInt8]?) -> JSONTree? {
    bytes.map { .text(String(decoding: $0, as: UTF8.self)) }
  }

  private static func all(_ element: XMLElement, _ words: String..., body: (XMLElement) -> JSONTree) -> JSONTree? {
    let found = element.children.filter { words.contains($0.name.word) && isPlain($0) }.map(body)
    return found.isEmpty ? nil : .list(found)
  }

  /// The last of the elements with one of these names.
  private static func last(_ element: XMLElement, _ words: String...) -> XMLElement? {
    element.children.last { words.contains($0.name.word) && isPlain($0) }
  }

  private static func isPlain(_ element: XMLElement) -> Bool {
    [.atom, .rss, .content].contains(element.name.vocabulary)
  }

  // MARK: Atom

  private static func atomText(_ element: XMLElement?) -> JSONTree? {
    element.flatMap { string($0.atomText?.bytes ?? []) }
  }

  private static func date(_ element: XMLElement?) -> (JSONTree?, JSONTree?) {
    guard let element else { return (nil, nil) }
    let instant = FeedDate.parse(element.plainText)
    return (string(element.plainText), instant.map { .text(FeedDateText.iso($0)) })
  }

  private static func person(_ element: XMLElement) -> JSONTree {
    .fields([
      ("name", atomText(last(element, "name"))), ("email", atomText(last(element, "email"))),
      ("uri", atomText(last(element, "uri", "url", "homepage"))),
    ])
  }

  private static func link(_ element: XMLElement) -> JSONTree {
    .fields(
      ["href", "hreflang", "type", "length", "title"].map { ($0, string(element.attribute($0))) }
        + [("rel", string(element.attribute("rel")) ?? .text("alternate"))])
  }

  private static func category(_ element: XMLElement) -> JSONTree {
    .fields(["term", "scheme", "label"].map { ($0, string(element.attribute($0))) })
  }

  private static func common(_ element: XMLElement) -> [(String, JSONTree?)] {
    let (updated, updatedParsed) = date(last(element, "updated", "modified"))
    return [
      ("title", atomText(last(element, "title"))), ("id", atomText(last(element, "id"))),
      ("updated", updated), ("updatedParsed", updatedParsed),
      ("rights", atomText(last(element, "rights", "copyright"))),
      ("links", all(element, "link", body: link)), ("authors", all(element, "author", body: person)),
      ("contributors", all(element, "contributor", body: person)),
      ("categories", all(element, "category", body: category)),
    ]
  }

  private static func source(_ element: XMLElement) -> [(String, JSONTree?)] {
    common(element) + [
      ("subtitle", atomText(last(element, "subtitle", "tagline"))),
      ("icon", atomText(last(element, "icon"))), ("logo", atomText(last(element, "logo"))),
      (
        "generator",
        last(element, "generator").map { generator in
          .fields([
            ("value", atomText(generator)), ("version", string(generator.attribute("version"))),
            ("uri", string(generator.attribute("uri") ?? generator.attribute("url"))),
          ])
        }
      ),
    ]
  }

  private static func atom(_ root: XMLElement) -> JSONTree {
    let version = string(root.attribute("version")) ?? .text(root.name.vocabulary == .atom ? "1.0" : "")
    guard
      case .object(var fields) = JSONTree.fields(
        source(root) + [("language", string(root.attribute("lang", in: .xml)))])
    else { return .object([:]) }
    fields["version"] = version
    fields["entries"] = all(root, "entry", body: entry) ?? .list([])
    return .object(fields)
  }

  private static func entry(_ element: XMLElement) -> JSONTree {
    let (published, publishedParsed) = date(last(element, "published", "issued"))
    return .fields(
      common(element) + [
        ("summary", atomText(last(element, "summary"))), ("published", published), ("publishedParsed", publishedParsed),
        ("source", last(element, "source").map { .fields(source($0)) }),
        (
          "content",
          last(element, "content").map { content in
            .fields([
              ("type", string(content.attribute("type"))), ("src", string(content.attribute("src"))),
              ("value", atomText(content)),
            ])
          }
        ),
      ])
  }

  // MARK: RSS

  private static func text(_ element: XMLElement?) -> JSONTree? { element.flatMap { string($0.plainText) } }

  private static func rss(_ root: XMLElement) -> JSONTree {
    let channel = last(root, "channel") ?? root
    // RSS 0.90 and 1.0 have these beside the channel.
    let outside = root.children.filter { ["item", "image", "textinput"].contains($0.name.word) }
    let (published, publishedParsed) = date(last(channel, "pubdate"))
    let (built, builtParsed) = date(last(channel, "lastbuilddate"))
    let names = [
      "title", "link", "description", "language", "copyright", "managingEditor", "webMaster", "generator", "docs",
      "ttl", "rating",
    ]
    var fields: [(String, JSONTree?)] = names.map { ($0, text(last(channel, $0.lowercased()))) }
    fields += [
      ("pubDate", published), ("pubDateParsed", publishedParsed), ("lastBuildDate", built),
      ("lastBuildDateParsed", builtParsed),
      ("categories", all(channel, "category", body: domain)),
      ("skipHours", last(channel, "skiphours").flatMap { all($0, "hour") { text($0) ?? .text("") } }),
      ("skipDays", last(channel, "skipdays").flatMap { all($0, "day") { text($0) ?? .text("") } }),
      (
        "image",
        (outside.last { $0.name.word == "image" } ?? last(channel, "image")).map {
          texts($0, "url", "link", "title", "width", "height", "description")
        }
      ),
      (
        "textInput",
        (outside.last { $0.name.word == "textinput" } ?? last(channel, "textinput")).map {
          texts($0, "title", "description", "name", "link")
        }
      ),
      (
        "cloud",
        last(channel, "cloud").map { cloud in
          .fields(
            ["domain", "port", "path", "registerProcedure", "protocol"].map {
              ($0, string(cloud.attribute($0.lowercased())))
            })
        }
      ),
    ]
    guard case .object(var object) = JSONTree.fields(fields) else { return .object([:]) }
    object["version"] = version(root)
    let items = outside.filter { $0.name.word == "item" } + channel.children.filter { $0.name.word == "item" }
    object["items"] = .list(items.map(item))
    return .object(object)
  }

  private static func version(_ root: XMLElement) -> JSONTree {
    if let version = string(root.attribute("version")) { return version }
    return .text(root.name.word == "rdf" ? "1.0" : "")
  }

  private static func texts(_ element: XMLElement, _ names: String...) -> JSONTree {
    .fields(names.map { ($0, text(last(element, $0))) })
  }

  private static func domain(_ element: XMLElement) -> JSONTree {
    .fields([("domain", string(element.attribute("domain"))), ("value", text(element))])
  }

  private static func item(_ element: XMLElement) -> JSONTree {
    let (published, publishedParsed) = date(last(element, "pubdate"))
    var fields: [(String, JSONTree?)] = ["title", "link", "description", "author", "comments"].map {
      ($0, text(last(element, $0)))
    }
    fields += [
      ("content", text(last(element, "encoded"))), ("pubDate", published), ("pubDateParsed", publishedParsed),
      ("categories", all(element, "category", body: domain)),
      (
        "enclosure",
        last(element, "enclosure").map { enclosure in
          .fields(["url", "length", "type"].map { ($0, string(enclosure.attribute($0))) })
        }
      ),
      (
        "guid",
        last(element, "guid").map {
          .fields([("value", text($0))])
        }
      ),
      (
        "source",
        last(element, "source").map { .fields([("title", text($0)), ("url", string($0.attribute("url")))]) }
      ),
    ]
    return .fields(fields)
  }
}

extension GofeedShape {
  /// Reduces an expected `Feed` to what Stack keeps: of people their names, of images of feeds the address.
  static func kept(_ tree: JSONTree) -> JSONTree {
    guard case .object(var feed) = tree else { return tree }
    feed["authors"] = nil
    feed["categories"] = nil
    if case .object(let image)? = feed["image"] { feed["image"] = image["url"] }
    // Stack keeps one time of a feed.
    feed["updated"] = feed["updated"] ?? feed["published"]
    feed["published"] = nil
    if case .list(let items)? = feed["items"] {
      feed["items"] = .list(
        items.map { item in
          guard case .object(var fields) = item else { return item }
          fields["image"] = nil
          if case .list(let people)? = fields["authors"] {
            fields["authors"] = .list(
              people.compactMap { person in
                guard case .object(let facts) = person else { return nil }
                return facts["name"] ?? facts["email"]
              })
          }
          return .object(fields)
        })
    }
    return .object(feed)
  }

  /// Puts the facts of a document in the shape of gofeed's `Feed`.
  static func tree(of document: FeedDocument) -> JSONTree {
    let (type, version) =
      switch document.format {
      case .rss(let version): ("rss", version)
      case .atom(let version): ("atom", version)
      case .json(let version): ("json", version)
      }
    let feed = document.feed
    guard
      case .object(var fields) = JSONTree.fields([
        ("title", string(feed.title?.bytes)), ("description", string(feed.description?.bytes)),
        ("link", string(feed.link)), ("feedLink", string(feed.selfLink)), ("image", string(feed.image)),
        ("language", string(feed.language)), ("updated", string(feed.updated)), ("feedType", .text(type)),
      ])
    else { return .object([:]) }
    fields["feedVersion"] = .text(version)
    fields["items"] = .list(document.items.map(item))
    return .object(fields)
  }

  private static func item(_ item: ItemFacts) -> JSONTree {
    func list(_ values: [[UInt8]]) -> JSONTree? { values.isEmpty ? nil : .list(values.compactMap { string($0) }) }
    let enclosures = item.enclosures.map { JSONTree.fields([("url", string($0.url)), ("type", string($0.mimeType))]) }
    return .fields([
      ("title", string(item.title?.bytes)), ("description", string(item.summary?.bytes)),
      ("content", string(item.content?.bytes)), ("link", string(item.link)), ("guid", string(item.id)),
      ("published", string(item.published)), ("updated", string(item.updated)), ("authors", list(item.authors)),
      ("categories", list(item.categories)), ("enclosures", enclosures.isEmpty ? nil : .list(enclosures)),
    ])
  }
}

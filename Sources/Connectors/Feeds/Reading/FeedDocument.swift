internal import Dates

/// A feed and its items, in any format.
struct FeedDocument {
  /// The format and its version.
  enum Format: Equatable {
    case rss(version: String)
    case atom(version: String)
    case json(version: String)
  }

  let format: Format
  var feed = FeedFacts()
  var items: [ItemFacts] = []
  /// What is the matter with the document, as clauses; empty if all is well.
  var problems: [String] = []
}

/// A text in a feed.
struct FeedText: Equatable {
  /// Well-formed UTF-8.
  var bytes: [UInt8]
  /// True if the text is HTML.
  var isHTML: Bool
}

/// A document's facts about its feed.
struct FeedFacts: Equatable {
  var title: FeedText?
  var description: FeedText?
  /// The address of the site.
  var link: [UInt8]?
  /// The address that the feed gives itself.
  var selfLink: [UInt8]?
  /// The address of an image.
  var image: [UInt8]?
  var language: [UInt8]?
  var updated: [UInt8]?
  /// The schedule that it asks for.
  var schedule = FeedSchedule()
}

/// The schedule on which a feed asks to be read.
struct FeedSchedule: Equatable {
  /// Minutes, from `ttl` or `sy:updatePeriod` and `sy:updateFrequency`; nil for none.
  var minutes: Int?
  /// Hours of the day in GMT, 0 to 23, in which the feed does not change.
  var skippedHours: Set<Int> = []
  /// Days of the week on which it does not change, 0 for Sunday to 6.
  var skippedDays: Set<Int> = []
}

/// A document's facts about an item.
struct ItemFacts: Equatable {
  /// `guid` or `id`.
  var id: [UInt8]?
  /// True if the identifier is an address.
  var idIsLink = false
  var title: FeedText?
  /// The address of the item's page.
  var link: [UInt8]?
  /// The short text.
  var summary: FeedText?
  /// The whole text.
  var content: FeedText?
  var published: [UInt8]?
  var updated: [UInt8]?
  var authors: [[UInt8]] = []
  var categories: [[UInt8]] = []
  var enclosures: [Enclosure] = []
  /// The base of relative addresses, from `xml:base`; empty for none.
  var base: [UInt8] = []

  /// The most authors, and the most enclosures, that are read of an item.
  static let listLimit = 64

  /// Adds an author, unless the item has it or too many.
  mutating func add(author name: [UInt8]) {
    if authors.count < Self.listLimit, !authors.contains(name) { authors.append(name) }
  }

  /// Adds an enclosure, unless the item has one of its address or too many.
  mutating func add(_ enclosure: Enclosure) {
    guard enclosures.count < Self.listLimit, !enclosures.contains(where: { $0.url == enclosure.url }) else { return }
    enclosures.append(enclosure)
  }

  /// A file that belongs to an item.
  struct Enclosure: Equatable {
    var url: [UInt8]
    var mimeType: [UInt8]
    var title: [UInt8] = []
  }
}

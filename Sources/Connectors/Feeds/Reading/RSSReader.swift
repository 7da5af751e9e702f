/// Reads the elements of RSS 0.90 to 2.0 and of RSS 1.0, with the extensions that feeds use.
enum RSSReader {
  /// Applies a child of `channel` to the facts of the feed.
  static func read(_ element: XMLElement, into feed: inout FeedFacts) {
    switch (element.name.vocabulary, element.name.word) {
    case (.rss, "title"): feed.title = feed.title ?? element.rssText
    case (.rss, "description"): feed.description = feed.description ?? element.rssText
    case (.itunes, "summary"), (.itunes, "subtitle"): feed.description = feed.description ?? element.rssText
    case (.rss, "link"): feed.link = feed.link ?? element.plainText.unlessEmpty
    case (.atom, "link"):
      let relation = String(decoding: element.attribute("rel") ?? [], as: UTF8.self)
      if relation == "self" { feed.selfLink = feed.selfLink ?? element.attribute("href") }
    case (.rss, "language"), (.dublinCore, "language"): feed.language = feed.language ?? element.plainText.unlessEmpty
    case (.rss, "image"): feed.image = feed.image ?? element.child(XMLName(.rss, "url"))?.plainText.unlessEmpty
    case (.itunes, "image"): feed.image = feed.image ?? element.attribute("href")
    case (.rss, "lastbuilddate"), (.rss, "pubdate"), (.dublinCore, "date"):
      feed.updated = feed.updated ?? element.plainText.unlessEmpty
    case (.rss, "ttl"), (.syndication, _), (.rss, "skiphours"), (.rss, "skipdays"):
      read(element, into: &feed.schedule)
    default: break
    }
  }

  private static func read(_ element: XMLElement, into schedule: inout FeedSchedule) {
    let text = String(decoding: element.plainText, as: UTF8.self).lowercased()
    switch element.name.word {
    case "ttl": if let minutes = Int(text), minutes > 0 { schedule.minutes = max(schedule.minutes ?? 0, minutes) }
    case "updateperiod":
      let minutes = ["hourly": 60, "daily": 1_440, "weekly": 10_080, "monthly": 43_200, "yearly": 525_600][text]
      if let minutes { schedule.minutes = max(schedule.minutes ?? 0, minutes) }
    case "updatefrequency":
      // The frequency follows the period, as in every feed that was seen.
      if let times = Int(text), times > 1, let minutes = schedule.minutes { schedule.minutes = max(1, minutes / times) }
    case "skiphours":
      // RSS 0.91 counts from 1 to 24, RSS 2.0 from 0.
      for hour in element.children {
        if let number = Int(String(decoding: hour.plainText, as: UTF8.self)) {
          if (0...24).contains(number) { schedule.skippedHours.insert(number % 24) }
        }
      }
    case "skipdays":
      let names = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
      for day in element.children {
        let name = String(decoding: day.plainText, as: UTF8.self).lowercased()
        if let number = names.firstIndex(of: name) { schedule.skippedDays.insert(number) }
      }
    default: break
    }
  }

  /// Returns the name of a person written as RSS wants it, `mail@example.org (Name)`, or the other way round. A mail
  /// address alone is the name.
  private static func personName(_ text: [UInt8]) -> [UInt8] {
    guard text.last == UInt8(ascii: ")"), let open = text.lastIndex(of: UInt8(ascii: "(")) else { return text }
    let (outside, inside) = (
      XMLElement.trim(Array(text[..<open])), XMLElement.trim(Array(text[(open + 1)...].dropLast()))
    )
    if outside.isEmpty || inside.isEmpty { return outside + inside }
    if outside.contains(UInt8(ascii: "@")) { return inside }
    return inside.contains(UInt8(ascii: "@")) ? outside : text
  }

  /// Returns the facts of an `item`.
  static func item(_ element: XMLElement, base: [UInt8]) -> ItemFacts {
    var item = ItemFacts(base: element.attribute("base", in: .xml) ?? base)
    for child in element.children { read(child, into: &item) }
    // RSS 1.0 names an item by its address; RSS 2.0's `guid` is an address unless it says otherwise.
    if item.id == nil { item.id = element.attribute("about", in: .rdf) }
    if item.link == nil, item.idIsLink, let id = item.id { item.link = id }
    return item
  }

  private static func read(_ element: XMLElement, into item: inout ItemFacts) {
    switch (element.name.vocabulary, element.name.word) {
    case (.rss, "title"): item.title = item.title ?? element.rssText
    case (.rss, "link"): item.link = item.link ?? element.plainText.unlessEmpty
    case (.atom, "link"):
      let relation = element.attribute("rel") ?? []
      if relation.isEmpty || relation == Array("alternate".utf8) { item.link = item.link ?? element.attribute("href") }
    case (.rss, "description"), (.itunes, "summary"), (.media, "description"):
      item.summary = item.summary ?? element.rssText
    case (.content, "encoded"), (.xhtml, "body"): item.content = element.rssText ?? item.content
    case (.rss, "guid"):
      guard item.id == nil, let id = element.plainText.unlessEmpty else { return }
      item.id = id
      let isPermanent = String(decoding: element.attribute("ispermalink") ?? [], as: UTF8.self).lowercased()
      item.idIsLink = isPermanent != "false" && (id.starts(with: "http://".utf8) || id.starts(with: "https://".utf8))
    case (.rss, "pubdate"), (.dublinCore, "date"), (.dublinCore, "issued"), (.atom, "published"), (.atom, "issued"):
      item.published = item.published ?? element.plainText.unlessEmpty
    case (.atom, "updated"), (.dublinCore, "modified"): item.updated = item.updated ?? element.plainText.unlessEmpty
    case (.rss, "author"), (.dublinCore, "creator"), (.itunes, "author"):
      if let name = personName(element.plainText).unlessEmpty { item.add(author: name) }
    case (.rss, "category"), (.dublinCore, "subject"):
      if let name = element.plainText.unlessEmpty { item.categories.append(name) }
    case (.rss, "enclosure"), (.media, "content"):
      guard let url = element.attribute("url") else { return }
      item.add(ItemFacts.Enclosure(url: url, mimeType: element.attribute("type") ?? []))
    case (.media, "group"): for child in element.children { read(child, into: &item) }
    default: break
    }
  }
}

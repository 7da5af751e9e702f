internal import Dates
internal import HTTPSupport
internal import Ingest
internal import Posts

/// The posts of a document that are new or changed, and the record of its items.
struct FeedPosts {
  /// The source of all feeds.
  static let source = "feed"
  /// The most attachments of a post.
  static let mediaLimit = 16
  /// The earliest plausible date: 1990-01-01.
  static let earliest = Instant(seconds: 631_152_000)

  private(set) var posts: [ImportedPost] = []
  private(set) var known: KnownItems
  /// The dates of all items of the document that have one.
  private(set) var dates: [Instant] = []
  /// The number of posts that are new.
  private(set) var newCount = 0
  /// The number of items known under other identifiers, and of those whose dates cannot be.
  private var renamedCount = 0
  private var misdatedCount = 0

  /// What is the matter with the items, as clauses; empty if all is well.
  var problems: [String] {
    (renamedCount > 0 ? ["\(renamedCount) with other identifiers"] : [])
      + (misdatedCount > 0 ? ["\(misdatedCount) without a possible date"] : [])
  }

  /// Compares the items of a document with those known before.
  ///
  /// - Parameters:
  ///   - feed: the feed's name at the daemon.
  ///   - url: the address of the document, after redirects.
  ///   - liftsEdited: gives a changed item the date of the change, so that it comes up again.
  init(
    _ document: FeedDocument, feed: FeedName, at url: WebURL, known before: KnownItems, liftsEdited: Bool = false,
    now: Instant
  ) {
    known = before
    let site = document.feed.link.flatMap { url.resolving($0) } ?? url
    let author = ImportedAuthor(nativeID: feed, handle: .empty, displayName: .empty)
    var items: [KnownItems.Item] = []
    for item in Self.identified(document.items, before: before, now: now) {
      if let date = item.ownDate {
        dates.append(date)
      } else if item.facts.published != nil || item.facts.updated != nil {
        misdatedCount += 1
      }
      if let known = item.known, known.id != item.id { renamedCount += 1 }
      guard !item.isForgotten else { continue }
      let (made, content) = Self.post(item, document.feed, site: site, documentURL: url, author: author)
      var post = made
      let isEdited = item.known.map { $0.content != content } ?? false
      if isEdited {
        post.body.flags.insert(.edited)
        if liftsEdited { post.createdAt = Instant(seconds: now.seconds) }
      }
      items.append(
        KnownItems.Item(id: item.id, post: item.post, other: item.other, content: content, date: post.createdAt))
      if item.known == nil { newCount += 1 }
      if item.known == nil || isEdited { posts.append(post) }
    }
    let current = Set(items.map(\.id))
    known = KnownItems(items + before.items.filter { !current.contains($0.id) })
  }

  // MARK: - Identity

  /// An item whose identity is known.
  private struct Identified {
    let facts: ItemFacts
    let id: UInt64
    var post: UInt64
    let other: UInt32
    var known: KnownItems.Item?
    /// The date that the document gives.
    let ownDate: Instant?
    var date: Instant
    /// True if it is older than all known items, of which some were forgotten.
    var isForgotten = false
  }

  private static func identified(_ facts: [ItemFacts], before: KnownItems, now: Instant) -> [Identified] {
    var items: [Identified] = []
    var taken: Set<UInt64> = []
    for (place, facts) in facts.enumerated() {
      let ownDate = date(of: facts, now: now)
      var id = identifier(of: facts)
      if !taken.insert(id).inserted {
        // Two items with one identifier: the second is known by its link too. A third is the second again.
        id = ItemHash(facts.id ?? [], facts.link ?? []).folded(bits: 48)
        guard taken.insert(id).inserted else { continue }
      }
      let known = before.item(id: id)
      let firstSeen = Instant(seconds: now.seconds - Int64(place))
      items.append(
        Identified(
          facts: facts, id: id, post: known?.post ?? id, other: otherName(of: facts), known: known, ownDate: ownDate,
          date: known?.date ?? ownDate ?? firstSeen))
    }
    recogniseRenamed(&items, before: before)
    guard before.isFull, let last = items.lastIndex(where: { $0.known != nil }) else { return items }
    for index in items.indices[(last + 1)...] { items[index].isForgotten = true }
    return items
  }

  /// A feed that gives all its items new identifiers has them recognised by their links, or by title and date: if that
  /// is so of four fifths of a document.
  private static func recogniseRenamed(_ items: inout [Identified], before: KnownItems) {
    let ids = Set(items.map(\.id))
    var renamed: [(index: Int, item: KnownItems.Item)] = []
    var taken: Set<UInt64> = []
    for (index, item) in items.enumerated() where item.known == nil {
      guard let known = before.item(other: item.other), !ids.contains(known.id) else { continue }
      if taken.insert(known.id).inserted { renamed.append((index, known)) }
    }
    guard !renamed.isEmpty, renamed.count * 5 >= items.count * 4 else { return }
    for (index, known) in renamed {
      items[index].known = known
      items[index].post = known.post
      items[index].date = known.date
    }
  }

  private static func identifier(of facts: ItemFacts) -> UInt64 {
    if let id = facts.id?.unlessEmpty { return ItemHash(id).folded(bits: 48) }
    if let link = facts.link?.unlessEmpty { return ItemHash(link).folded(bits: 48) }
    return ItemHash(
      facts.title?.bytes ?? [], facts.published ?? facts.updated ?? [], (facts.content ?? facts.summary)?.bytes ?? []
    ).folded(bits: 48)
  }

  private static func otherName(of facts: ItemFacts) -> UInt32 {
    let hash =
      facts.link?.unlessEmpty.map { ItemHash($0) } ?? ItemHash(facts.title?.bytes ?? [], facts.published ?? [])
    return UInt32(hash.folded(bits: 24))
  }

  /// Returns the date of an item; nil if it has none, or an implausible one.
  private static func date(of facts: ItemFacts, now: Instant) -> Instant? {
    for text in [facts.published, facts.updated] {
      guard let date = text.flatMap({ FeedDate.parse($0) }), date >= earliest,
        date <= now.adding(milliseconds: 24 * 3_600_000)
      else { continue }
      return Instant(seconds: date.seconds)
    }
    return nil
  }

  // MARK: - Posts

  /// Returns the post of an item, and a hash of its shown parts.
  private static func post(
    _ item: Identified, _ feed: FeedFacts, site: WebURL, documentURL: WebURL, author: ImportedAuthor
  ) -> (ImportedPost, UInt32) {
    let facts = item.facts
    let base = facts.base.isEmpty ? site : documentURL.resolving(facts.base) ?? site
    let (text, spans) = ItemText.post(title: facts.title, text: facts.content ?? facts.summary, base: base)
    let link = facts.link.flatMap { base.resolving($0)?.text } ?? ""
    // A post needs a text: that of an item without one is its address.
    var body = PostBody(text: text.hasVisibleCharacter ? text : SafeText(link.isEmpty ? "…" : link), spans: spans)
    if !text.hasVisibleCharacter { body.spans = TextSpans.find(in: body.text) }
    body.permalink = SafeText(line: link)
    body.language = SafeText(line: (feed.language ?? []).prefix(35))
    body.media = media(facts.enclosures, base: base)
    var content = ItemHash(body.text.utf8, body.permalink.utf8)
    for media in body.media { content.add(media.url.utf8) }
    let number = String(item.post, radix: 16)
    return (
      ImportedPost(source: source, nativeID: number, author: author, createdAt: item.date, body: body),
      UInt32(content.folded(bits: 24))
    )
  }

  private static func media(_ enclosures: [ItemFacts.Enclosure], base: WebURL) -> [Media] {
    enclosures.compactMap { enclosure in
      guard let url = base.resolving(enclosure.url) else { return nil }
      let type = String(decoding: enclosure.mimeType, as: UTF8.self).lowercased()
      let kind: Media.Kind =
        switch type.split(separator: "/").first {
        case "image": .image
        case "video": .video
        case "audio": .audio
        default: .unknown
        }
      return Media(kind: kind, url: SafeText(line: url.text), altText: SafeText(line: enclosure.title.prefix(1_000)))
    }.prefix(mediaLimit).map(\.self)
  }
}

internal import Dates
internal import Posts

/// Reads what is kept of sources, and what therefore has to go.
struct RetentionReader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// True if any rule or limit is set.
  func isSet() throws(StoreError) -> Bool {
    if try limit() > 0 { return true }
    return try connection.hasRow(RetentionQuery.hasRule)
  }

  /// Returns the sources and feeds with a rule, or of which posts were removed.
  func sources() throws(StoreError) -> [KeptSource] {
    try connection.rows(RetentionQuery.rules) { row in
      KeptSource(
        source: row.text(0), feed: row.integer(1),
        rule: KeepRule(days: row.optionalInteger(2), posts: row.optionalInteger(3)), removed: Int(row.integer(4)))
    }
  }

  /// Returns the rule in force for a feed, and how many of its posts were removed.
  func feed(_ number: Int64) throws(StoreError) -> (rule: KeepRule, isOwn: Bool, removed: Int) {
    guard let source = try connection.number(SourceQuery.find, StoredFeed.source) else {
      return (.everything, false, 0)
    }
    let own = try kept(source, number)
    let rule = if let rule = own?.rule { rule } else { try kept(source, 0)?.rule }
    return (rule ?? .everything, own?.rule != nil, own?.removed ?? 0)
  }

  private func kept(_ source: Int64, _ feed: Int64) throws(StoreError) -> (rule: KeepRule?, removed: Int)? {
    try connection.first(RetentionQuery.rule, source, feed) { row in
      (KeepRule(days: row.optionalInteger(0), posts: row.optionalInteger(1)), Int(row.integer(2)))
    }
  }

  /// The size above which old posts are removed; 0 for none.
  func limit() throws(StoreError) -> Int { try connection.count(RetentionQuery.limit) }

  /// Returns the size of the store, and its limit.
  func size() throws(StoreError) -> StoreSize {
    let page = try connection.integer("PRAGMA page_size")
    let pages = try connection.integer("PRAGMA page_count")
    let free = try connection.integer("PRAGMA freelist_count")
    return StoreSize(fileBytes: Int(pages * page), usedBytes: Int((pages - free) * page), limit: try limit())
  }

  /// Returns the removals that are due. O(feeds), and O(authors) of a source with a rule.
  func due(at now: Instant) throws(StoreError) -> [Pruning] {
    let kept = try sources()
    var due: [Pruning] = []
    let ofFeeds = kept.filter { $0.source == StoredFeed.source }
    let own = Dictionary(uniqueKeysWithValues: ofFeeds.map { ($0.feed, $0.rule) })
    let common = own[0] ?? nil
    if common != nil || ofFeeds.contains(where: { $0.rule != nil }) {
      let feeds = try connection.rows(RetentionQuery.feeds) { ($0.integer(0), AuthorID($0.integer(1))) }
      for (number, author) in feeds {
        guard let rule = (own[number] ?? nil) ?? common else { continue }
        let pruning = try self.pruning(.author(author), rule, now) { () throws(StoreError) in
          try connection.count(RetentionQuery.entriesOfAuthor, author)
        }
        guard let pruning, try connection.hasRow(RetentionQuery.hasOlder, author, pruning.end) else { continue }
        due.append(pruning)
      }
    }
    for source in kept where source.source != StoredFeed.source {
      guard let rule = source.rule, let number = try connection.number(SourceQuery.find, source.source) else {
        continue
      }
      let pruning = try self.pruning(.source(number), rule, now) { () throws(StoreError) in
        try connection.count(RetentionQuery.entriesOfSource, number)
      }
      if let pruning { due.append(pruning) }
    }
    if let pruning = try ofSize() { due.append(pruning) }
    return due
  }

  private func pruning(
    _ scope: Pruning.Scope, _ rule: KeepRule, _ now: Instant, _ count: () throws(StoreError) -> Int
  ) throws(StoreError) -> Pruning? {
    switch rule {
    case .everything: return nil
    case .days(let days):
      return Pruning(scope: scope, end: now.adding(milliseconds: -86_400_000 * Int64(days)), left: .max)
    case .posts(let posts):
      let surplus = try count() - posts
      return surplus > 0 ? Pruning(scope: scope, end: .distantFuture, left: surplus) : nil
    }
  }

  /// The removal that brings the store below its limit. The space of removed posts is not free at once, since the search
  /// index lets it go later, so the number of posts is estimated; what is too much still goes the next time.
  private func ofSize() throws(StoreError) -> Pruning? {
    let size = try size()
    let target = size.limit / 20 * 19
    guard size.limit > 0, size.usedBytes > size.limit else { return nil }
    let posts = try connection.count(RetentionQuery.entries)
    let surplus = Int(Double(posts) * Double(size.usedBytes - target) / Double(size.usedBytes)) + 1
    return Pruning(scope: .programs, end: .distantFuture, left: surplus, targetBytes: target)
  }
}

public import Posts

/// Something that an account wants of a source elsewhere, with the post that it is about.
public struct WantedElsewhere: Equatable, Sendable {
  /// What is wanted, and how that stands.
  public var entry: OutboxEntry
  /// The number of the post.
  public var id: PostID
  /// The post; nil where the account may not see it any more. One that it wants deleted it sees here and nowhere else.
  public var post: StoredPost?
  /// The name of the source.
  public var source: String
}

extension StoreReader {
  /// All that an account wants of sources elsewhere and that those have not done, in order. At most
  /// ``StoreLimits/outboxEntries``.
  public func outbox(of account: AccountID) throws(StoreError) -> [WantedElsewhere] {
    var rows: [(entry: OutboxEntry, post: PostID)] = []
    do {
      let statement = try connection.statement(.outboxOfAccount)
      defer { statement.reset() }
      statement.bind(1, account.rawValue)
      while try statement.step() { rows.append((OutboxEntry(row: statement), PostID(statement.integer(9)))) }
    }
    var wanted: [WantedElsewhere] = []
    for (entry, id) in rows {
      guard let name = try name(of: id) else { continue }
      let isOwn = entry.errand == .post || entry.errand == .delete
      let post = isOwn ? try post(id) : try post(id, visibleTo: account)
      wanted.append(WantedElsewhere(entry: entry, id: id, post: post, source: name.source))
    }
    return wanted
  }

  /// What the source of a post calls it, and the source.
  func name(of post: PostID) throws(StoreError) -> (source: String, nativeID: String)? {
    let statement = try connection.statement(.nameOf)
    defer { statement.reset() }
    statement.bind(1, post.rawValue)
    return try statement.step() ? (statement.text(0), statement.text(1)) : nil
  }
}

extension OutboxEntry {
  /// Reads the columns that ``Query`` calls `wanted`.
  init(row: Statement) {
    self.init(
      sequence: row.integer(0), request: row.text(1), account: AccountID(row.integer(2)),
      Errand(rawValue: row.integer(3)) ?? .favourite,
      wanted: row.integer(5) != 0, kept: row.integer(8))
    truth = row.integer(4) != 0
    asked = row.optionalInteger(6).map { $0 != 0 }
    failure = row.isNull(7) ? nil : SafeText(trusted: row.bytes(7))
  }
}

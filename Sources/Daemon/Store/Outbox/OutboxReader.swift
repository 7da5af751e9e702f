internal import Dates
internal import Posts

/// Reads the outbox.
struct OutboxReader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// See ``StoreReader/outbox(of:)``.
  func items(of account: AccountID) throws(StoreError) -> [WantedElsewhere] {
    let posts = PostReader(connection)
    var wanted: [WantedElsewhere] = []
    for (entry, id) in try connection.rows(OutboxQuery.ofAccount, account, read: OutboxEntry.withPost(row:)) {
      guard let name = try posts.name(of: id) else { continue }
      let isOwn = [.post, .delete, .edit].contains(entry.operation)
      let post = isOwn ? try posts.post(id) : try posts.post(id, visibleTo: account)
      wanted.append(WantedElsewhere(entry: entry, id: id, post: post, source: name.source))
    }
    return wanted
  }

  /// Returns true if actions on a post wait for its source.
  func hasEntries(of post: PostID) throws(StoreError) -> Bool { try connection.hasRow(OutboxQuery.ofPost, post) }

  /// Returns all outbox entries of a post.
  func outbox(of post: PostID, epoch: UInt64) throws(StoreError) -> PostOutbox {
    let entries = try connection.rows(OutboxQuery.ofPost, post, read: OutboxEntry.init(row:))
    let last = try connection.number(OutboxQuery.number) ?? 0
    return PostOutbox(entries, numbers: OutboxNumbers(prefix: String(epoch, radix: 16), last: last))
  }

  /// Returns the stored part of what a source is sent about a post; nil if there is no such post.
  func upstreamPost(_ post: PostID) throws(StoreError) -> UpstreamPost? {
    try connection.first(OutboxQuery.upstreamPost, post) { row in
      UpstreamPost(
        source: row.integer(0), nativeID: row.text(1), body: PackedBody(trusted: row.bytes(2)),
        replyKey: row.optionalText(3), parent: row.optionalInteger(4).map { PostID($0) },
        owner: AccountID(row.integer(5)), createdAt: Instant(milliseconds: row.integer(6)), server: row.integer(7))
    }
  }

  /// Returns the other names that a source has given a post, as far as a program is told them: the shortest ones.
  func aliases(of post: PostID, in source: Int64) throws(StoreError) -> [String] {
    try connection.rows(OutboxQuery.aliases, post, source, UpstreamCommand.aliasLimit, UpstreamCommand.aliasCount) {
      $0.text(0)
    }
  }

  /// Returns the posts of a source with something to send, in order; at most `limit`.
  func waiting(_ source: Int64, after sequence: Int64, limit: Int) throws(StoreError) -> [(
    sequence: Int64, post: PostID
  )] {
    try connection.rows(OutboxQuery.waiting, source, sequence, limit) { ($0.integer(0), PostID($0.integer(1))) }
  }

  /// Returns the entries that a source was sent and has not answered, in order.
  func asked(_ source: Int64) throws(StoreError) -> [(entry: OutboxEntry, post: PostID)] {
    try connection.rows(OutboxQuery.asked, source, read: OutboxEntry.withPost(row:))
  }

  /// Returns the post of the request with this name.
  func post(askedAs request: String) throws(StoreError) -> PostID? {
    try connection.number(OutboxQuery.post, request).map { PostID($0) }
  }
}

/// The stored part of what a source is sent about a post.
struct UpstreamPost {
  var source: Int64
  var nativeID: String
  var body: PackedBody
  var replyKey: String?
  var parent: PostID?
  var owner: AccountID
  var createdAt: Instant
  /// The server whose word it is; 0 for none.
  var server: Int64
}

extension OutboxEntry {
  /// Reads the columns that ``OutboxQuery`` calls `wanted`.
  fileprivate init(row: Statement) {
    self.init(
      sequence: row.integer(0), request: row.text(1), account: AccountID(row.integer(2)),
      Operation(rawValue: row.integer(3)) ?? .favourite,
      wanted: row.integer(5) != 0, kept: row.integer(8))
    login = row.text(13)
    truth = row.integer(4) != 0
    asked = row.optionalInteger(6).map { $0 != 0 }
    failure = row.isNull(7) ? nil : SafeText(trusted: row.bytes(7))
    guard !row.isNull(10) else { return }
    func text(_ column: Int32) -> EditableText { EditableText(of: PackedBody(trusted: row.bytes(column))) }
    texts = EditTexts(former: text(10), wanted: text(11), sent: row.isNull(12) ? nil : text(12))
  }

  /// Reads the same columns and the post ID.
  fileprivate static func withPost(row: Statement) -> (entry: OutboxEntry, post: PostID) {
    (OutboxEntry(row: row), PostID(row.integer(9)))
  }
}

internal import Dates
internal import Posts

/// Exports posts in the form in which an importer reads them.
struct ExportReader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// See ``StoreReader/exportPage(after:limit:visibleTo:publicOnly:)``.
  func page(
    after key: OrderKey?, limit: Int, visibleTo account: AccountID, publicOnly: Bool
  ) throws(StoreError) -> ExportPage {
    let after = key ?? .lowest
    let rows = try connection.rows(
      ExportQuery.page, after.createdAt, after.id, account, publicOnly, max(limit, 0)
    ) { row in
      ExportRow(row: row, for: account)
    }
    var page = ExportPage(posts: [], next: rows.count >= limit ? rows.last?.key : nil, damaged: [])
    for row in rows {
      if let post = try imported(row, for: account) { page.posts.append(post) } else { page.damaged.append(row.id) }
    }
    return page
  }

  /// Returns the row as an importer reads it, with aliases and original; nil if a body is damaged.
  private func imported(_ row: ExportRow, for account: AccountID) throws(StoreError) -> ImportedPost? {
    guard var post = row.post else { return nil }
    post.aliases = try aliases(of: row.id)
    guard let originalID = row.repostOf else { return post }
    let found = try connection.first(ExportQuery.post, originalID) { ExportRow(row: $0, for: account).post }
    guard var original = found ?? nil else { return nil }
    original.aliases = try aliases(of: originalID)
    post.original = [original]
    return post
  }

  private func aliases(of id: PostID) throws(StoreError) -> [String] {
    try connection.rows(ExportQuery.aliases, id) { $0.text(0) }
  }
}

/// The columns that ``ExportQuery`` calls `exported`.
private struct ExportRow {
  var key: OrderKey
  var id: PostID { key.id }
  /// The post without aliases and original; nil if its body is damaged.
  var post: ImportedPost?
  var repostOf: PostID?

  /// The account's own marks are exported as flags, so that an import elsewhere keeps them. Marks of others are left
  /// out, and so is the source's own JSON for everyone but the owner, because it may reveal the owner's. Counts are the
  /// source's, so that importing one's own export counts nothing twice: replies are posts of the export themselves.
  init(row: Statement, for account: AccountID) {
    key = OrderKey(createdAt: Instant(milliseconds: row.integer(3)), id: PostID(row.integer(0)))
    repostOf = row.optionalInteger(6).map { PostID($0) }
    guard var body = PackedBody(trusted: row.bytes(5)).unpacked() else { return }
    let isOwner = row.integer(12) == account.rawValue
    let owner = AccountID(row.integer(12))
    let mark = PostMarks(trusted: row.bytes(13)).mark(of: account, owner: owner, imported: body.flags)
    body.flags.subtract(.ofAccount)
    body.flags.formUnion(mark.flags)
    let author = ImportedAuthor(
      nativeID: row.text(7), handle: SafeText(trusted: row.bytes(8)), displayName: SafeText(trusted: row.bytes(9)),
      avatarURL: SafeText(trusted: row.bytes(10)))
    post = ImportedPost(
      source: row.text(1), nativeID: row.text(2), author: author, createdAt: Instant(milliseconds: row.integer(3)),
      body: body, inReplyTo: row.optionalText(4), native: isOwner ? row.bytes(11) : [])
  }
}

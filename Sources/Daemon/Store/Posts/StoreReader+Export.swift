internal import Dates
public import Posts

extension StoreReader {
  /// At most `limit` entries with all that importing them again needs: native ids, aliases, reply keys, native
  /// JSON.
  ///
  /// A post that its source has yet to take is left out: it has no name there, and would come twice. Those that
  /// `account` may see; with `publicOnly` the public and unlisted ones alone. Originals that are entries themselves
  /// come twice, as themselves and within their reposts.
  public func exportPage(
    after id: PostID? = nil, limit: Int, visibleTo account: AccountID, publicOnly: Bool = false
  ) throws(StoreError) -> ExportPage {
    var rows: [ExportRow] = []
    do {
      let statement = try connection.statement(.exportPage)
      defer { statement.reset() }
      statement.bind(1, id?.rawValue ?? 0)
      statement.bind(2, account.rawValue)
      statement.bind(3, publicOnly ? 1 : 0)
      statement.bind(4, Int64(max(limit, 0)))
      while try statement.step() { rows.append(ExportRow(row: statement, for: account)) }
    }
    var page = ExportPage(posts: [], next: rows.count >= limit ? rows.last?.id : nil, damaged: [])
    for row in rows {
      if let post = try imported(row, for: account) { page.posts.append(post) } else { page.damaged.append(row.id) }
    }
    return page
  }

  /// The row as an importer read it, with aliases and original; nil where a body is damaged.
  private func imported(_ row: ExportRow, for account: AccountID) throws(StoreError) -> ImportedPost? {
    guard var post = row.post else { return nil }
    post.aliases = try aliases(of: row.id)
    guard let originalID = row.repostOf else { return post }
    let statement = try connection.statement(.exportPost)
    defer { statement.reset() }
    statement.bind(1, originalID.rawValue)
    guard try statement.step(), var original = ExportRow(row: statement, for: account).post else { return nil }
    original.aliases = try aliases(of: originalID)
    post.original = [original]
    return post
  }

  private func aliases(of id: PostID) throws(StoreError) -> [String] {
    let statement = try connection.statement(.aliasesOf)
    defer { statement.reset() }
    statement.bind(1, id.rawValue)
    var aliases: [String] = []
    while try statement.step() { aliases.append(statement.text(0)) }
    return aliases
  }
}

/// The columns that ``Query`` calls `exported`.
private struct ExportRow {
  var id: PostID
  /// Without aliases and original; nil where its body is damaged.
  var post: ImportedPost?
  var repostOf: PostID?

  /// What the account has done to the post is told as an importer would: importing it elsewhere keeps that. What others
  /// did is left out, and so is the source's own JSON for all but the owner, because it may tell of that. Counts are
  /// the source's, so that importing one's own export counts nothing twice: answers are posts of the export themselves.
  init(row: Statement, for account: AccountID) {
    id = PostID(row.integer(0))
    repostOf = row.optionalInteger(6).map { PostID($0) }
    guard var body = PackedBody(trusted: row.bytes(5)).unpacked() else { return }
    let isOwner = row.integer(12) == account.rawValue
    let owner = AccountID(row.integer(12))
    let mark = PostMarks(trusted: row.bytes(13)).mark(of: account, owner: owner, imported: body.flags)
    body.flags.subtract([.favourited, .reposted, .saved])
    body.flags.formUnion(mark.flags)
    let author = ImportedAuthor(
      nativeID: row.text(7), handle: SafeText(trusted: row.bytes(8)), displayName: SafeText(trusted: row.bytes(9)),
      avatarURL: SafeText(trusted: row.bytes(10)))
    post = ImportedPost(
      source: row.text(1), nativeID: row.text(2), author: author, createdAt: Instant(milliseconds: row.integer(3)),
      body: body, inReplyTo: row.optionalText(4), native: isOwner ? row.bytes(11) : [])
  }
}

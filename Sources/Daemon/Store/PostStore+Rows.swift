internal import Dates
internal import Posts

/// The one place where rows of `posts` are made, changed and taken away: whatever follows them (what lists and what an index
/// have of them) is told here.
extension PostStore {
  /// Looks for the copy of `row`'s post that its owner may update: the owner's private one, else the shared one.
  ///
  /// The shared copy may be updated by everyone while it is for everyone, and made private by its owner only. So nobody can
  /// read, change or hide what is not theirs by importing a post of the same name; they get a copy of their own.
  func find(_ row: PostRow) throws(StoreError) -> Found {
    let statement = try connection.statement(.findPost)
    defer { statement.reset() }
    statement.bind(1, row.source)
    statement.bind(2, text: row.nativeID)
    var found = Found()
    while try statement.step() {
      let scope = statement.integer(1)
      let owner = AccountID(statement.integer(2))
      guard scope == 0 || scope == row.owner.rawValue else { continue }
      found.isSharedTaken = scope == 0
      let staysShared = statement.integer(5) == Audience.everyone.column && row.audience == .everyone
      guard scope != 0 || owner == row.owner || staysShared else { continue }
      found.row = stored(statement, comparedWith: row)
      if scope != 0 { break }
    }
    return found
  }

  /// The row that `statement` is at.
  private func stored(_ statement: Statement, comparedWith row: PostRow) -> StoredRow {
    let hasSameReplyKey = statement.column(9, equals: row.replyKey)
    let isSame =
      hasSameReplyKey && statement.integer(3) == row.author.rawValue
      && statement.integer(4) == row.createdAt.milliseconds
      && statement.optionalInteger(7) == row.original?.id.rawValue && statement.column(10, equals: row.body.bytes)
    return StoredRow(
      id: PostID(statement.integer(0)), owner: AccountID(statement.integer(2)),
      audience: Audience(column: statement.integer(5)), isEntry: statement.integer(6) != 0,
      replyTo: statement.optionalInteger(8).map { PostID($0) }, isSame: isSame, hasSameReplyKey: hasSameReplyKey)
  }

  /// Adds a row and counts it.
  func insert(_ row: PostRow) throws(StoreError) {
    let statement = try connection.statement(.insertPost)
    defer { statement.reset() }
    statement.bind(1, row.id.rawValue)
    statement.bind(2, row.source)
    statement.bind(3, text: row.nativeID)
    statement.bind(4, row.scope)
    statement.bind(5, row.owner.rawValue)
    statement.bind(6, row.author.rawValue)
    statement.bind(7, row.createdAt.milliseconds)
    statement.bind(8, Int64(row.visibility.rawValue))
    statement.bind(9, row.audience.column)
    statement.bind(10, row.isEntry ? 1 : 0)
    statement.bind(11, row.original?.id.rawValue)
    statement.bind(12, row.replyTo?.rawValue)
    statement.bind(13, text: row.replyKey)
    statement.bind(14, blob: row.body.bytes)
    _ = try statement.step()
    noteChange()
    if row.isEntry { transaction!.tallies[row.audience, default: 0] += 1 }
    if row.isWaiting { transaction!.hasWaiting[row.source] = true }
  }

  /// Writes `row` over `stored`, whose number, scope and owner stay.
  func update(_ stored: StoredRow, to row: PostRow) throws(StoreError) {
    let statement = try connection.statement(.updatePost)
    defer { statement.reset() }
    statement.bind(1, stored.id.rawValue)
    statement.bind(2, row.author.rawValue)
    statement.bind(3, row.createdAt.milliseconds)
    statement.bind(4, Int64(row.visibility.rawValue))
    statement.bind(5, row.audience.column)
    statement.bind(6, row.isEntry ? 1 : 0)
    statement.bind(7, row.original?.id.rawValue)
    statement.bind(8, row.replyTo?.rawValue)
    statement.bind(9, text: row.replyKey)
    statement.bind(10, blob: row.body.bytes)
    _ = try statement.step()
    noteChange()
    if stored.isEntry { transaction!.tallies[stored.audience, default: 0] -= 1 }
    if row.isEntry { transaction!.tallies[row.audience, default: 0] += 1 }
    if row.isWaiting { transaction!.hasWaiting[row.source] = true }
  }

  /// Keeps the source's own JSON of a post; an empty one replaces nothing.
  func keep(native: [UInt8], of id: PostID) throws(StoreError) {
    if native.isEmpty { return }
    let statement = try connection.statement(.insertNative)
    defer { statement.reset() }
    statement.bind(1, id.rawValue)
    statement.bind(2, blob: native)
    _ = try statement.step()
    noteChange()
  }

  /// Gives a post another name; true if it did not have it yet.
  func add(alias: String, source: Int64, of id: PostID) throws(StoreError) -> Bool {
    let statement = try connection.statement(.insertAlias)
    defer { statement.reset() }
    statement.bind(1, source)
    statement.bind(2, text: alias)
    statement.bind(3, id.rawValue)
    _ = try statement.step()
    guard connection.changes > 0 else { return false }
    noteChange()
    transaction!.hasAliases[source] = true
    return true
  }
}

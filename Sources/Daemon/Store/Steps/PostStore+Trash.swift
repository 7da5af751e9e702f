internal import Dates
internal import Posts

/// Posts that are away because of a step, and come back when it is taken back: with their numbers, names, marks and
/// reposts.
extension PostStore {
  /// Takes a post of an account away with its reposts, into the trash of a step.
  func throwAway(_ post: ListedPost, into step: StepID) throws(StoreError) {
    transaction!.trash = step
    defer { transaction!.trash = nil }
    try remove(post)
  }

  /// Keeps a row that is about to be deleted, where that is a step.
  func keepForStep(_ id: PostID) throws(StoreError) {
    guard let step = transaction!.trash else { return }
    let statement = try connection.statement(.throwAway)
    defer { statement.reset() }
    statement.bind(1, id.rawValue)
    statement.bind(2, step.account.rawValue)
    statement.bind(3, step.number)
    _ = try statement.step()
  }

  /// Brings a post back that a step has thrown away, and its reposts; `isMarked`: it is a repost, and its original told
  /// of it.
  ///
  /// - Throws: a `Refusal` where it is not in the trash, or something is called so by now; nothing has changed then.
  func bringBack(_ id: PostID, of step: StepID, isMarked: Bool) throws {
    let rows = try trash(of: step)
    guard let first = rows.first(where: { $0.row.id == id }) else { throw Refusal.noSuchPost(id) }
    if try isNameTaken(first.row) { throw Refusal.isThereAgain(id) }
    if let original = first.original, try post(original) == nil { throw Refusal.noSuchPost(original) }
    try bringBack(rows, step)
    guard isMarked, let original = first.original, var subject = try post(original) else { return }
    if subject.set(.reposted, true, of: step.account) { try save(subject.marks, of: original) }
  }

  /// Brings those reposts back that a step has thrown away. False where there are none.
  func bringBackReposts(of step: StepID) throws(StoreError) -> Bool {
    let rows = try trash(of: step)
    try bringBack(rows, step)
    return !rows.isEmpty
  }

  private func bringBack(_ rows: [TrashedPost], _ step: StepID) throws(StoreError) {
    // What was reposted has a lower number than its reposts, or is not of this step.
    for trashed in rows {
      guard try !isNameTaken(trashed.row) else { continue }
      var row = trashed.row
      if let original = trashed.original {
        guard let post = try post(original) else { continue }
        row.original = (original, post.audience)
      }
      if let parent = row.replyTo, try post(parent) == nil { row.replyTo = nil }
      if row.replyTo == nil, let key = row.replyKey {
        row.replyTo = try target(of: key, source: row.source, owner: row.owner)
      }
      try insert(row)
      if !trashed.marks.bytes.isEmpty { try save(trashed.marks, of: row.id) }
      // Answers may have come and gone since then.
      transaction!.answered.insert(row.id)
      try keep(native: trashed.native, of: row.id)
      for alias in try texts(.trashedAliases, step, row.id) {
        _ = try add(alias: alias, source: row.source, of: row.id)
      }
      for account in try numbers(.trashedImporters, step, row.id) {
        _ = try fileImported(row.orderKey, audience: row.audience, by: AccountID(account))
      }
      transaction!.changes.removed.removeAll { $0.id == row.id }
      transaction!.touch(row.id)
      try connectWaiting(to: row, called: try texts(.trashedAliases, step, row.id))
    }
    let statement = try connection.statement(.emptyTrash)
    defer { statement.reset() }
    bind(step, statement)
    _ = try statement.step()
  }

  /// Has the answers that have waited for a post since it went answer it again.
  private func connectWaiting(to row: PostRow, called aliases: [String]) throws(StoreError) {
    var replies: [PostID] = []
    for name in [row.nativeID] + aliases {
      replies += try repliesWaiting(for: name, source: row.source, audience: row.audience)
    }
    if let source = try name(ofSource: row.source) {
      replies += try localRepliesWaiting(for: row.nativeID, source: source, audience: row.audience)
    }
    for reply in replies where reply != row.id {
      try connect(reply, to: row.original?.id ?? row.id)
      transaction!.touch(reply)
      for repost in try reposts(of: reply) { transaction!.touch(repost.id) }
    }
  }

  // MARK: Rows

  private func trash(of step: StepID) throws(StoreError) -> [TrashedPost] {
    let statement = try connection.statement(.trash)
    defer { statement.reset() }
    bind(step, statement)
    var rows: [TrashedPost] = []
    while try statement.step() { rows.append(TrashedPost(row: statement)) }
    return rows
  }

  private func isNameTaken(_ row: PostRow) throws(StoreError) -> Bool {
    let statement = try connection.statement(.isNameTaken)
    defer { statement.reset() }
    statement.bind(1, row.source)
    statement.bind(2, text: row.nativeID)
    statement.bind(3, row.scope)
    return try statement.step() && statement.integer(0) != 0
  }

  private func name(ofSource id: Int64) throws(StoreError) -> String? {
    let statement = try connection.statement(.sourceName)
    defer { statement.reset() }
    statement.bind(1, id)
    return try statement.step() ? statement.text(0) : nil
  }

  private func texts(_ query: Query, _ step: StepID, _ id: PostID) throws(StoreError) -> [String] {
    let statement = try values(query, step, id)
    defer { statement.reset() }
    var texts: [String] = []
    while try statement.step() { texts.append(statement.text(0)) }
    return texts
  }

  private func numbers(_ query: Query, _ step: StepID, _ id: PostID) throws(StoreError) -> [Int64] {
    let statement = try values(query, step, id)
    defer { statement.reset() }
    var numbers: [Int64] = []
    while try statement.step() { numbers.append(statement.integer(0)) }
    return numbers
  }

  private func values(_ query: Query, _ step: StepID, _ id: PostID) throws(StoreError) -> Statement {
    let statement = try connection.statement(query)
    bind(step, statement)
    statement.bind(3, id.rawValue)
    return statement
  }

  private func bind(_ step: StepID, _ statement: Statement) {
    statement.bind(1, step.account.rawValue)
    statement.bind(2, step.number)
  }
}

/// A post in the trash.
private struct TrashedPost {
  var row: PostRow
  /// What it reposts.
  var original: PostID?
  var marks: PostMarks
  var native: [UInt8]

  init(row statement: Statement) {
    let body = PackedBody(trusted: statement.bytes(13))
    row = PostRow(
      id: PostID(statement.integer(0)), source: statement.integer(1), nativeID: statement.text(2),
      scope: statement.integer(3),
      owner: AccountID(statement.integer(4)), author: AuthorID(statement.integer(5)),
      createdAt: Instant(milliseconds: statement.integer(6)), visibility: Visibility(column: statement.integer(7)),
      ownAudience: Audience(number: statement.integer(8)), isEntry: statement.integer(9) != 0, original: nil,
      replyTo: statement.optionalInteger(11).map { PostID($0) }, replyKey: statement.optionalText(12), body: body,
      mentions: body.mentions)
    original = statement.optionalInteger(10).map { PostID($0) }
    marks = PostMarks(trusted: statement.bytes(14))
    native = statement.bytes(15)
  }
}

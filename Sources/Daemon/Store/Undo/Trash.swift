internal import Posts

/// Posts that are away because of a step, and come back when it is taken back: with their numbers, names, marks and
/// reposts.
struct Trash {
  private let transaction: Transaction
  private let trash: TrashRows
  private let posts: PostReader
  private let sources: Sources
  private let rows: PostRows
  private let marks: MarkRows
  private let answers: AnswerCounts
  private let replies: ReplyTargets
  private let filing: Filing

  init(
    _ connection: Connection, _ transaction: Transaction, sources: Sources, rows: PostRows, marks: MarkRows,
    answers: AnswerCounts, replies: ReplyTargets, filing: Filing
  ) {
    self.transaction = transaction
    trash = TrashRows(connection)
    posts = PostReader(connection)
    (self.sources, self.rows, self.marks) = (sources, rows, marks)
    (self.answers, self.replies, self.filing) = (answers, replies, filing)
  }

  /// Brings a post back that a step has thrown away, and its reposts; `isMarked`: it is a repost, and its original told
  /// of it.
  ///
  /// - Throws: a `Refusal` where it is not in the trash, or something is called so by now; nothing has changed then.
  func bringBack(_ id: PostID, of step: StepID, isMarked: Bool) throws {
    let trashed = try trash.posts(of: step)
    guard let first = trashed.first(where: { $0.row.id == id }) else { throw Refusal.noSuchPost(id) }
    if try trash.isTaken(first.row.name) { throw Refusal.isThereAgain(id) }
    if let original = first.original, try posts.post(original) == nil { throw Refusal.noSuchPost(original) }
    try bringBack(trashed, step)
    guard isMarked, let original = first.original, var subject = try posts.post(original) else { return }
    if subject.set(.reposted, true, of: step.account) { try marks.save(subject.marks, of: original) }
  }

  /// Brings those reposts back that a step has thrown away. False where there are none.
  func bringBackReposts(of step: StepID) throws(StoreError) -> Bool {
    let trashed = try trash.posts(of: step)
    try bringBack(trashed, step)
    return !trashed.isEmpty
  }

  private func bringBack(_ posts: [TrashedPost], _ step: StepID) throws(StoreError) {
    // What was reposted has a lower number than its reposts, or is not of this step.
    for trashed in posts where try !trash.isTaken(trashed.row.name) { try bringBack(trashed, step) }
    try trash.empty(step)
  }

  private func bringBack(_ trashed: TrashedPost, _ step: StepID) throws(StoreError) {
    var row = trashed.row
    if let original = trashed.original {
      guard let post = try posts.post(original) else { return }
      row.original = (original, post.audience)
    }
    if let parent = row.reply.to, try posts.post(parent) == nil { row.reply.to = nil }
    if row.reply.to == nil, let key = row.reply.key {
      row.reply.to = try replies.target(of: key, source: row.name.source, owner: row.owner)
    }
    try rows.insert(row)
    if !trashed.marks.bytes.isEmpty { try marks.save(trashed.marks, of: row.id) }
    // Answers may have come and gone since then.
    answers.renew(row.id)
    try rows.keep(native: trashed.native, of: row.id)
    let aliases = try trash.aliases(row.id, of: step)
    for alias in aliases { _ = try rows.add(alias: alias, source: row.name.source, of: row.id) }
    for account in try trash.importers(row.id, of: step) {
      _ = try filing.fileImported(row.orderKey, audience: row.audience, by: account)
    }
    transaction.noteReturned(row.id)
    transaction.touch(row.id)
    try connectWaiting(to: row, called: aliases)
  }

  /// Has the answers that have waited for a post since it went answer it again.
  private func connectWaiting(to row: PostRow, called aliases: [String]) throws(StoreError) {
    var waiting: [PostID] = []
    for name in [row.name.nativeID] + aliases {
      waiting += try replies.waiting(for: name, source: row.name.source, audience: row.audience)
    }
    if let source = try sources.name(of: row.name.source) {
      waiting += try replies.localWaiting(for: row.name.nativeID, source: source, audience: row.audience)
    }
    for reply in waiting where reply != row.id {
      try rows.connect(reply, to: row.original?.id ?? row.id)
      transaction.touch(reply)
      for repost in try posts.reposts(of: reply) { transaction.touch(repost.id) }
    }
  }
}

internal import Dates
internal import Posts

/// Stores what importers read.
struct Importing {
  private let connection: Connection
  private let transaction: Transaction
  private let posts: PostReader
  private let sources: Sources
  private let authors: Authors
  private let standings: ImportStanding
  private let rows: PostRows
  private let filing: Filing
  private let replies: ReplyTargets
  private let outbox: Outbox
  private let gaps: Gaps

  init(
    _ connection: Connection, _ transaction: Transaction, sources: Sources, authors: Authors,
    standings: ImportStanding, rows: PostRows, filing: Filing, replies: ReplyTargets, outbox: Outbox, gaps: Gaps
  ) {
    (self.connection, self.transaction) = (connection, transaction)
    posts = PostReader(connection)
    (self.sources, self.authors, self.standings, self.rows) = (sources, authors, standings, rows)
    (self.filing, self.replies, self.outbox, self.gaps) = (filing, replies, outbox, gaps)
  }

  /// Stores what an importer read and tells what changed by it.
  func importBatch(_ imported: [ImportedPost], owner: AccountID) throws -> ImportReport {
    _ = try AccountReader(connection).existing(owner)
    var batch = ImportPass(owner: owner, size: imported.count)
    var arrivals: [(source: String, createdAt: Instant)] = []
    for (index, post) in imported.enumerated() {
      let standing = post.isStorable ? try standings.assess(post, for: owner) : .refused
      if standing == .refused {
        let reason = post.isStorable ? RefusedPost.Reason.anotherAccount : .unusableName
        batch.report.refused.append(RefusedPost(index: index, reason: reason))
        continue
      }
      switch try upsert(post, standing, isEntry: true, &batch).change {
      case .new:
        batch.report.new += 1
        arrivals.append((post.source, post.createdAt))
      case .changed: batch.report.changed += 1
      case .same: batch.report.same += 1
      }
    }
    try gaps.countArrivals(arrivals, of: owner)
    for touched in batch.touched {
      var post = touched.post
      if post == nil { post = try posts.post(touched.id) }
      guard let post else { continue }
      transaction.report(post)
      if touched.isEntry { batch.report.entries.append(post) } else { batch.report.originals.append(post) }
    }
    return batch.report
  }

  /// Stores a post that is not refused, its original first.
  private func upsert(
    _ post: ImportedPost, _ standing: Standing, isEntry: Bool, _ batch: inout ImportPass
  ) throws -> (id: PostID, audience: Audience, change: Change) {
    if case .unchanged(let id, let audience) = standing { return (id, audience, .same) }
    let source = try sources.number(of: post.source)
    let author = try authors.upsert(post.author, source: source, by: batch.owner)
    if author.isChanged { batch.note(author.author) }
    var original: (id: PostID, audience: Audience, change: Change)?
    if let embedded = post.original.first {
      let standing = try standings.assess(embedded, for: batch.owner)
      original = try upsert(embedded, standing, isEntry: false, &batch)
    }
    let visibility = post.body.visibility
    let body = original == nil ? post.body : PostBody(text: .empty, visibility: visibility)
    var row = PostRow(
      id: PostID(0), name: PostName(source: source, nativeID: post.nativeID, scope: 0), owner: batch.owner,
      author: author.author.id, createdAt: post.createdAt, visibility: visibility,
      ownAudience: Audience(visibility: visibility, owner: batch.owner), isEntry: isEntry,
      original: original.map { ($0.id, $0.audience) },
      reply: ReplyReference(to: nil, key: original == nil ? post.inReplyTo : nil), body: PackedBody(body),
      mentions: body.mentions)
    var found = try rows.find(row)
    if let stored = found.row, try standings.keepsAuthor(stored, batch.owner) {
      row.author = stored.author
      found = try rows.find(row)
    }
    var change = Change.same
    if let stored = found.row {
      change = try update(stored, with: post, &row, &batch)
    } else {
      row.name.scope = found.isSharedTaken || row.audience != .everyone ? batch.owner.rawValue : 0
      try insert(post, &row, &batch)
      change = .new
    }
    if change == .same, original?.change == .changed { change = .changed }
    return (row.id, row.audience, change)
  }

  private func insert(_ post: ImportedPost, _ row: inout PostRow, _ batch: inout ImportPass) throws(StoreError) {
    row.id = transaction.nextPostID()
    if let key = row.reply.key {
      row.reply.to = try replies.target(of: key, source: row.name.source, owner: row.owner)
    }
    try rows.insert(row)
    batch.touch(row.id, isEntry: row.isEntry, post: row.original == nil ? row.shown : nil)
    try rows.keep(native: post.native, of: row.id)
    for alias in post.aliases { _ = try rows.add(alias: alias, source: row.name.source, of: row.id) }
    try connectReplies(to: row, of: post, called: [row.name.nativeID] + post.aliases, &batch)
  }

  private func update(
    _ stored: StoredRow, with post: ImportedPost, _ row: inout PostRow, _ batch: inout ImportPass
  ) throws(StoreError) -> Change {
    row.id = stored.id
    guard try standings.mayChange(stored, batch.owner) else { return try take(stored, &row, &batch) }
    let isWanted = row.isEntry
    row.owner = stored.owner
    row.ownAudience = try outbox.isUndecided(stored.id) ? stored.audience : ownAudience(of: row, storedAs: stored)
    row.isEntry = row.isEntry || stored.isEntry
    var change = Change.same
    var names: [String] = []
    for alias in post.aliases where try rows.add(alias: alias, source: row.name.source, of: row.id) {
      names.append(alias)
    }
    if !names.isEmpty { change = .changed }
    if !stored.comparison.isSame || row.isEntry != stored.isEntry || row.audience != stored.audience {
      row.reply.to = stored.comparison.hasSameReplyKey ? stored.replyTo : nil
      if row.reply.to == nil, let key = row.reply.key {
        row.reply.to = try replies.target(of: key, source: row.name.source, owner: row.owner)
      }
      try rows.update(stored, to: row)
      if stored.isAheadOfCounts { try outbox.noteCounts(of: row.id) }
      try rows.keep(native: post.native, of: row.id)
      batch.touch(row.id, isEntry: row.isEntry)
      try renewReposts(of: row.id, audience: row.audience, &batch)
      if row.audience != stored.audience { names = [row.name.nativeID] + post.aliases }
      change = .changed
    }
    if isWanted, batch.owner != stored.owner,
      try filing.fileImported(row.orderKey, audience: row.audience, by: batch.owner)
    {
      batch.touch(row.id, isEntry: true)
      change = .changed
    }
    if !names.isEmpty { try connectReplies(to: row, of: post, called: names, &batch) }
    return change
  }

  /// Imports what another account brought: it reads as it did, and comes into the home list of who imports it too.
  private func take(_ stored: StoredRow, _ row: inout PostRow, _ batch: inout ImportPass) throws(StoreError) -> Change {
    let isEntry = row.isEntry
    // What reposts it is for those who may see it as it is.
    (row.ownAudience, row.original) = (stored.audience, nil)
    guard isEntry else { return .same }
    let isNew = !stored.isEntry
    if isNew { try rows.makeEntry(stored) }
    let key = OrderKey(createdAt: stored.createdAt, id: stored.id)
    guard try filing.fileImported(key, audience: stored.audience, by: batch.owner) || isNew else { return .same }
    batch.touch(stored.id, isEntry: true)
    return .changed
  }

  /// Who may see a row that is imported over a stored one. What was written here for a circle stays for it: importing
  /// one's own export changes nothing.
  private func ownAudience(of row: PostRow, storedAs stored: StoredRow) -> Audience {
    if case .circle = stored.audience, row.original == nil, !stored.isRepost, stored.visibility == row.visibility {
      return stored.audience
    }
    return Audience(visibility: row.visibility, owner: stored.owner)
  }

  /// Finds the replies that came before the post they answer.
  private func connectReplies(
    to row: PostRow, of post: ImportedPost, called names: [String], _ batch: inout ImportPass
  ) throws(StoreError) {
    let subject = row.original?.id ?? row.id
    var waiting: [PostID] = []
    for name in names { waiting += try replies.waiting(for: name, source: row.name.source, audience: row.audience) }
    waiting += try replies.localWaiting(for: row.name.nativeID, source: post.source, audience: row.audience)
    for reply in waiting where reply != subject {
      try rows.connect(reply, to: subject)
      batch.touch(reply, isEntry: try posts.isEntry(reply))
      try renewReposts(of: reply, audience: nil, &batch)
    }
  }

  /// Has the reposts of a post reported again and, where its audience is given, narrows or widens theirs.
  private func renewReposts(of id: PostID, audience: Audience?, _ batch: inout ImportPass) throws(StoreError) {
    for repost in try posts.reposts(of: id) {
      batch.touch(repost.id, isEntry: repost.isEntry)
      guard let audience else { continue }
      let own = Audience(visibility: repost.visibility, owner: repost.owner)
      let narrowed = own.intersection(audience)
      guard narrowed != repost.audience else { continue }
      try rows.change(repost, to: narrowed)
      // A post that was reposted may have become a repost itself.
      try renewReposts(of: repost.id, audience: narrowed, &batch)
    }
  }
}

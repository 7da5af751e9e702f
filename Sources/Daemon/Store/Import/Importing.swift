internal import Dates
internal import Posts

/// Stores imported posts.
final class Importing {
  private let connection: Connection
  private let transaction: Transaction
  private let posts: PostReader
  private let sources: Sources
  let authors: Authors
  private let ownership: ImportOwnership
  let rows: PostRows
  private let filing: Filing
  private let replies: ReplyTargets
  private let outbox: Outbox
  private let gaps: Gaps
  private let runs: ImportRuns
  let servers: Servers
  let logins: LoginPosts
  let copies: ClaimedCopies
  let identities: IdentityLookup
  private let conversations: RemoteConversations

  init(
    _ connection: Connection, _ transaction: Transaction, sources: Sources, authors: Authors,
    ownership: ImportOwnership, rows: PostRows, filing: Filing, replies: ReplyTargets, outbox: Outbox, gaps: Gaps,
    runs: ImportRuns, logins: LoginPosts, copies: ClaimedCopies, identities: IdentityLookup,
    conversations: RemoteConversations
  ) {
    (self.connection, self.transaction) = (connection, transaction)
    posts = PostReader(connection)
    (self.sources, self.authors, self.ownership, self.rows) = (sources, authors, ownership, rows)
    (self.filing, self.replies, self.outbox, self.gaps, self.runs) = (filing, replies, outbox, gaps, runs)
    servers = Servers(connection)
    (self.logins, self.copies, self.identities) = (logins, copies, identities)
    self.conversations = conversations
  }

  /// Stores a batch of imported posts and returns what changed.
  func importBatch(
    _ imported: [ImportedPost], owner: AccountID, sharing: ImportSharing, run: ImportRun?
  ) throws -> ImportReport {
    _ = try AccountReader(connection).existing(owner)
    let lastPost = transaction.lastPost
    var posts: [(post: ImportedPost, lists: UpstreamLists)] = []
    for post in imported { posts.append((try ownership.placed(post, for: owner), .home)) }
    var report = try importPosts(posts, owner: owner, sharing: sharing, word: .file)
    if let run { report.run = try runs.record(run, of: owner, after: lastPost, report) }
    return report
  }

  /// Stores posts, each with the lists of its owner that it is in, and returns what changed.
  func importPosts(
    _ imported: [(post: ImportedPost, lists: UpstreamLists)], owner: AccountID, sharing: ImportSharing = .everyone,
    word: ImportWord
  ) throws -> ImportReport {
    var batch = ImportPass(owner: owner, sharing: sharing, word: word, size: imported.count)
    var arrivals: [(source: String, createdAt: Instant)] = []
    for (index, (post, lists)) in imported.enumerated() {
      let verdict = post.isStorable ? try ownership.assess(post, for: owner, word) : .refused(.unusableName)
      if case .refused(let reason) = verdict {
        batch.report.refused.append(RefusedPost(index: index, reason: reason))
        continue
      }
      switch try upsert(post, verdict, in: lists, &batch).change {
      case .new:
        batch.report.new += 1
        arrivals.append((post.source, post.createdAt))
      case .changed: batch.report.changed += 1
      case .same: batch.report.same += 1
      }
    }
    try gaps.countArrivals(arrivals, of: owner)
    for changed in batch.changedPosts {
      var post = changed.post
      if post == nil { post = try posts.post(changed.id) }
      guard let post else { continue }
      transaction.report(post)
      if changed.isEntry { batch.report.entries.append(post) } else { batch.report.originals.append(post) }
    }
    return batch.report
  }

  /// Stores a post that was not refused, its original first.
  private func upsert(
    _ post: ImportedPost, _ verdict: ImportVerdict, in lists: UpstreamLists, _ batch: inout ImportPass
  ) throws -> (id: PostID, audience: Audience, change: ImportChange) {
    if case .unchanged(let id, let audience) = verdict { return (id, audience, .same) }
    let source = try sources.number(of: post.source)
    let author = try author(of: post, source, &batch)
    var original: (id: PostID, audience: Audience, change: ImportChange)?
    if let embedded = post.original.first {
      let verdict = try ownership.assess(embedded, for: batch.owner, batch.word)
      original = try upsert(embedded, verdict, in: [], &batch)
    }
    let visibility = post.body.visibility
    let body = original == nil ? post.body : PostBody(text: .empty, visibility: visibility)
    var row = PostRow(
      id: PostID(0), name: PostName(source: source, nativeID: post.nativeID, scope: 0, server: batch.word.server),
      owner: batch.owner,
      author: author, createdAt: post.createdAt, visibility: visibility,
      ownAudience: Audience(visibility: visibility, owner: batch.owner), isEntry: lists.hasEntries,
      original: original.map { ($0.id, $0.audience) },
      reply: ReplyReference(to: nil, key: original == nil ? post.inReplyTo : nil), body: PackedBody(body),
      mentions: body.mentions)
    if case .server(let server) = batch.word, visibility == .direct, original == nil {
      row.ownAudience = try conversations.audience(of: post, at: source, from: server, for: batch.owner)
    }
    var found = try rows.find(row)
    if let stored = found.row, try ownership.keepsAuthor(stored, batch.owner) {
      row.author = stored.author
      found = try rows.find(row)
    }
    if found.row?.audience != .everyone, try ownership.isPrivate(row, by: post.author, batch) {
      row.visibility = .followers
      row.ownAudience = Audience(visibility: .followers, owner: batch.owner)
      found = try rows.find(row)
    }
    // A notice replaces only an older one: it covers everything up to its date.
    if body.flags.contains(.notice), let stored = found.row, stored.createdAt > row.createdAt {
      return (stored.id, stored.audience, .same)
    }
    if batch.word.server != 0 { try prepare(&row, &found, body) }
    var change = ImportChange.same
    if let stored = found.row {
      change = try update(stored, with: post, &row, &batch)
    } else {
      row.name.scope = found.isSharedTaken || row.audience != .everyone ? batch.owner.rawValue : 0
      try insert(post, &row, &batch)
      change = .new
    }
    if batch.word.server != 0, try note(post, as: row, found, in: lists, &batch), change == .same { change = .changed }
    if change == .same, original?.change == .changed { change = .changed }
    return (row.id, row.audience, change)
  }

  private func insert(_ post: ImportedPost, _ row: inout PostRow, _ batch: inout ImportPass) throws(StoreError) {
    row.id = transaction.nextPostID()
    if let key = row.reply.key {
      row.reply.to = try replies.target(of: key, source: row.name.source, owner: row.owner)
    }
    try rows.insert(row)
    batch.recordPost(row.id, isEntry: row.isEntry, post: row.original == nil ? row.storedPost : nil)
    try rows.storeNative(post.native, of: row.id)
    for alias in post.aliases { _ = try rows.add(alias: alias, source: row.name.source, of: row.id) }
    try connectReplies(to: row, of: post, called: [row.name.nativeID] + post.aliases, &batch)
  }

  private func update(
    _ stored: StoredRow, with post: ImportedPost, _ row: inout PostRow, _ batch: inout ImportPass
  ) throws(StoreError) -> ImportChange {
    row.id = stored.id
    guard try ownership.mayChange(stored, of: row.name, batch) else {
      return try importUnchanged(stored, &row, &batch)
    }
    let isWanted = row.isEntry
    row.owner = stored.owner
    if row.name.server == 0 {
      row.name.server = stored.server
    } else if stored.server == 0, stored.isEntry {
      // Its owner keeps it in the home list.
      let key = OrderKey(createdAt: stored.createdAt, id: stored.id)
      _ = try filing.fileImported(key, audience: stored.audience, by: stored.owner)
    }
    let pending = try outbox.noteSource(EditableText(of: row.body), of: stored.id)
    if let text = pending.text, let body = row.body.unpacked().map(text.replacing(in:)) {
      (row.body, row.mentions) = (PackedBody(body), body.mentions)
    }
    row.ownAudience = try pending.isUndecided ? stored.audience : ownAudience(of: row, storedAs: stored)
    row.isEntry = row.isEntry || stored.isEntry
    var change = ImportChange.same
    var names: [String] = []
    if post.body.flags.contains(.notice), stored.createdAt < row.createdAt {
      // Its other names stand for its date: those of an earlier one would be a place that it has left.
      try rows.removeAliases(of: row.id)
    }
    for alias in post.aliases where try rows.add(alias: alias, source: row.name.source, of: row.id) {
      names.append(alias)
    }
    if !names.isEmpty { change = .changed }
    if !stored.comparison.isSame || row.isEntry != stored.isEntry || row.audience != stored.audience
      || row.name.server != stored.server
    {
      row.reply.to = stored.comparison.hasSameReplyKey ? stored.replyTo : nil
      if row.reply.to == nil, let key = row.reply.key {
        row.reply.to = try replies.target(of: key, source: row.name.source, owner: row.owner)
      }
      try rows.update(stored, to: row)
      if stored.isAheadOfCounts { try outbox.noteCounts(of: row.id) }
      try rows.storeNative(post.native, of: row.id)
      batch.recordPost(row.id, isEntry: row.isEntry)
      try renewReposts(of: row.id, audience: row.audience, &batch)
      if row.audience != stored.audience { names = [row.name.nativeID] + post.aliases }
      change = .changed
    }
    if isWanted, batch.word.server == 0, batch.owner != stored.owner,
      try filing.fileImported(row.orderKey, audience: row.audience, by: batch.owner)
    {
      batch.recordPost(row.id, isEntry: true)
      change = .changed
    }
    if !names.isEmpty { try connectReplies(to: row, of: post, called: names, &batch) }
    return change
  }

  /// Imports a post that another account imported first: the post does not change, but joins the importer's home list.
  private func importUnchanged(_ stored: StoredRow, _ row: inout PostRow, _ batch: inout ImportPass) throws(StoreError)
    -> ImportChange
  {
    let isEntry = row.isEntry
    // A repost of it has the audience of the stored post.
    (row.ownAudience, row.original, row.createdAt) = (stored.audience, nil, stored.createdAt)
    row.isEntry = isEntry || stored.isEntry
    guard isEntry else { return .same }
    let isNew = !stored.isEntry
    if isNew { try rows.makeEntry(stored) }
    // The lists that a server names follow (``note(_:as:_:in:_:)``).
    var isFiled = false
    if batch.word.server == 0 {
      isFiled = try filing.fileImported(row.orderKey, audience: stored.audience, by: batch.owner)
    }
    guard isFiled || isNew else { return .same }
    batch.recordPost(stored.id, isEntry: true)
    return .changed
  }

  /// Returns the audience of a row that is imported over a stored one. A local post for an audience group keeps it, so
  /// importing one's own export changes nothing.
  private func ownAudience(of row: PostRow, storedAs stored: StoredRow) throws(StoreError) -> Audience {
    if case .group = row.ownAudience {
      let isKept = try conversations.keeps(
        stored.audience, insteadOf: row.ownAudience, of: stored.owner, at: row.name.source)
      return isKept ? stored.audience : row.ownAudience
    }
    if case .group = stored.audience, row.original == nil, !stored.isRepost, stored.visibility == row.visibility {
      return stored.audience
    }
    return Audience(visibility: row.visibility, owner: stored.owner)
  }

  /// Connects replies that arrived before their parent.
  func connectReplies(
    to row: PostRow, of post: ImportedPost, called names: [String], _ batch: inout ImportPass
  ) throws(StoreError) {
    let subject = row.original?.id ?? row.id
    var waiting: [PostID] = []
    for name in names { waiting += try replies.waiting(for: name, source: row.name.source, audience: row.audience) }
    waiting += try replies.localWaiting(for: row.name.nativeID, source: post.source, audience: row.audience)
    for reply in waiting where reply != subject {
      try rows.connect(reply, to: subject)
      batch.recordPost(reply, isEntry: try posts.isEntry(reply))
      try renewReposts(of: reply, audience: nil, &batch)
    }
  }

  /// Reports the reposts of a post again and, given its audience, adjusts theirs. A private repost that a login brought
  /// becomes the shared one when everyone may see it.
  func renewReposts(of id: PostID, audience: Audience?, _ batch: inout ImportPass) throws(StoreError) {
    for repost in try posts.reposts(of: id) {
      batch.recordPost(repost.id, isEntry: repost.isEntry)
      guard let audience else { continue }
      let own = Audience(visibility: repost.visibility, owner: repost.owner)
      let narrowed = own.intersection(audience)
      guard narrowed != repost.audience else { continue }
      try rows.changeAudience(of: repost, to: narrowed)
      if narrowed == .everyone, try copies.mergeRepost(repost.id) { continue }
      // A post that was reposted may have become a repost itself.
      try renewReposts(of: repost.id, audience: narrowed, &batch)
    }
  }
}

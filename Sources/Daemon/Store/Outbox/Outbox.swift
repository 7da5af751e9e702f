internal import Posts

/// The outbox: actions on posts that wait for their source (docs/adr/0021). Entries are written in the transaction that
/// applies the action here.
final class Outbox {
  private let connection: Connection
  private let transaction: Transaction
  private let reader: OutboxReader
  private let marks: MarkRows
  /// Names of the sources with an upstream program.
  private let upstreamSources: Set<String>
  private let programs: SourcePrograms
  private let sources: Sources
  private let servers: Servers

  init(
    _ connection: Connection, _ transaction: Transaction, _ marks: MarkRows, upstreams: Set<String>,
    programs: SourcePrograms, _ sources: Sources
  ) {
    (self.connection, self.transaction, self.marks, self.upstreamSources) = (connection, transaction, marks, upstreams)
    (self.programs, self.sources) = (programs, sources)
    reader = OutboxReader(connection)
    servers = Servers(connection)
  }

  /// Returns true if a source has an upstream program.
  func hasUpstream(_ source: String) -> Bool { upstreamSources.contains(source) }

  /// Returns true if a source has an upstream program that carries out an operation; false for a source without a name.
  func hasUpstream(_ source: String, for operation: OutboxEntry.Operation) throws(StoreError) -> Bool {
    guard hasUpstream(source) else { return false }
    guard let number = try sources.find(source) else { return true }
    return try programs.carryOut(operation, at: number)
  }

  /// Returns true if a source has an upstream program that takes direct posts.
  func takesDirectPosts(to source: String) throws(StoreError) -> Bool {
    guard hasUpstream(source), let number = try sources.find(source) else { return false }
    return try programs.takesDirectPosts(at: number)
  }

  /// Returns true if a source has an upstream program that takes files for posts.
  func takesMedia(for source: String) throws(StoreError) -> Bool {
    guard hasUpstream(source), let number = try sources.find(source) else { return false }
    return try programs.takesMedia(at: number)
  }

  /// True if any source has an upstream program.
  var hasUpstreams: Bool { !upstreamSources.isEmpty }

  /// Returns the source of a post if it has an upstream program that carries out an operation, or if actions on the post
  /// are waiting for it already; else nil.
  func upstream(of post: PostID, for operation: OutboxEntry.Operation) throws(StoreError) -> String? {
    let isWanted = try reader.hasEntries(of: post)
    if upstreamSources.isEmpty, !isWanted { return nil }
    guard let source = try PostReader(connection).name(of: post)?.source else { return nil }
    if isWanted { return source }
    return try hasUpstream(source, for: operation) ? source : nil
  }

  /// Returns true if what an account saves is kept by the login that acts on a post, or if that waits already.
  func keepsBookmark(of post: PostID, by account: AccountID) throws(StoreError) -> Bool {
    guard !upstreamSources.isEmpty, let row = try reader.upstreamPost(post) else { return false }
    let outbox = try entries(of: post)
    if outbox.entries.contains(where: { $0.operation == .save && $0.account == account }) { return true }
    guard let login = try login(of: account, for: outbox, of: post, row) else { return false }
    return try servers.keepsBookmarks(login, at: row.source)
  }

  /// Returns all outbox entries of a post.
  func entries(of post: PostID) throws(StoreError) -> PostOutbox {
    try reader.outbox(of: post, epoch: transaction.epoch)
  }

  /// Returns true if the source of a post has yet to confirm it.
  func isUnconfirmed(_ post: PostID) throws(StoreError) -> Bool {
    guard try reader.hasEntries(of: post) else { return false }
    return try entries(of: post).isUnconfirmed
  }

  /// Records the text that the source of a post says it has. Returns the text to show instead, if the post is being
  /// edited, and true if its audience is undecided.
  func noteSource(
    _ text: @autoclosure () -> EditableText, of post: PostID
  ) throws(StoreError) -> (text: EditableText?, isUndecided: Bool) {
    guard try reader.hasEntries(of: post) else { return (nil, false) }
    let before = try entries(of: post)
    var after = before
    let shown = after.noteSource(text())
    try save(after, insteadOf: before, of: post)
    return (shown, after.isUndecided)
  }

  /// Refuses another entry for an account whose outbox is full.
  func checkRoom(of account: AccountID) throws {
    guard try connection.count(OutboxQuery.count, account) < StoreLimits.outboxEntries else {
      throw Refusal.tooMany("actions waiting for their source", limit: StoreLimits.outboxEntries)
    }
  }

  /// Returns the login by which an account acts on a post: the one whose conversation it is in, else the one at the
  /// server of the post, or of its parent if that server does not have it yet.
  private func login(
    of account: AccountID, for outbox: PostOutbox, of post: PostID, _ row: UpstreamPost
  ) throws(StoreError) -> String? {
    var audience = outbox.awaitedAudience
    if audience == nil { audience = try PostReader(connection).post(post)?.audience }
    var server = row.server
    if server == 0, let parent = row.parent { server = try reader.upstreamPost(parent)?.server ?? 0 }
    return try servers.login(of: account, in: audience, at: row.source, for: server)
  }

  /// Replaces the outbox entries of a post and updates the delivery state in its marks.
  func save(_ outbox: PostOutbox, insteadOf before: PostOutbox, of post: PostID) throws(StoreError) {
    guard outbox != before, let row = try reader.upstreamPost(post) else { return }
    var outbox = outbox
    for account in Set(outbox.entries.filter { $0.login.isEmpty }.map(\.account)) {
      guard let login = try login(of: account, for: outbox, of: post, row) else { continue }
      outbox.setLogin(login, of: account)
    }
    transaction.noteChange()
    try replace(outbox, of: post, source: row.source)
    let posts = PostReader(connection)
    if let name = try posts.name(of: post)?.source { transaction.noteOutgoing(to: name) }
    guard var stored = try posts.post(post) else { return }
    var isNew = false
    for account in Set((before.entries + outbox.entries).map(\.account)).sorted(by: { $0.rawValue < $1.rawValue }) {
      let delivery = outbox.standing(of: account)
      let isChanged = stored.marks.noteDelivery(
        isPending: delivery.isPending, failure: delivery.failure, of: account, owner: stored.owner,
        imported: stored.body.flags)
      isNew = isNew || isChanged
    }
    if isNew { try marks.save(stored.marks, of: post) }
  }

  private func replace(_ outbox: PostOutbox, of post: PostID, source: Int64) throws(StoreError) {
    try forget(post)
    for entry in outbox.entries {
      try connection.run(
        OutboxQuery.insert, entry.sequence, source, post, entry.account, entry.operation, entry.request, entry.truth,
        entry.wanted, entry.asked, entry.failure, entry.kept, entry.texts?.former.packed,
        entry.texts?.wanted.packed, entry.texts?.sent?.packed, entry.login)
    }
    try connection.run(OutboxQuery.saveNumber, outbox.lastSequence)
  }

  /// Makes an account's entries of a post those of another post, which has none of the account; returns all of that.
  func move(from copy: PostID, to post: PostID, of account: AccountID) throws(StoreError) -> PostOutbox {
    try connection.run(OutboxQuery.move, copy, post, account)
    return try entries(of: post)
  }

  /// Deletes all outbox entries of a post.
  func forget(_ post: PostID) throws(StoreError) { try connection.run(OutboxQuery.delete, post) }

  /// Accounts for new counts that the source reported for a post.
  func noteCounts(of post: PostID) throws(StoreError) {
    guard var stored = try PostReader(connection).post(post) else { return }
    let entries = try entries(of: post).entries
    let known = stored
    stored.marks.noteCounts { account, mark in
      let operation: OutboxEntry.Operation = mark == .reposted ? .repost : .favourite
      return entries.first { $0.account == account && $0.operation == operation }?.truth
        ?? known.mark(of: account).contains(mark)
    }
    try marks.save(stored.marks, of: post)
  }
}

extension PostOutbox {
  /// The audience that the post has once its source has it; nil unless it waits for that.
  var awaitedAudience: Audience? { entries.first { $0.operation == .post }.map { Audience(number: $0.kept) } }
}

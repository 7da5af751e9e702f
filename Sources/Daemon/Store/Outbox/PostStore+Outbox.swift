internal import Posts

/// What is wanted of sources elsewhere for each post, and what follows for the post here (docs/adr/0021). Written in
/// the transaction that does here what is wanted there.
extension PostStore {
  /// The source that is told what is done to a post; nil for one that nobody tells. Where something is wanted of it
  /// already that is so also while no program speaks for it.
  func upstream(of post: PostID) throws(StoreError) -> String? {
    let isWanted = try isAnythingWanted(of: post)
    if upstreams.isEmpty, !isWanted { return nil }
    guard let source = try name(of: post)?.source, isWanted || upstreams.contains(source) else { return nil }
    return source
  }

  /// Whether the source of a post has not done all that is wanted of it.
  func isAnythingWanted(of post: PostID) throws(StoreError) -> Bool {
    let statement = try connection.statement(.outboxOfPost)
    defer { statement.reset() }
    statement.bind(1, post.rawValue)
    return try statement.step()
  }

  /// All that is wanted for a post.
  func outbox(of post: PostID) throws(StoreError) -> PostOutbox {
    var entries: [OutboxEntry] = []
    do {
      let statement = try connection.statement(.outboxOfPost)
      defer { statement.reset() }
      statement.bind(1, post.rawValue)
      while try statement.step() { entries.append(OutboxEntry(row: statement)) }
    }
    let statement = try connection.statement(.outboxNumber)
    defer { statement.reset() }
    _ = try statement.step()
    return PostOutbox(entries, numbers: OutboxNumbers(prefix: String(epoch, radix: 16), last: statement.integer(0)))
  }

  /// Refuses what would have more wait for an account than may.
  func checkOutbox(of account: AccountID) throws {
    let statement = try connection.statement(.outboxCount)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    guard try !statement.step() || statement.integer(0) < Int64(StoreLimits.outboxEntries) else {
      throw Refusal.tooMany("things waiting for sources elsewhere", limit: StoreLimits.outboxEntries)
    }
  }

  /// Writes what is wanted for a post now, in place of what was, and has the post tell those who want it how it stands.
  func save(_ outbox: PostOutbox, insteadOf before: PostOutbox, of post: PostID) throws(StoreError) {
    guard outbox != before, let row = try told(post) else { return }
    noteChange()
    try replaceEntries(outbox, of: post, source: row.source)
    if let name = try name(of: post)?.source { transaction!.changes.outgoing.insert(name) }
    guard var stored = try self.post(post) else { return }
    var isNew = false
    for account in Set((before.entries + outbox.entries).map(\.account)).sorted(by: { $0.rawValue < $1.rawValue }) {
      let standing = outbox.standing(of: account)
      let isChanged = stored.marks.note(
        isPending: standing.isPending, failure: standing.failure, of: account, owner: stored.owner,
        imported: stored.body.flags)
      isNew = isNew || isChanged
    }
    if isNew { try save(stored.marks, of: post) }
  }

  private func replaceEntries(_ outbox: PostOutbox, of post: PostID, source: Int64) throws(StoreError) {
    try forgetOutbox(of: post)
    let statement = try connection.statement(.insertOutbox)
    for entry in outbox.entries {
      defer { statement.reset() }
      statement.bind(1, entry.sequence)
      statement.bind(2, source)
      statement.bind(3, post.rawValue)
      statement.bind(4, entry.account.rawValue)
      statement.bind(5, entry.errand.rawValue)
      statement.bind(6, text: entry.request)
      statement.bind(7, entry.truth ? 1 : 0)
      statement.bind(8, entry.wanted ? 1 : 0)
      statement.bind(9, entry.asked.map { $0 ? 1 : 0 })
      statement.bind(10, text: entry.failure?.string)
      statement.bind(11, entry.kept)
      _ = try statement.step()
    }
    let number = try connection.statement(.saveOutboxNumber)
    defer { number.reset() }
    number.bind(1, outbox.lastSequence)
    _ = try number.step()
  }

  /// Nothing is wanted for a post any more.
  func forgetOutbox(of post: PostID) throws(StoreError) {
    let statement = try connection.statement(.deleteOutbox)
    defer { statement.reset() }
    statement.bind(1, post.rawValue)
    _ = try statement.step()
  }

  // MARK: Commands

  /// Asks again for what was refused of an account's wishes for a post.
  func retry(_ account: AccountID, _ post: PostID, _ requestID: String) throws -> [ComposedPost] {
    try settle(account, post, requestID) { $0.retry(by: account) }
  }

  /// Forgets what was refused of them.
  func discard(_ account: AccountID, _ post: PostID, _ requestID: String) throws -> [ComposedPost] {
    try settle(account, post, requestID) { outbox in
      guard let consequences = outbox.discard(by: account) else { throw Refusal.nothingFailed(post) }
      return consequences
    }
  }

  private func settle(
    _ id: AccountID, _ named: PostID, _ requestID: String,
    _ change: (inout PostOutbox) throws -> [PostOutbox.Consequence]
  ) throws -> [ComposedPost] {
    _ = try existing(id)
    try check(requestID: requestID)
    if try made(by: requestID, id) != nil { return [] }
    guard let post = try self.post(named, visibleTo: id)?.subject else { throw Refusal.noSuchPost(named) }
    let before = try outbox(of: post)
    var outbox = before
    let consequences = try change(&outbox)
    guard outbox != before else { throw Refusal.nothingFailed(post) }
    try remember(requestID, id, .post(post))
    return try settle(post, outbox, insteadOf: before, consequences)
  }

  /// Has all follow for a post that does. Returns the reposts that came back by it.
  func settle(
    _ post: PostID, _ outbox: PostOutbox, insteadOf before: PostOutbox, _ consequences: [PostOutbox.Consequence],
    called name: (nativeID: String, permalink: SafeText)? = nil
  ) throws(StoreError) -> [ComposedPost] {
    var reposts: [ComposedPost] = []
    for consequence in consequences {
      switch consequence {
      case .mark(let errand, let account, let isOn, let instant):
        if let repost = try show(errand, isOn, of: account, on: post, madeAt: instant) { reposts.append(repost) }
      case .told(let errand, let account, let isOn):
        try noteTold(errand, of: account, on: post)
        if errand == .repost, isOn, let name, !name.nativeID.isEmpty { try adoptRepost(of: post, by: account, name) }
      case .confirmed(let audience, let isHidden):
        try confirm(post, called: name ?? ("", .empty), for: Audience(number: audience), isHidden: isHidden)
      case .hidden: try show(post, to: .nobody)
      case .restored(let audience): try show(post, to: Audience(number: audience))
      case .removed:
        // What answers it waits for it no longer.
        if let name = try self.name(of: post)?.source { transaction!.changes.outgoing.insert(name) }
        if let row = try listed(post) { try remove(row) }
        return reposts
      }
    }
    try save(outbox, insteadOf: before, of: post)
    return reposts
  }
}

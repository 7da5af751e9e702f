internal import Posts

/// What is wanted of sources elsewhere for each post (docs/adr/0021). Written in the transaction that does here what is
/// wanted there.
struct Outbox {
  private let connection: Connection
  private let transaction: Transaction
  private let reader: OutboxReader
  private let marks: MarkRows
  /// Names of the sources that have a program to tell them what is done here to their posts.
  private let toldSources: Set<String>

  init(_ connection: Connection, _ transaction: Transaction, _ marks: MarkRows, upstreams: Set<String>) {
    (self.connection, self.transaction, self.marks, self.toldSources) = (connection, transaction, marks, upstreams)
    reader = OutboxReader(connection)
  }

  /// Whether a program speaks for a source; any source without a name.
  func isTold(_ source: String) -> Bool { toldSources.contains(source) }

  /// Whether no program speaks for any source.
  var isSilent: Bool { toldSources.isEmpty }

  /// The source that is told what is done to a post; nil for one that nobody tells. Where something is wanted of it
  /// already that is so also while no program speaks for it.
  func upstream(of post: PostID) throws(StoreError) -> String? {
    let isWanted = try reader.isAnythingWanted(of: post)
    if toldSources.isEmpty, !isWanted { return nil }
    guard let source = try PostReader(connection).name(of: post)?.source, isWanted || toldSources.contains(source)
    else {
      return nil
    }
    return source
  }

  /// All that is wanted for a post.
  func entries(of post: PostID) throws(StoreError) -> PostOutbox {
    try reader.outbox(of: post, epoch: transaction.epoch)
  }

  /// Whether its source has yet to say that it has a post.
  func isUnconfirmed(_ post: PostID) throws(StoreError) -> Bool {
    guard try reader.isAnythingWanted(of: post) else { return false }
    return try entries(of: post).isUnconfirmed
  }

  /// Whether it is not decided yet who may see a post: its source is asked to take it, or to delete it.
  func isUndecided(_ post: PostID) throws(StoreError) -> Bool {
    guard try reader.isAnythingWanted(of: post) else { return false }
    return try entries(of: post).entries.contains { ($0.errand == .post || $0.errand == .delete) && !$0.isFailed }
  }

  /// Refuses what would have more wait for an account than may.
  func checkRoom(of account: AccountID) throws {
    guard try connection.count(OutboxQuery.count, account) < StoreLimits.outboxEntries else {
      throw Refusal.tooMany("things waiting for sources elsewhere", limit: StoreLimits.outboxEntries)
    }
  }

  /// Writes what is wanted for a post now, in place of what was, and has the post tell those who want it how it stands.
  func save(_ outbox: PostOutbox, insteadOf before: PostOutbox, of post: PostID) throws(StoreError) {
    guard outbox != before, let row = try reader.told(post) else { return }
    transaction.noteChange()
    try replace(outbox, of: post, source: row.source)
    let posts = PostReader(connection)
    if let name = try posts.name(of: post)?.source { transaction.noteOutgoing(to: name) }
    guard var stored = try posts.post(post) else { return }
    var isNew = false
    for account in Set((before.entries + outbox.entries).map(\.account)).sorted(by: { $0.rawValue < $1.rawValue }) {
      let standing = outbox.standing(of: account)
      let isChanged = stored.marks.note(
        isPending: standing.isPending, failure: standing.failure, of: account, owner: stored.owner,
        imported: stored.body.flags)
      isNew = isNew || isChanged
    }
    if isNew { try marks.save(stored.marks, of: post) }
  }

  private func replace(_ outbox: PostOutbox, of post: PostID, source: Int64) throws(StoreError) {
    try forget(post)
    for entry in outbox.entries {
      try connection.run(
        OutboxQuery.insert, entry.sequence, source, post, entry.account, entry.errand, entry.request, entry.truth,
        entry.wanted, entry.asked, entry.failure, entry.kept)
    }
    try connection.run(OutboxQuery.saveNumber, outbox.lastSequence)
  }

  /// Nothing is wanted for a post any more.
  func forget(_ post: PostID) throws(StoreError) { try connection.run(OutboxQuery.delete, post) }

  /// Takes in that the source has told the counts of a post anew.
  func noteCounts(of post: PostID) throws(StoreError) {
    guard var stored = try PostReader(connection).post(post) else { return }
    let entries = try entries(of: post).entries
    let known = stored
    stored.marks.noteCounts { account, mark in
      let errand: OutboxEntry.Errand = mark == .reposted ? .repost : .favourite
      return entries.first { $0.account == account && $0.errand == errand }?.truth
        ?? known.mark(of: account).contains(mark)
    }
    try marks.save(stored.marks, of: post)
  }
}

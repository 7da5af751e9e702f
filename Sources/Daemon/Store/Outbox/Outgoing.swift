internal import Posts

/// What sources elsewhere are told, and what they answer.
struct Outgoing {
  private let transaction: Transaction
  private let reader: OutboxReader
  private let posts: PostReader
  private let accounts: AccountReader
  private let sources: Sources
  private let outbox: Outbox
  private let settling: Settling

  /// Posts that are looked at at a time for something to send.
  private static let postsAtATime = 64

  init(_ connection: Connection, _ transaction: Transaction, sources: Sources, outbox: Outbox, settling: Settling) {
    self.transaction = transaction
    reader = OutboxReader(connection)
    posts = PostReader(connection)
    accounts = AccountReader(connection)
    (self.sources, self.outbox, self.settling) = (sources, outbox, settling)
  }

  /// Hands out what a source is to be told next, and notes that it is asked.
  func take(for name: String, limit: Int, again: Bool) throws(StoreError) -> [UpstreamCommand] {
    guard let source = try sources.find(name) else { return [] }
    var commands = again ? try asked(source) : []
    var last: Int64 = 0
    var met: Set<PostID> = []
    while commands.count < limit {
      let waiting = try reader.waiting(source, after: last, limit: Self.postsAtATime)
      for entry in waiting where commands.count < limit && met.insert(entry.post).inserted {
        if let command = try next(for: entry.post) { commands.append(command) }
      }
      guard waiting.count == Self.postsAtATime, let end = waiting.last?.sequence else { break }
      last = end
    }
    // It is being told: there is nothing new.
    transaction.noteTaken(by: name)
    return commands
  }

  /// What its source is told next of a post, noted as asked.
  private func next(for post: PostID) throws(StoreError) -> UpstreamCommand? {
    let before = try outbox.entries(of: post)
    var after = before
    guard try !isBlocked(post, before), let next = after.next() else { return nil }
    if try isOrphan(post, before) {
      let consequences = after.answered(next.request, "what it answers was not sent")
      _ = try settling.settle(post, after, insteadOf: before, consequences)
      return nil
    }
    guard let command = try command(next, post) else { return nil }
    try outbox.save(after, insteadOf: before, of: post)
    return command
  }

  private func asked(_ source: Int64) throws(StoreError) -> [UpstreamCommand] {
    var commands: [UpstreamCommand] = []
    for (entry, post) in try reader.asked(source) {
      if let command = try command(entry, post) { commands.append(command) }
    }
    return commands
  }

  /// Whether a post waits for the one that it answers, which the source has not got yet.
  private func isBlocked(_ post: PostID, _ entries: PostOutbox) throws(StoreError) -> Bool {
    guard entries.isUnconfirmed, let parent = try reader.told(post)?.parent else { return false }
    return try outbox.isUnconfirmed(parent)
  }

  /// Whether a post answers one that its source has never got, and that is gone.
  private func isOrphan(_ post: PostID, _ entries: PostOutbox) throws(StoreError) -> Bool {
    guard entries.isUnconfirmed, let row = try reader.told(post), row.parent == nil, let key = row.replyKey else {
      return false
    }
    let names = NativeNames(epoch: transaction.epoch)
    return key.split(separator: "-").last.flatMap { Int64($0) }.map { key == names.nativeID(of: PostID($0)) } ?? false
  }

  /// What the source is told of an entry that is asked.
  private func command(_ entry: OutboxEntry, _ post: PostID) throws(StoreError) -> UpstreamCommand? {
    guard let row = try reader.told(post), let account = try accounts.account(entry.account), let asked = entry.asked
    else { return nil }
    var command = UpstreamCommand(
      id: entry.request, account: account.name, action: UpstreamCommand.Action(entry.errand, asked))
    guard entry.errand == .post else {
      command.post = row.nativeID
      return command
    }
    let body = row.body.unpacked() ?? PostBody(text: SafeText(trusted: CompactBody.damagedText), visibility: .direct)
    command.writing = UpstreamCommand.Writing(
      text: body.text, visibility: body.visibility, inReplyTo: row.replyKey ?? "")
    return command
  }

  /// Takes in what a source has answered. What it was not asked for, or answered before, changes nothing.
  func takeAnswer(_ answer: UpstreamAnswer, of source: String) throws(StoreError) -> [ComposedPost] {
    guard let post = try reader.post(askedAs: answer.id), try posts.name(of: post)?.source == source else { return [] }
    let before = try outbox.entries(of: post)
    var after = before
    switch answer.result {
    case .later: return []
    case .refused(let reason):
      let consequences = after.answered(answer.id, reason)
      return try settling.settle(post, after, insteadOf: before, consequences)
    case .done(let nativeID, let permalink):
      let consequences = after.answered(answer.id, nil)
      return try settling.settle(post, after, insteadOf: before, consequences, called: (nativeID, permalink))
    }
  }
}

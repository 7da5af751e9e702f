internal import Posts

/// What sources elsewhere are told, and what they answer.
extension PostStore {
  /// Posts that are looked at at a time for something to send.
  private static let postsAtATime = 64

  /// Hands out what a source is to be told next, and notes that it is asked.
  func takeOutgoing(_ name: String, _ limit: Int, again: Bool) throws(StoreError) -> [UpstreamCommand] {
    guard let source = try find(source: name) else { return [] }
    var commands = again ? try asked(source) : []
    var last: Int64 = 0
    var met: Set<PostID> = []
    while commands.count < limit {
      let waiting = try waiting(source, after: last)
      for entry in waiting where commands.count < limit && met.insert(entry.post).inserted {
        let before = try outbox(of: entry.post)
        var after = before
        guard try !isBlocked(entry.post, before), let next = after.next() else { continue }
        if try isOrphan(entry.post, before) {
          let consequences = after.answered(next.request, "what it answers was not sent")
          _ = try settle(entry.post, after, insteadOf: before, consequences)
          continue
        }
        guard let command = try command(next, entry.post) else { continue }
        try save(after, insteadOf: before, of: entry.post)
        commands.append(command)
      }
      guard waiting.count == Self.postsAtATime, let end = waiting.last?.sequence else { break }
      last = end
    }
    // It is being told: there is nothing new.
    transaction!.changes.outgoing.remove(name)
    return commands
  }

  private func asked(_ source: Int64) throws(StoreError) -> [UpstreamCommand] {
    var entries: [(entry: OutboxEntry, post: PostID)] = []
    do {
      let statement = try connection.statement(.outboxAsked)
      defer { statement.reset() }
      statement.bind(1, source)
      while try statement.step() { entries.append((OutboxEntry(row: statement), PostID(statement.integer(9)))) }
    }
    var commands: [UpstreamCommand] = []
    for (entry, post) in entries {
      if let command = try command(entry, post) { commands.append(command) }
    }
    return commands
  }

  private func waiting(_ source: Int64, after sequence: Int64) throws(StoreError) -> [(sequence: Int64, post: PostID)] {
    let statement = try connection.statement(.outboxWaiting)
    defer { statement.reset() }
    statement.bind(1, source)
    statement.bind(2, sequence)
    statement.bind(3, Int64(Self.postsAtATime))
    var waiting: [(sequence: Int64, post: PostID)] = []
    while try statement.step() { waiting.append((statement.integer(0), PostID(statement.integer(1)))) }
    return waiting
  }

  /// Whether a post waits for the one that it answers, which the source has not got yet.
  private func isBlocked(_ post: PostID, _ outbox: PostOutbox) throws(StoreError) -> Bool {
    guard outbox.isUnconfirmed, let parent = try told(post)?.parent else { return false }
    return try isUnconfirmed(parent)
  }

  /// Whether a post answers one that its source has never got, and that is gone.
  private func isOrphan(_ post: PostID, _ outbox: PostOutbox) throws(StoreError) -> Bool {
    guard outbox.isUnconfirmed, let row = try told(post), row.parent == nil, let key = row.replyKey else {
      return false
    }
    return key.split(separator: "-").last.flatMap { Int64($0) }.map { key == nativeID(of: PostID($0)) } ?? false
  }

  /// Whether its source has yet to say that it has a post.
  func isUnconfirmed(_ post: PostID) throws(StoreError) -> Bool {
    guard try isAnythingWanted(of: post) else { return false }
    return try outbox(of: post).isUnconfirmed
  }

  /// Whether it is not decided yet who may see a post: its source is asked to take it, or to delete it.
  func isUndecided(_ post: PostID) throws(StoreError) -> Bool {
    guard try isAnythingWanted(of: post) else { return false }
    return try outbox(of: post).entries.contains { ($0.errand == .post || $0.errand == .delete) && !$0.isFailed }
  }

  /// What the source is told of an entry that is asked.
  private func command(_ entry: OutboxEntry, _ post: PostID) throws(StoreError) -> UpstreamCommand? {
    guard let row = try told(post), let account = try account(entry.account), let asked = entry.asked else {
      return nil
    }
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

  // MARK: Answers

  /// Takes in what a source has answered. What it was not asked for, or answered before, changes nothing.
  func takeAnswer(_ source: String, _ answer: UpstreamAnswer) throws(StoreError) -> [ComposedPost] {
    guard let post = try post(askedAs: answer.id), try name(of: post)?.source == source else { return [] }
    let before = try outbox(of: post)
    var after = before
    var name: (nativeID: String, permalink: SafeText)?
    switch answer.result {
    case .later: return []
    case .refused(let reason):
      let consequences = after.answered(answer.id, reason)
      return try settle(post, after, insteadOf: before, consequences)
    case .done(let nativeID, let permalink): name = (nativeID, permalink)
    }
    let consequences = after.answered(answer.id, nil)
    return try settle(post, after, insteadOf: before, consequences, called: name)
  }

  private func post(askedAs request: String) throws(StoreError) -> PostID? {
    let statement = try connection.statement(.outboxPost)
    defer { statement.reset() }
    statement.bind(1, text: request)
    return try statement.step() ? PostID(statement.integer(0)) : nil
  }
}

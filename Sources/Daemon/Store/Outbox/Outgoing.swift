internal import Posts

/// Sends commands to sources and applies their answers.
final class Outgoing {
  private let transaction: Transaction
  private let reader: OutboxReader
  private let posts: PostReader
  private let accounts: AccountReader
  private let sources: Sources
  private let outbox: Outbox
  private let resolver: OutboxResolver
  private let servers: Servers

  /// Number of posts scanned at a time for something to send.
  private static let postsAtATime = 64

  init(_ connection: Connection, _ transaction: Transaction, sources: Sources, outbox: Outbox, resolver: OutboxResolver)
  {
    self.transaction = transaction
    reader = OutboxReader(connection)
    posts = PostReader(connection)
    accounts = AccountReader(connection)
    servers = Servers(connection)
    (self.sources, self.outbox, self.resolver) = (sources, outbox, resolver)
  }

  /// Returns the next commands for a source and records them as sent.
  func takeCommands(for name: String, limit: Int, again: Bool) throws(StoreError) -> [UpstreamCommand] {
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
    // The source is being served: there is nothing new to announce.
    transaction.noteTaken(by: name)
    return commands
  }

  /// Returns the next command about a post, recorded as sent; nil if there is none.
  private func next(for post: PostID) throws(StoreError) -> UpstreamCommand? {
    let before = try outbox.entries(of: post)
    var after = before
    guard try !isBlocked(post, before), let next = after.next() else { return nil }
    var refusal: SafeText?
    if try isOrphan(post, before) { refusal = "the post it replies to was not sent" }
    if next.operation == .post, try lacksMedia(post) { refusal = "the source's program takes no files any more" }
    if let refusal {
      let consequences = after.answered(next.request, refusal)
      _ = try resolver.resolveOutbox(of: post, after, insteadOf: before, consequences)
      return nil
    }
    guard let command = try command(next, post, of: after) else { return nil }
    try outbox.save(after, insteadOf: before, of: post)
    return command
  }

  private func asked(_ source: Int64) throws(StoreError) -> [UpstreamCommand] {
    var commands: [UpstreamCommand] = []
    for (entry, post) in try reader.asked(source) {
      guard var command = try command(entry, post, of: try outbox.entries(of: post)) else { continue }
      command.isAgain = true
      commands.append(command)
    }
    return commands
  }

  /// Returns true if a post waits for its parent, which the source has not confirmed yet.
  private func isBlocked(_ post: PostID, _ entries: PostOutbox) throws(StoreError) -> Bool {
    guard entries.isUnconfirmed, let parent = try reader.upstreamPost(post)?.parent else { return false }
    return try outbox.isUnconfirmed(parent)
  }

  /// Returns true if a post replies to a deleted post that its source never got.
  private func isOrphan(_ post: PostID, _ entries: PostOutbox) throws(StoreError) -> Bool {
    guard entries.isUnconfirmed, let row = try reader.upstreamPost(post), row.parent == nil, let key = row.replyKey
    else {
      return false
    }
    let names = NativeNames(epoch: transaction.epoch)
    return key.split(separator: "-").last.flatMap { Int64($0) }.map { key == names.nativeID(of: PostID($0)) } ?? false
  }

  /// Returns true if a post has files which the program of its source would pass over.
  private func lacksMedia(_ post: PostID) throws(StoreError) -> Bool {
    guard let row = try reader.upstreamPost(post), let body = row.body.unpacked(),
      body.media.contains(where: { !$0.uploadID.isEmpty }), let source = try posts.name(of: post)?.source
    else { return false }
    return try !outbox.takesMedia(for: source)
  }

  /// Returns the command for an entry that is being sent, of those of its post.
  private func command(
    _ entry: OutboxEntry, _ post: PostID, of entries: PostOutbox
  ) throws(StoreError) -> UpstreamCommand? {
    guard let row = try reader.upstreamPost(post), let account = try accounts.account(entry.account),
      let asked = entry.asked
    else { return nil }
    var command = UpstreamCommand(
      id: entry.request, account: account.name, action: UpstreamCommand.Action(entry.operation, asked))
    command.login =
      try entry.login.isEmpty ? servers.login(of: account.id, at: row.source, for: row.server) ?? "" : entry.login
    if entry.operation != .post {
      command.post = row.nativeID
      command.aliases = try reader.aliases(of: post, in: row.source)
    }
    let posted = entry.operation == .post ? entries.posted(EditableText(of: row.body)) : nil
    guard let text = (posted ?? entry.texts?.sent)?.text else { return command }
    let body = row.body.unpacked() ?? PostBody(text: .empty, visibility: .direct)
    command.writing = UpstreamCommand.Writing(
      text: text, contentWarning: body.contentWarning, language: body.language, visibility: body.visibility,
      inReplyTo: "", writtenAt: row.createdAt)
    guard entry.operation == .post else { return command }
    command.writing?.inReplyTo = row.replyKey ?? ""
    command.writing?.media = body.media.map(\.uploadID.string).filter { !$0.isEmpty }
    if let parent = row.parent { command.writing?.parentAliases = try reader.aliases(of: parent, in: row.source) }
    return command
  }

  /// Applies an answer from a source. An answer to a request that was never sent, or was answered before, changes
  /// nothing.
  func takeAnswer(_ answer: UpstreamAnswer, of source: String) throws(StoreError) -> [ComposedPost] {
    guard let post = try reader.post(askedAs: answer.id), try posts.name(of: post)?.source == source else { return [] }
    let before = try outbox.entries(of: post)
    var after = before
    switch answer.result {
    case .later: return []
    case .refused(let reason):
      let consequences = after.answered(answer.id, reason)
      return try resolver.resolveOutbox(of: post, after, insteadOf: before, consequences)
    case .done(let nativeID, let permalink):
      let consequences = after.answered(answer.id, nil)
      return try resolver.resolveOutbox(of: post, after, insteadOf: before, consequences, called: (nativeID, permalink))
    }
  }
}

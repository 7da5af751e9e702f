internal import Dates
internal import Posts

/// Stores local posts.
final class Composing {
  private let connection: Connection
  private let transaction: Transaction
  private let accounts: AccountReader
  private let knownAuthors: AuthorReader
  private let posts: PostReader
  private let requests: RequestLog
  private let drafts: Drafts
  private let sources: Sources
  private let authors: Authors
  private let audiences: ComposedAudience
  private let rows: PostRows
  private let outbox: Outbox
  private let undo: UndoLog
  private let conversations: RemoteConversations

  init(
    _ connection: Connection, _ transaction: Transaction, sources: Sources, authors: Authors,
    audiences: ComposedAudience, rows: PostRows, outbox: Outbox, undo: UndoLog, conversations: RemoteConversations
  ) {
    (self.connection, self.transaction) = (connection, transaction)
    accounts = AccountReader(connection)
    knownAuthors = AuthorReader(connection)
    posts = PostReader(connection)
    requests = RequestLog(connection)
    drafts = Drafts(connection)
    (self.sources, self.authors, self.audiences) = (sources, authors, audiences)
    (self.rows, self.outbox, self.undo, self.conversations) = (rows, outbox, undo, conversations)
  }

  /// Stores a local post, or returns the one that an earlier command with the same request ID stored.
  func compose(_ composition: Composition) throws -> ComposedPost {
    let account = try accounts.existing(composition.account)
    try requests.check(composition.requestID)
    if case .post(let earlier) = try requests.record(for: composition.requestID, account.id) {
      guard let post = try posts.post(earlier), let author = try knownAuthors.author(post.author) else {
        throw Refusal.noSuchPost(earlier)
      }
      try drafts.forget(composition.draft, of: account.id)
      return ComposedPost(post: post, author: author, isRepeated: true)
    }
    let parent = try composition.inReplyTo.map { id in try self.parent(id, account.id) }
    let destination = try destination(of: composition, replyingTo: parent)
    let isElsewhere = destination != LocalSource.name
    guard isElsewhere || composition.body.media.isEmpty else { throw Refusal.mediaHere }
    let people = try parent.flatMap { parent in try conversations.people(of: parent.audience) }
    var body = composition.body
    if let parent, parent.audience != .everyone {
      body.visibility = body.visibility.narrowed(to: .followers).narrowed(to: parent.visibility)
    }
    if let people, isElsewhere {
      // The server sends it to those whom it names.
      let names = composition.recipients
      let source = try sources.number(of: destination)
      body.prependMentions(of: try conversations.absent(from: names, of: people, by: account.id, at: source))
    }
    try LoginLimits(connection).check(body.text, warning: body.contentWarning, by: account, for: destination)
    if isElsewhere { try checkElsewhere(account.id, destination, body.visibility) }
    // Of a conversation elsewhere only the account is a reader here.
    var localParent = parent
    if people != nil { localParent?.audience = .only(account.id) }
    let audience =
      if let people, let parent, !people.names.isEmpty, isElsewhere {
        parent.audience
      } else if isElsewhere, body.visibility == .direct {
        try conversations.audience(
          naming: composition.recipients, by: account.id, at: sources.number(of: destination),
          replyingTo: parent?.server ?? 0)
      } else {
        try audiences.audience(of: composition, body.visibility, by: account, replyingTo: localParent)
      }
    if !body.media.isEmpty { try checkMedia(composition, audience, at: destination, replyingTo: parent) }
    let (row, author) = try row(composition, body, audience, by: account, in: destination, replyingTo: parent)
    try rows.insert(row)
    try undo.record(.post(row.id, isThere: true), of: account.id)
    try drafts.forget(composition.draft, of: account.id)
    try requests.remember(composition.requestID, account.id, .post(row.id))
    var shown = row.storedPost
    if isElsewhere {
      let before = try outbox.entries(of: row.id)
      var after = before
      after.write(by: account.id, audience: audience.number)
      try outbox.save(after, insteadOf: before, of: row.id)
      shown = try posts.post(row.id) ?? shown
    }
    transaction.report(shown)
    return ComposedPost(post: shown, author: author, isRepeated: false)
  }

  /// Returns the row of a new post, and its author.
  private func row(
    _ composition: Composition, _ body: PostBody, _ audience: Audience, by account: Account, in destination: String,
    replyingTo parent: ReplyParent?
  ) throws(StoreError) -> (PostRow, Author) {
    let isElsewhere = destination != LocalSource.name
    let source = isElsewhere ? try sources.number(of: destination) : try sources.local()
    let author = isElsewhere ? try author(of: account, in: source) : try authors.local(account.name)
    let id = transaction.nextPostID()
    // Only the author sees the post until its source has confirmed it.
    let shownTo = isElsewhere ? Audience.only(account.id) : audience
    let name = PostName(
      source: source, nativeID: NativeNames(epoch: transaction.epoch).nativeID(of: id),
      scope: shownTo == .everyone ? 0 : account.id.rawValue)
    let row = PostRow(
      id: id, name: name, owner: account.id, author: author.id, createdAt: composition.createdAt,
      visibility: body.visibility, ownAudience: shownTo, isEntry: true, original: nil,
      reply: ReplyReference(to: parent?.id, key: parent?.key(in: destination)), body: PackedBody(body),
      mentions: body.mentions)
    return (row, author)
  }

  /// Returns the source of a post. A reply without an explicit source goes to its parent's source if that source has an
  /// upstream program and both posts are public or unlisted, or the parent is a direct one of a login there, and the
  /// program takes direct posts; otherwise it stays on this daemon.
  private func destination(of composition: Composition, replyingTo parent: ReplyParent?) throws -> String {
    switch composition.source {
    case LocalSource.name: return LocalSource.name
    case "":
      guard let parent, try outbox.hasUpstream(parent.source, for: .post) else { return LocalSource.name }
      if parent.visibility == .direct {
        let login = try Servers(connection).login(
          of: composition.account, at: sources.number(of: parent.source), for: parent.server)
        return try login != nil && outbox.takesDirectPosts(to: parent.source) ? parent.source : LocalSource.name
      }
      let isForAll = composition.body.visibility == .public || composition.body.visibility == .unlisted
      return parent.audience == .everyone && isForAll ? parent.source : LocalSource.name
    case let source:
      if let parent, parent.source != source { throw Refusal.answersElsewhere(parent.id, source: source) }
      return source
    }
  }

  /// Refuses a post that cannot go to another source.
  private func checkElsewhere(_ account: AccountID, _ source: String, _ visibility: Visibility) throws {
    guard outbox.hasUpstream(source) else { throw Refusal.noUpstream(source) }
    guard try outbox.hasUpstream(source, for: .post) else { throw Refusal.takesNoPosts(source) }
    if visibility == .direct {
      guard try outbox.takesDirectPosts(to: source) else { throw Refusal.directElsewhere(source: source) }
      guard try !Servers(connection).logins(of: account, at: sources.number(of: source)).isEmpty else {
        throw Refusal.noLogin(source: source)
      }
    }
    try outbox.checkRoom(of: account)
  }

  /// Refuses files that the program does not take, or that another login has sent than the one by which the post goes:
  /// at its server they would be other files, or none.
  private func checkMedia(
    _ composition: Composition, _ audience: Audience, at source: String, replyingTo parent: ReplyParent?
  ) throws {
    guard try outbox.takesMedia(for: source) else { throw Refusal.mediaElsewhere(source: source) }
    let login = try Servers(connection).login(
      of: composition.account, in: audience, at: sources.number(of: source), for: parent?.server ?? 0)
    guard composition.mediaLogins.allSatisfy({ $0 == login }) else { throw Refusal.mediaOfOtherLogin }
  }

  /// Returns the author of an account's posts in a source: the author that it has claimed there, else its local author.
  private func author(of account: Account, in source: Int64) throws(StoreError) -> Author {
    guard let claimed = try connection.number(IdentityQuery.authorInSource, account.id, source),
      let author = try knownAuthors.author(AuthorID(claimed))
    else { return try authors.local(account.name) }
    return author
  }

  /// Returns the parent of a new reply.
  private func parent(_ id: PostID, _ account: AccountID) throws -> ReplyParent {
    guard let post = try posts.subject(of: id, visibleTo: account), let name = try posts.name(of: post.id) else {
      throw Refusal.noSuchPost(id)
    }
    if post.body.flags.contains(.notice) { throw Refusal.isNotice(id) }
    // A parent that its source has not confirmed counts with the audience that it will have.
    let awaited = try outbox.entries(of: post.id).awaitedAudience
    return ReplyParent(
      id: post.id, server: try OutboxReader(connection).upstreamPost(post.id)?.server ?? 0, source: name.source,
      nativeID: name.nativeID, owner: post.owner, visibility: post.body.visibility,
      audience: awaited ?? post.audience)
  }
}

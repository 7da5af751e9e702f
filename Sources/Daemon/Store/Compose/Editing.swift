internal import Posts

/// Edits posts on behalf of their authors: local ones, and those of sources whose programs edit. An edit changes the
/// text, but not the audience, place, replies or marks of a post, even if the new text mentions other accounts.
final class Editing {
  private let accounts: AccountReader
  private let posts: PostReader
  private let requests: RequestLog
  private let drafts: Drafts
  private let identities: IdentityLookup
  private let authors: Authors
  private let limits: LoginLimits
  private let listed: ListedPosts
  private let rows: PostRows
  private let marks: MarkRows
  private let outbox: Outbox
  private let undo: UndoLog
  private let conversations: RemoteConversations
  private let sources: Sources

  init(
    _ connection: Connection, identities: IdentityLookup, authors: Authors, listed: ListedPosts, rows: PostRows,
    marks: MarkRows, outbox: Outbox, undo: UndoLog, conversations: RemoteConversations, sources: Sources
  ) {
    accounts = AccountReader(connection)
    posts = PostReader(connection)
    requests = RequestLog(connection)
    drafts = Drafts(connection)
    limits = LoginLimits(connection)
    (self.identities, self.authors, self.listed) = (identities, authors, listed)
    (self.rows, self.marks, self.outbox, self.undo) = (rows, marks, outbox, undo)
    (self.conversations, self.sources) = (conversations, sources)
  }

  /// Replaces the text of a post and marks it as edited, unless an earlier command with the same request ID did so.
  func edit(_ edition: Edition) throws -> EditedPost {
    let account = try accounts.existing(edition.account)
    try requests.check(edition.requestID)
    guard let present = try posts.subject(of: edition.post, visibleTo: account.id),
      let row = try listed.listed(present.id)
    else { throw Refusal.noSuchPost(edition.post) }
    let subject = present.id
    guard row.owner == account.id, try identities.accounts(of: row.author).contains(account.id) else {
      throw Refusal.notOwnText(edition.post)
    }
    let source = try posts.name(of: subject)?.source ?? LocalSource.name
    try checkPlace(of: row, source, account, edition.post)
    let body = try unpacked(present)
    try limits.check(edition.text, warning: body.contentWarning, by: account, for: source)
    if source != LocalSource.name, body.visibility == .direct {
      try checkNames(in: edition, of: present, naming: body.mentions, at: source)
    }
    try drafts.forget(edition.draft, of: account.id)
    if try requests.record(for: edition.requestID, account.id) == .post(subject) {
      return EditedPost(post: subject, former: nil)
    }
    try requests.remember(edition.requestID, account.id, .post(subject))
    // The same text is not an edit.
    if body.text == edition.text { return EditedPost(post: subject, former: nil) }
    let former = EditableText(of: body)
    var wanted = former
    (wanted.text, wanted.spans, wanted.isEdited) = (edition.text, edition.spans, true)
    try rewrite(row, body, as: wanted, account.id, isElsewhere: source != LocalSource.name)
    try undo.record(.text(subject, before: former, after: wanted), of: account.id)
    return EditedPost(post: subject, former: present.body)
  }

  /// Replaces the text of an account's post with the one before, or after, an undo entry.
  func rewriteOwn(_ post: PostID, as text: EditableText, _ account: AccountID) throws {
    guard let present = try posts.post(post, visibleTo: account), let row = try listed.listed(post) else {
      throw Refusal.noSuchPost(post)
    }
    guard row.owner == account else { throw Refusal.notOwnText(post) }
    let isElsewhere = try posts.name(of: post)?.source != LocalSource.name
    try rewrite(row, try unpacked(present), as: text, account, isElsewhere: isElsewhere)
  }

  /// Refuses a post that is edited elsewhere alone: one that was imported, unless its source's program edits.
  private func checkPlace(of row: ListedPost, _ source: String, _ account: Account, _ named: PostID) throws {
    if source == LocalSource.name {
      guard try authors.local(account.name).id == row.author else { throw Refusal.notWrittenHere(named) }
    } else {
      guard try outbox.hasUpstream(source, for: .edit) else { throw Refusal.notWrittenHere(named) }
    }
  }

  /// Refuses an edit that names anyone who may not see a direct post elsewhere: its server would send it to them.
  private func checkNames(
    in edition: Edition, of post: StoredPost, naming present: [SafeText], at source: String
  ) throws {
    let names = PostBody(text: edition.text, spans: edition.spans).recipients.map(\.string)
    let audience = try outbox.entries(of: post.id).awaitedAudience ?? post.audience
    if let people = try conversations.people(of: audience) {
      _ = try conversations.absent(
        from: names, of: people, by: edition.account, at: sources.number(of: source))
    } else if let added = names.first(where: { !present.map(\.string).contains($0) }) {
      throw Refusal.answersFewer(added)
    }
  }

  private func unpacked(_ post: StoredPost) throws(StoreError) -> PostBody {
    guard let body = post.body.unpacked() else {
      throw StoreError(
        kind: .corrupt, message: "post \(post.id.rawValue) is damaged and cannot be edited; restore a backup")
    }
    return body
  }

  /// Replaces the text of a post and updates its indexed words, its mentions and every list that shows it or a repost
  /// of it. Of a post elsewhere its source is asked for the same.
  private func rewrite(
    _ post: ListedPost, _ body: PostBody, as text: EditableText, _ account: AccountID, isElsewhere: Bool
  ) throws {
    if isElsewhere {
      let before = try outbox.entries(of: post.id)
      var after = before
      after.edit(by: account, from: EditableText(of: body), to: text)
      if after.entries.count > before.entries.count { try outbox.checkRoom(of: account) }
      try outbox.save(after, insteadOf: before, of: post.id)
    }
    try rows.rewrite(post, as: PackedBody(text.replacing(in: body)))
    try marks.touch(post.id)
  }
}

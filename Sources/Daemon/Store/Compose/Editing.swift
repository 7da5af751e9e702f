internal import Posts

/// Edits local posts on behalf of their authors. An edit changes the text, but not the audience, place, replies or
/// marks of a post, even if the new text mentions other accounts.
final class Editing {
  private let accounts: AccountReader
  private let posts: PostReader
  private let requests: RequestLog
  private let drafts: Drafts
  private let identities: IdentityLookup
  private let authors: Authors
  private let listed: ListedPosts
  private let rows: PostRows
  private let marks: MarkRows
  private let undo: UndoLog

  init(
    _ connection: Connection, identities: IdentityLookup, authors: Authors, listed: ListedPosts, rows: PostRows,
    marks: MarkRows, undo: UndoLog
  ) {
    accounts = AccountReader(connection)
    posts = PostReader(connection)
    requests = RequestLog(connection)
    drafts = Drafts(connection)
    (self.identities, self.authors, self.listed) = (identities, authors, listed)
    (self.rows, self.marks, self.undo) = (rows, marks, undo)
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
    let isLocal = try posts.name(of: subject)?.source == LocalSource.name
    guard try isLocal && authors.local(account.name).id == row.author else {
      throw Refusal.notWrittenHere(edition.post)
    }
    guard var body = present.body.unpacked() else {
      throw StoreError(
        kind: .corrupt, message: "post \(subject.rawValue) is damaged and cannot be edited; restore a backup")
    }
    try account.checkLength(of: edition.text, warning: body.contentWarning)
    try drafts.forget(edition.draft, of: account.id)
    if try requests.record(for: edition.requestID, account.id) == .post(subject) {
      return EditedPost(post: subject, former: nil)
    }
    try requests.remember(edition.requestID, account.id, .post(subject))
    // The same text is not an edit.
    if body.text == edition.text { return EditedPost(post: subject, former: nil) }
    (body.text, body.spans) = (edition.text, edition.spans)
    body.flags.insert(.edited)
    let packed = PackedBody(body)
    try rewrite(row, as: packed)
    try undo.record(.text(subject, before: present.body, after: packed), of: account.id)
    return EditedPost(post: subject, former: present.body)
  }

  /// Replaces the body of an account's post with the one before, or after, an undo entry.
  func rewriteOwn(_ post: PostID, as body: PackedBody, _ account: AccountID) throws {
    guard try posts.post(post, visibleTo: account) != nil, let row = try listed.listed(post) else {
      throw Refusal.noSuchPost(post)
    }
    guard row.owner == account else { throw Refusal.notOwnText(post) }
    try rewrite(row, as: body)
  }

  /// Replaces the body of a post and updates its indexed words, its mentions and every list that shows it or a repost
  /// of it.
  private func rewrite(_ post: ListedPost, as body: PackedBody) throws(StoreError) {
    try rows.rewrite(post, as: body)
    try marks.touch(post.id)
  }
}

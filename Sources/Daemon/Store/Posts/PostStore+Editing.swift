internal import Posts

/// Posts that were written here get another text from whoever wrote them. Who may see them stays, whomever the new text
/// names; so do their place, their answers and what was done to them.
extension PostStore {
  /// Gives a post another text, unless the same command did so before. It says of itself that it was edited.
  func edit(_ edition: Edition) throws -> EditedPost {
    let account = try existing(edition.account)
    try check(requestID: edition.requestID)
    guard let subject = try post(edition.post, visibleTo: account.id)?.subject, let present = try post(subject),
      let row = try listed(subject)
    else { throw Refusal.noSuchPost(edition.post) }
    guard row.owner == account.id, try identities().accounts(of: row.author).contains(account.id) else {
      throw Refusal.notOwnText(edition.post)
    }
    let isLocal = try name(of: subject)?.source == PostStore.localSource
    guard try isLocal && localAuthor(account.name).id == row.author else { throw Refusal.notWrittenHere(edition.post) }
    try throwAway(edition.draft, of: account.id)
    if try made(by: edition.requestID, account.id) == .post(subject) { return EditedPost(post: subject, former: nil) }
    guard var body = present.body.unpacked() else {
      throw StoreError(
        kind: .corrupt, message: "post \(subject.rawValue) is damaged and cannot be edited: restore a backup")
    }
    try remember(edition.requestID, account.id, .post(subject))
    // What reads as before was not edited.
    if body.text == edition.text { return EditedPost(post: subject, former: nil) }
    (body.text, body.spans) = (edition.text, edition.spans)
    body.flags.insert(.edited)
    let packed = PackedBody(body)
    try rewrite(row, as: packed)
    try record(.text(subject, before: present.body, after: packed), of: account.id)
    return EditedPost(post: subject, former: present.body)
  }

  /// Gives a post of an account the body that it had before, or after, a step.
  func rewriteOwn(_ post: PostID, as body: PackedBody, _ account: AccountID) throws {
    guard try self.post(post, visibleTo: account) != nil, let row = try listed(post) else {
      throw Refusal.noSuchPost(post)
    }
    guard row.owner == account else { throw Refusal.notOwnText(post) }
    try rewrite(row, as: body)
  }

  /// Gives a post another body, and all that follows from one: words, mentions, and what everybody reads who has it or
  /// a repost of it. Who may see it is not among that, whatever the body says.
  func rewrite(_ post: ListedPost, as body: PackedBody) throws(StoreError) {
    try noteSearch(before: post.id)
    let statement = try connection.statement(.updateBody)
    defer { statement.reset() }
    statement.bind(1, post.id.rawValue)
    statement.bind(2, blob: body.bytes)
    _ = try statement.step()
    noteChange()
    try noteSearch(rewritten: post.id)
    if let rewritten = try listed(post.id), rewritten.addressed != post.addressed {
      try refile(rewritten, from: post.orderKey, post.author, post.audience)
    }
    try touch(post.id)
  }
}

internal import Posts

/// What differs where a server speaks, by one of the logins of an account.
extension Importing {
  /// Finds what a post of a login is stored over. A copy that another account's login brought of a post by a claimed
  /// author becomes the post of that author's account. What the owner of the stored post did to it stays; what is saved
  /// stays so until the source says that it has left.
  func prepare(_ row: inout PostRow, _ found: inout RowMatch, _ body: PostBody) throws(StoreError) {
    if found.row == nil, found.hasOthers, !found.isSharedTaken, try isOwn(row, of: row.owner), try copies.share(row) {
      found = try rows.find(row)
    }
    guard let stored = found.row else { return }
    var kept = body
    if stored.owner == row.owner {
      kept.flags.formUnion(stored.flags.intersection(.saved))
    } else {
      kept.flags.subtract(.ofAccount)
      kept.flags.formUnion(stored.flags.intersection(.ofAccount))
    }
    guard kept.flags != body.flags else { return }
    row.body = PackedBody(kept)
    found = try rows.find(row)
  }

  /// Files a stored post into the lists of the account, and marks it for the account if another one brought it first.
  /// Returns true if anything changed.
  func note(
    _ post: ImportedPost, as row: PostRow, _ found: RowMatch, in lists: UpstreamLists, _ batch: inout ImportPass
  ) throws(StoreError) -> Bool {
    var isChanged = try logins.file(row.orderKey, audience: row.audience, in: lists, of: batch.owner)
    if let stored = found.row, stored.owner != batch.owner, !stored.isRepost,
      try logins.mark(row.id, post.body.flags, of: batch.owner)
    {
      isChanged = true
    }
    if lists.contains(.saved), found.row != nil, try logins.save(row.id, of: batch.owner) { isChanged = true }
    if found.hasOthers, try isOwn(row, of: batch.owner) {
      try copies.merge(into: row, besides: batch.owner)
      try renewReposts(of: row.id, audience: row.audience, &batch)
      try connectReplies(to: row, of: post, called: [row.name.nativeID] + post.aliases, &batch)
    }
    if isChanged, found.row != nil { batch.recordPost(row.id, isEntry: row.isEntry) }
    return isChanged
  }

  /// Stores the author of a post; returns its number. A server does not rename an author of another one that is here.
  func author(of post: ImportedPost, _ source: Int64, _ batch: inout ImportPass) throws(StoreError) -> AuthorID {
    if case .server(let server) = batch.word,
      try servers.isNamedElsewhere(post.author, at: source, than: server),
      let known = try authors.find(AuthorKey(source: source, nativeID: post.author.nativeID))
    {
      return known.id
    }
    let stored = try authors.upsert(post.author, source: source, by: batch.owner)
    if stored.isChanged { batch.recordAuthor(stored.author) }
    return stored.author.id
  }

  /// True if a post is public, and its author is the account's own.
  private func isOwn(_ row: PostRow, of account: AccountID) throws(StoreError) -> Bool {
    guard row.audience == .everyone else { return false }
    return try identities.accounts(of: row.author).contains(account)
  }
}

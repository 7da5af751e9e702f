internal import Dates
internal import Posts

/// Inserts, changes and deletes rows of `posts`; nothing else does. Everything that follows from a row (lists, counts,
/// the search index) is updated here too.
final class PostRows {
  private let connection: Connection
  private let transaction: Transaction
  private let tallies: Tallies
  private let replyCounts: ReplyCounts
  private let replies: ReplyTargets
  private let listed: ListedPosts
  private let filing: Filing
  private let twins: FeedTwins
  private let index: IndexChanges
  private let outbox: Outbox
  private let deletedPosts: DeletedPostRows
  private let conversations: ConversationMutes

  init(
    _ connection: Connection, _ transaction: Transaction, tallies: Tallies, replyCounts: ReplyCounts,
    replies: ReplyTargets, listed: ListedPosts, filing: Filing, twins: FeedTwins, index: IndexChanges, outbox: Outbox
  ) {
    (self.connection, self.transaction, self.tallies) = (connection, transaction, tallies)
    (self.replyCounts, self.replies, self.listed, self.filing) = (replyCounts, replies, listed, filing)
    (self.index, self.outbox, deletedPosts) = (index, outbox, DeletedPostRows(connection))
    self.twins = twins
    conversations = ConversationMutes(connection, MarkRows(connection, transaction, index))
  }

  /// Finds the copy of `row`'s post that its owner may import over: the owner's private one, else the shared one.
  ///
  /// The shared copy belongs to everyone while everyone may see it, and only its owner can make it private. So nobody
  /// can read or hide another account's post by importing one with the same name; the import gets a copy of its own.
  /// ``ImportOwnership/mayChange(_:_:)`` decides who may change it.
  func find(_ row: PostRow) throws(StoreError) -> RowMatch {
    let statement = try connection.bound(PostRowQuery.find, row.name.source, row.name.nativeID)
    defer { statement.reset() }
    var found = RowMatch()
    while try statement.step() {
      let scope = statement.integer(1)
      let owner = AccountID(statement.integer(2))
      guard scope == 0 || scope == row.owner.rawValue else {
        found.hasOthers = true
        continue
      }
      found.isSharedTaken = scope == 0
      let staysShared = statement.integer(5) == Audience.everyone.number && row.audience == .everyone
      guard scope != 0 || owner == row.owner || staysShared else { continue }
      found.row = StoredRow(statement, comparedWith: row)
      if scope != 0 { break }
    }
    return found
  }

  /// Inserts a row.
  func insert(_ row: PostRow) throws(StoreError) {
    try connection.run(
      PostRowQuery.insert, row.id, row.name.source, row.name.nativeID, row.name.scope, row.owner, row.author,
      row.createdAt, row.visibility, row.audience, row.isEntry, row.original?.id, row.reply.to, row.reply.key, row.body,
      row.name.server)
    transaction.noteChange()
    tallies.count(1, by: row.author, for: row.audience, isEntry: row.isEntry)
    if row.reply.isWaiting { replies.noteWaiting(in: row.name.source) }
    try replyCounts.recountParent(row.reply.to, of: row)
    _ = try twins.setLink(of: row)
    if row.isEntry { try filing.file(try listed.listed(row)) }
    index.noteInsert(of: row)
    // A restored post has its former marks.
    if row.id >= transaction.firstNewPost { try conversations.applyMutes(to: row) }
  }

  /// Writes `row` over `stored`, which keeps its ID, scope and owner.
  func update(_ stored: StoredRow, to row: PostRow) throws(StoreError) {
    try index.noteBefore(stored.id)
    let formerTwins = try twins.twins(of: stored.id, by: stored.author)
    try connection.run(
      PostRowQuery.update, stored.id, row.author, row.createdAt, row.visibility, row.audience, row.isEntry,
      row.original?.id, row.reply.to, row.reply.key, row.body, row.name.server)
    transaction.noteChange()
    tallies.count(-1, by: stored.author, for: stored.audience, isEntry: stored.isEntry)
    tallies.count(1, by: row.author, for: row.audience, isEntry: row.isEntry)
    if row.reply.isWaiting { replies.noteWaiting(in: row.name.source) }
    try replyCounts.recountParent(stored.replyTo, of: row)
    try replyCounts.recountParent(row.reply.to, of: row)
    let hasOtherLink = try twins.setLink(of: row)
    if !stored.isEntry {
      if row.isEntry { try filing.file(try listed.listed(row)) }
    } else if !stored.isListedLike(row) || hasOtherLink {
      let key = OrderKey(createdAt: stored.createdAt, id: stored.id)
      try filing.refile(try listed.listed(row), from: key, stored.author, stored.audience)
    }
    try filing.refile(formerTwins)
    if stored.author != row.author { try filing.refileReplies(to: row.id) }
    index.noteUpdate(of: row, marks: stored.marks)
    if row.body.flags.contains(.muted) {
      try conversations.applyMutes(to: row)
    } else if let parent = row.reply.to, stored.replyTo == nil {
      try conversations.withholdReply(row.id, to: parent)
    }
  }

  /// Turns a row that only came inside a repost into an entry of lists.
  func makeEntry(_ stored: StoredRow) throws(StoreError) {
    try connection.run(PostRowQuery.makeEntry, stored.id)
    transaction.noteChange()
    tallies.count(-1, by: stored.author, for: stored.audience, isEntry: false)
    tallies.count(1, by: stored.author, for: stored.audience, isEntry: true)
    if let post = try listed.listed(stored.id) { try filing.file(post) }
  }

  /// Replaces the body of a row. The audience does not change, whatever the body says.
  func rewrite(_ post: ListedPost, as body: PackedBody) throws(StoreError) {
    try index.noteBefore(post.id)
    try connection.run(PostRowQuery.updateBody, post.id, body)
    transaction.noteChange()
    try index.noteRewrite(of: post.id)
    if let rewritten = try listed.listed(post.id), rewritten.addressed != post.addressed {
      try filing.refile(rewritten, from: post.orderKey, post.author, post.audience)
    }
  }

  /// Deletes a row and everything that belongs to it alone; with an undo entry, the row is kept in its deleted posts.
  func delete(_ post: ListedPost, into undoEntry: UndoEntryID?) throws(StoreError) {
    var gone = post
    gone.isEntry = false
    if let undoEntry { try deletedPosts.savePost(post.id, in: undoEntry) }
    try index.noteBefore(post.id)
    try replyCounts.recountParent(of: post.id)
    try filing.refile(gone, from: post.orderKey, post.author, post.audience)
    let formerTwins = try twins.twins(of: post.id, by: post.author)
    try twins.deleteLink(of: post.id)
    tallies.count(-1, by: post.author, for: post.audience, isEntry: post.isEntry)
    try connection.run(PostRowQuery.deleteNative, post.id)
    try connection.run(PostRowQuery.deleteAliases, post.id)
    try outbox.forget(post.id)
    try connection.run(PostRowQuery.delete, post.id)
    try filing.refile(formerTwins)
    transaction.noteChange()
    index.noteDelete(of: post.id)
    transaction.noteRemoved(post.orderKey)
  }

  // MARK: Audience

  /// Changes the audience of a repost, which is not in the search index.
  func changeAudience(of repost: RepostRow, to audience: Audience) throws(StoreError) {
    if let post = try listed.listed(repost.id) { try setAudience(audience, of: post) }
  }

  /// Changes the audience of an entry that is not a repost.
  func changeAudience(of post: ListedPost, to audience: Audience) throws(StoreError) {
    try index.noteAudienceChange(of: post, to: audience)
    try setAudience(audience, of: post)
    transaction.touch(post.id)
  }

  private func setAudience(_ audience: Audience, of post: ListedPost) throws(StoreError) {
    try connection.run(PostRowQuery.updateAudience, post.id, audience)
    transaction.noteChange()
    try replyCounts.recountParent(of: post.id)
    tallies.count(-1, by: post.author, for: post.audience, isEntry: post.isEntry)
    tallies.count(1, by: post.author, for: audience, isEntry: post.isEntry)
    var changed = post
    changed.audience = audience
    try filing.refile(changed, from: post.orderKey, post.author, post.audience)
  }

  // MARK: Replies

  /// Connects `reply` to its parent.
  func connect(_ reply: PostID, to post: PostID) throws(StoreError) {
    try connection.run(PostRowQuery.updateReply, reply, post)
    transaction.noteChange()
    try replyCounts.recountParent(of: reply)
    try conversations.withholdReply(reply, to: post)
    let reader = PostReader(connection)
    if let answered = try reader.author(of: post), let author = try reader.author(of: reply),
      try listed.isAddressed(by: author, replyingTo: answered)
    {
      try filing.fileMentions(reply)
    }
  }

  /// Disconnects the replies to a post; they wait for the parent, which may come back with another import.
  func disconnectReplies(to post: PostID) throws(StoreError) {
    try conversations.passMutesToReplies(of: post)
    try connection.run(PostRowQuery.disconnectReplies, post)
    replies.forgetWaiting()
  }

  // MARK: Names

  /// Stores the source's own JSON of a post; an empty one replaces nothing.
  func storeNative(_ native: [UInt8], of id: PostID) throws(StoreError) {
    if native.isEmpty { return }
    try connection.run(PostRowQuery.insertNative, id, native)
    transaction.noteChange()
  }

  /// Adds an alias to a post; returns true if it is new.
  func add(alias: String, source: Int64, of id: PostID) throws(StoreError) -> Bool {
    guard try connection.change(PostRowQuery.insertAlias, source, alias, id) else { return false }
    transaction.noteChange()
    replies.noteAlias(in: source)
    return true
  }

  /// Takes its aliases from a post.
  func removeAliases(of id: PostID) throws(StoreError) {
    guard try connection.change(PostRowQuery.deleteAliases, id) else { return }
    transaction.noteChange()
  }

  /// Gives a local post the name that its source has given it.
  func adopt(_ post: PostID, named name: PostName, _ body: PackedBody) throws(StoreError) {
    try connection.run(PostRowQuery.adopt, post, name.nativeID, name.scope, body)
    transaction.noteChange()
    transaction.touch(post)
  }

  /// Updates the reply keys of the replies to a renamed post; `reference` is the key for replies in other sources.
  func adoptReplies(to post: PostID, named name: PostName, reference: String) throws(StoreError) {
    try connection.run(PostRowQuery.adoptReplies, post, name.source, name.nativeID, reference)
  }

  /// Moves a local repost to the source of its original.
  func moveRepost(_ repost: PostID, to source: Int64, called nativeID: String) throws(StoreError) {
    try connection.run(PostRowQuery.moveRepost, repost, source, nativeID)
    transaction.noteChange()
  }

  /// Makes a private copy of a post the shared one, of another owner. Its audience stays.
  func share(_ copy: PostID, of owner: AccountID, as body: PackedBody) throws(StoreError) {
    try index.noteBefore(copy)
    try connection.run(PostRowQuery.share, copy, owner, body)
    try index.noteRewrite(of: copy)
    transaction.noteChange()
  }

  /// Makes a private repost the shared one of its name.
  func shareRepost(_ repost: PostID) throws(StoreError) {
    try connection.run(PostRowQuery.shareRepost, repost)
    transaction.noteChange()
  }

  /// Makes a repost one of another post. Its audience stays.
  func repoint(_ repost: PostID, to original: PostID) throws(StoreError) {
    try connection.run(PostRowQuery.repoint, repost, original)
    transaction.noteChange()
    transaction.touch(repost)
  }

  /// Returns the name of a post in its source; nil if there is no such post.
  func name(of id: PostID) throws(StoreError) -> PostName? {
    try connection.first(PostRowQuery.name, id) {
      PostName(source: $0.integer(0), nativeID: $0.text(1), scope: $0.integer(2), server: $0.integer(3))
    }
  }

  /// Returns the posts with this name in a source, or with this alias if no post has the name.
  func namedOrAliased(_ name: String, in source: Int64) throws(StoreError) -> [NamedRow] {
    let rows = try named(name, in: source)
    return rows.isEmpty
      ? try connection.rows(PostRowQuery.findByAlias, source, name, read: NamedRow.init) : rows
  }

  /// Returns the posts with this name in a source.
  func named(_ nativeID: String, in source: Int64) throws(StoreError) -> [NamedRow] {
    try connection.rows(PostRowQuery.find, source, nativeID, read: NamedRow.init)
  }
}

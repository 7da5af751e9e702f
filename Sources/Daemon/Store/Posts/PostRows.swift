internal import Dates
internal import Posts

/// The one place where rows of `posts` are made, changed and taken away. What follows a post (lists, counts, the index
/// of words) is told here and nowhere else.
struct PostRows {
  private let connection: Connection
  private let transaction: Transaction
  private let tallies: Tallies
  private let answers: AnswerCounts
  private let replies: ReplyTargets
  private let listed: ListedPosts
  private let filing: Filing
  private let index: IndexChanges
  private let outbox: Outbox
  private let trash: TrashRows
  private let conversations: ConversationMutes

  init(
    _ connection: Connection, _ transaction: Transaction, tallies: Tallies, answers: AnswerCounts,
    replies: ReplyTargets, listed: ListedPosts, filing: Filing, index: IndexChanges, outbox: Outbox
  ) {
    (self.connection, self.transaction, self.tallies) = (connection, transaction, tallies)
    (self.answers, self.replies, self.listed, self.filing) = (answers, replies, listed, filing)
    (self.index, self.outbox, trash) = (index, outbox, TrashRows(connection))
    conversations = ConversationMutes(connection, MarkRows(connection, transaction))
  }

  /// Looks for the copy of `row`'s post that its owner imports over: the owner's private one, else the shared one.
  ///
  /// The shared copy is everyone's while it is for everyone, and is made private by its owner only. So nobody can read
  /// or hide what is not theirs by importing a post of the same name; they get a copy of their own. Who may change it
  /// is ``ImportStanding/mayChange(_:_:)``.
  func find(_ row: PostRow) throws(StoreError) -> Found {
    let statement = try connection.bound(PostRowQuery.find, row.name.source, row.name.nativeID)
    defer { statement.reset() }
    var found = Found()
    while try statement.step() {
      let scope = statement.integer(1)
      let owner = AccountID(statement.integer(2))
      guard scope == 0 || scope == row.owner.rawValue else { continue }
      found.isSharedTaken = scope == 0
      let staysShared = statement.integer(5) == Audience.everyone.number && row.audience == .everyone
      guard scope != 0 || owner == row.owner || staysShared else { continue }
      found.row = StoredRow(statement, comparedWith: row)
      if scope != 0 { break }
    }
    return found
  }

  /// Adds a row.
  func insert(_ row: PostRow) throws(StoreError) {
    try connection.run(
      PostRowQuery.insert, row.id, row.name.source, row.name.nativeID, row.name.scope, row.owner, row.author,
      row.createdAt, row.visibility, row.audience, row.isEntry, row.original?.id, row.reply.to, row.reply.key, row.body)
    transaction.noteChange()
    tallies.count(1, by: row.author, for: row.audience, isEntry: row.isEntry)
    if row.reply.isWaiting { replies.noteWaiting(in: row.name.source) }
    try answers.note(row, to: row.reply.to)
    if row.isEntry { try filing.file(try listed.listed(row)) }
    index.noteInsert(of: row)
    // One that comes back has the marks that it had.
    if row.id >= transaction.firstNewPost { try conversations.note(row) }
  }

  /// Writes `row` over `stored`, whose number, scope and owner stay.
  func update(_ stored: StoredRow, to row: PostRow) throws(StoreError) {
    try index.noteBefore(stored.id)
    try connection.run(
      PostRowQuery.update, stored.id, row.author, row.createdAt, row.visibility, row.audience, row.isEntry,
      row.original?.id, row.reply.to, row.reply.key, row.body)
    transaction.noteChange()
    tallies.count(-1, by: stored.author, for: stored.audience, isEntry: stored.isEntry)
    tallies.count(1, by: row.author, for: row.audience, isEntry: row.isEntry)
    if row.reply.isWaiting { replies.noteWaiting(in: row.name.source) }
    try answers.note(row, to: stored.replyTo)
    try answers.note(row, to: row.reply.to)
    if !stored.isEntry {
      if row.isEntry { try filing.file(try listed.listed(row)) }
    } else if !stored.isListedLike(row) {
      let key = OrderKey(createdAt: stored.createdAt, id: stored.id)
      try filing.refile(try listed.listed(row), from: key, stored.author, stored.audience)
    }
    if stored.author != row.author { try filing.refileReplies(to: row.id) }
    index.noteUpdate(of: row)
    if row.body.flags.contains(.muted) {
      try conversations.note(row)
    } else if let parent = row.reply.to, stored.replyTo == nil {
      try conversations.withhold(row.id, from: parent)
    }
  }

  /// Has a row that only came inside of a repost be an entry of lists.
  func makeEntry(_ stored: StoredRow) throws(StoreError) {
    try connection.run(PostRowQuery.makeEntry, stored.id)
    transaction.noteChange()
    tallies.count(-1, by: stored.author, for: stored.audience, isEntry: false)
    tallies.count(1, by: stored.author, for: stored.audience, isEntry: true)
    if let post = try listed.listed(stored.id) { try filing.file(post) }
  }

  /// Gives a row another body. Who may see it is not among what follows from that, whatever the body says.
  func rewrite(_ post: ListedPost, as body: PackedBody) throws(StoreError) {
    try index.noteBefore(post.id)
    try connection.run(PostRowQuery.updateBody, post.id, body)
    transaction.noteChange()
    try index.noteRewrite(of: post.id)
    if let rewritten = try listed.listed(post.id), rewritten.addressed != post.addressed {
      try filing.refile(rewritten, from: post.orderKey, post.author, post.audience)
    }
  }

  /// Takes a row away, and all that belongs to it alone; where a step does so, into its trash.
  func delete(_ post: ListedPost, into step: StepID?) throws(StoreError) {
    var gone = post
    gone.isEntry = false
    if let step { try trash.keep(post.id, step) }
    try index.noteBefore(post.id)
    try answers.note(post.id)
    try filing.refile(gone, from: post.orderKey, post.author, post.audience)
    tallies.count(-1, by: post.author, for: post.audience, isEntry: post.isEntry)
    try connection.run(PostRowQuery.deleteNative, post.id)
    try connection.run(PostRowQuery.deleteAliases, post.id)
    try outbox.forget(post.id)
    try connection.run(PostRowQuery.delete, post.id)
    transaction.noteChange()
    index.noteDelete(of: post.id)
    transaction.noteRemoved(post.orderKey)
  }

  // MARK: Audience

  /// Gives a repost another audience. The index of words does not have it.
  func change(_ repost: RepostRow, to audience: Audience) throws(StoreError) {
    if let post = try listed.listed(repost.id) { try set(audience, of: post) }
  }

  /// Gives an entry that is no repost another audience.
  func change(_ post: ListedPost, to audience: Audience) throws(StoreError) {
    try index.note(post, for: audience)
    try set(audience, of: post)
    transaction.touch(post.id)
  }

  private func set(_ audience: Audience, of post: ListedPost) throws(StoreError) {
    try connection.run(PostRowQuery.updateAudience, post.id, audience)
    transaction.noteChange()
    try answers.note(post.id)
    tallies.count(-1, by: post.author, for: post.audience, isEntry: post.isEntry)
    tallies.count(1, by: post.author, for: audience, isEntry: post.isEntry)
    var changed = post
    changed.audience = audience
    try filing.refile(changed, from: post.orderKey, post.author, post.audience)
  }

  // MARK: Answers

  /// Notes that `reply` answers `post`.
  func connect(_ reply: PostID, to post: PostID) throws(StoreError) {
    try connection.run(PostRowQuery.updateReply, reply, post)
    transaction.noteChange()
    try answers.note(reply)
    try conversations.withhold(reply, from: post)
    let reader = PostReader(connection)
    if let answered = try reader.author(of: post), let author = try reader.author(of: reply),
      try listed.isAddressed(by: author, answering: answered)
    {
      try filing.fileMentions(reply)
    }
  }

  /// Has the answers to a post wait again for what they answer: it may come back with another import.
  func disconnectReplies(to post: PostID) throws(StoreError) {
    try conversations.passOn(from: post)
    try connection.run(PostRowQuery.disconnectReplies, post)
    replies.forgetWaiting()
  }

  // MARK: Names

  /// Keeps the source's own JSON of a post; an empty one replaces nothing.
  func keep(native: [UInt8], of id: PostID) throws(StoreError) {
    if native.isEmpty { return }
    try connection.run(PostRowQuery.insertNative, id, native)
    transaction.noteChange()
  }

  /// Gives a post another name; true if it did not have it yet.
  func add(alias: String, source: Int64, of id: PostID) throws(StoreError) -> Bool {
    guard try connection.change(PostRowQuery.insertAlias, source, alias, id) else { return false }
    transaction.noteChange()
    replies.noteAlias(in: source)
    return true
  }

  /// Calls a post that was written here as its source does.
  func adopt(_ post: PostID, named name: PostName, _ body: PackedBody) throws(StoreError) {
    try connection.run(PostRowQuery.adopt, post, name.nativeID, name.scope, body)
    transaction.noteChange()
    transaction.touch(post)
  }

  /// Has what answers a post call it as its source does now; `reference` is how replies of other sources call it.
  func adoptReplies(to post: PostID, named name: PostName, reference: String) throws(StoreError) {
    try connection.run(PostRowQuery.adoptReplies, post, name.source, name.nativeID, reference)
  }

  /// Moves a repost that was made here to the source of its original.
  func moveRepost(_ repost: PostID, to source: Int64, called nativeID: String) throws(StoreError) {
    try connection.run(PostRowQuery.moveRepost, repost, source, nativeID)
    transaction.noteChange()
  }

  /// The numbers and scopes of the posts that a source calls so.
  func named(_ nativeID: String, in source: Int64) throws(StoreError) -> [(id: PostID, scope: Int64)] {
    try connection.rows(PostRowQuery.find, source, nativeID) { (PostID($0.integer(0)), $0.integer(1)) }
  }
}

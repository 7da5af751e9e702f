internal import Dates
internal import Posts

extension PostStore {
  /// Stores a post written here, or finds the one that this request made before.
  func compose(_ composition: Composition) throws -> ComposedPost {
    let account = try existing(composition.account)
    guard composition.requestID.utf8.count <= StoreLimits.requestIDBytes else {
      throw Refusal.tooLong("the request id", limit: StoreLimits.requestIDBytes)
    }
    if let earlier = try post(madeBy: composition) {
      return ComposedPost(post: earlier, author: try authors([earlier.author])[0], isRepeated: true)
    }
    let parent = try composition.inReplyTo.map { id in try self.parent(id, account.id) }
    let author = try localAuthor(account.name)
    let source = try local()
    let id = transaction!.nextPostID()
    let visibility = composition.body.visibility
    let row = PostRow(
      id: id, source: source, nativeID: nativeID(of: id), scope: Audience(visibility: visibility, owner: account.id).column,
      owner: account.id,
      author: author.id, createdAt: composition.createdAt, visibility: visibility, isEntry: true, original: nil,
      replyTo: parent?.id, replyKey: parent?.key, body: PackedBody(composition.body))
    try insert(row)
    try remember(composition, id)
    return ComposedPost(post: row.shown, author: author, isRepeated: false)
  }

  /// What posts written here are called elsewhere: with the epoch in it, so that the exports of two daemons never collide.
  private func nativeID(of id: PostID) -> String {
    let digits = String(epoch, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits + "-" + String(id.rawValue)
  }

  /// What a new reply answers, and what it calls it (``target(of:source:owner:)``).
  private func parent(_ id: PostID, _ account: AccountID) throws -> (id: PostID, key: String) {
    guard let subject = try post(id, visibleTo: account)?.subject else { throw Refusal.noSuchPost(id) }
    let statement = try connection.statement(.nameOf)
    defer { statement.reset() }
    statement.bind(1, subject.rawValue)
    _ = try statement.step()
    let source = statement.text(0)
    let nativeID = statement.text(1)
    return (subject, source == PostStore.localSource ? nativeID : "\(source):\(nativeID)")
  }

  /// What an earlier command with the same request id made.
  private func post(madeBy composition: Composition) throws(StoreError) -> StoredPost? {
    if composition.requestID.isEmpty { return nil }
    let statement = try connection.statement(.findRequest)
    defer { statement.reset() }
    statement.bind(1, composition.account.rawValue)
    statement.bind(2, text: composition.requestID)
    return try statement.step() ? post(PostID(statement.integer(0))) : nil
  }

  private func remember(_ composition: Composition, _ id: PostID) throws(StoreError) {
    if composition.requestID.isEmpty { return }
    let insertion = try connection.statement(.insertRequest)
    defer { insertion.reset() }
    insertion.bind(1, composition.account.rawValue)
    insertion.bind(2, text: composition.requestID)
    insertion.bind(3, id.rawValue)
    _ = try insertion.step()
    let deletion = try connection.statement(.forgetRequests)
    defer { deletion.reset() }
    deletion.bind(1, insertion.integer(0) - Int64(StoreLimits.requestsKept))
    _ = try deletion.step()
  }
}

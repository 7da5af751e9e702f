internal import Dates
internal import Posts

extension PostStore {
  /// Stores a post written here, or finds the one that this request made before.
  func compose(_ composition: Composition) throws -> ComposedPost {
    let account = try existing(composition.account)
    try check(requestID: composition.requestID)
    if let earlier = try post(madeBy: composition.requestID, account.id) {
      guard let post = try post(earlier) else { throw Refusal.noSuchPost(earlier) }
      note(post)
      return ComposedPost(post: post, author: try authors([post.author])[0], isRepeated: true)
    }
    let parent = try composition.inReplyTo.map { id in try self.parent(id, account.id) }
    var body = composition.body
    if let parent, parent.audience != .everyone {
      body.visibility = body.visibility.narrowed(to: .followers).narrowed(to: parent.visibility)
    }
    let audience = try audience(of: composition, body.visibility, by: account, parent?.audience)
    let author = try localAuthor(account.name)
    let source = try local()
    let id = transaction!.nextPostID()
    let row = PostRow(
      id: id, source: source, nativeID: nativeID(of: id), scope: audience == .everyone ? 0 : account.id.rawValue,
      owner: account.id, author: author.id, createdAt: composition.createdAt, visibility: body.visibility,
      ownAudience: audience, isEntry: true, original: nil, replyTo: parent?.id, replyKey: parent?.key,
      body: PackedBody(body), mentions: body.mentions)
    try insert(row)
    try remember(composition.requestID, account.id, id)
    note(row.shown)
    return ComposedPost(post: row.shown, author: author, isRepeated: false)
  }

  /// What posts written here are called elsewhere: with the epoch in it, so that the exports of two daemons never collide.
  func nativeID(of id: PostID) -> String {
    let digits = String(epoch, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits + "-" + String(id.rawValue)
  }

  /// What a new reply answers, and what it calls it (``target(of:source:owner:)``).
  private func parent(_ id: PostID, _ account: AccountID) throws -> Parent {
    guard let subject = try post(id, visibleTo: account)?.subject, let post = try post(subject) else {
      throw Refusal.noSuchPost(id)
    }
    let statement = try connection.statement(.nameOf)
    defer { statement.reset() }
    statement.bind(1, subject.rawValue)
    _ = try statement.step()
    let source = statement.text(0)
    let nativeID = statement.text(1)
    return Parent(
      id: subject, key: source == PostStore.localSource ? nativeID : "\(source):\(nativeID)",
      visibility: post.body.visibility, audience: post.audience)
  }

  /// Who may see a new post. An answer to what its author alone may see is for its author alone: it may not be for others too.
  private func audience(
    of composition: Composition, _ visibility: Visibility, by account: Account, _ parent: Audience?
  ) throws -> Audience {
    if case .only = parent {
      guard visibility == .direct else { return .only(account.id) }
      for name in composition.recipients where try self.account(named: name).map({ $0.id != account.id }) ?? false {
        throw Refusal.answersPrivate(name)
      }
      return .only(account.id)
    }
    switch visibility {
    case .public, .unlisted: return .everyone
    case .followers: return .circle(try followers(of: account))
    case .direct:
      var people = try recipients(composition.recipients)
      if case .circle(let circle) = parent, try place(of: circle) != nil { people.formUnion(try members(of: circle)) }
      if people.isEmpty { throw Refusal.namesNobody }
      people.insert(account.id)
      guard people.count <= StoreLimits.people else { throw Refusal.tooMany("people", limit: StoreLimits.people) }
      return .circle(try conversation(of: people))
    }
  }

  /// The accounts of these names; where none has it to the letter, in whatever case.
  private func recipients(_ names: [String]) throws -> Set<AccountID> {
    var people: Set<AccountID> = []
    for name in names {
      if let account = try account(named: name) {
        people.insert(account.id)
        continue
      }
      let similar = try identities().accounts(named: SafeText(line: name), in: local())
      guard similar.count == 1 else { throw Refusal.noSuchRecipient(name) }
      people.insert(similar[0])
    }
    return people
  }

  // MARK: Requests

  /// Remembers what a command did; the oldest are forgotten.
  func remember(_ requestID: String, _ account: AccountID, _ id: PostID) throws(StoreError) {
    if requestID.isEmpty { return }
    let insertion = try connection.statement(.insertRequest)
    defer { insertion.reset() }
    insertion.bind(1, account.rawValue)
    insertion.bind(2, text: requestID)
    insertion.bind(3, id.rawValue)
    _ = try insertion.step()
    let deletion = try connection.statement(.forgetRequests)
    defer { deletion.reset() }
    deletion.bind(1, insertion.integer(0) - Int64(StoreLimits.requestsKept))
    _ = try deletion.step()
  }

  /// Refuses a request id that is too long.
  func check(requestID: String) throws(Refusal) {
    guard requestID.utf8.count <= StoreLimits.requestIDBytes else {
      throw .tooLong("the request id", limit: StoreLimits.requestIDBytes)
    }
  }
}

extension Visibility {
  /// The narrower of two.
  fileprivate func narrowed(to other: Visibility) -> Visibility { rawValue < other.rawValue ? other : self }
}

/// What a new reply answers.
private struct Parent {
  var id: PostID
  var key: String
  var visibility: Visibility
  var audience: Audience
}

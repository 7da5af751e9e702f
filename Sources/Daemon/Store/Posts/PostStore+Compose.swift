internal import Dates
internal import Posts

extension PostStore {
  /// Stores a post written here, or finds the one that this request made before.
  func compose(_ composition: Composition) throws -> ComposedPost {
    let account = try existing(composition.account)
    try check(requestID: composition.requestID)
    if case .post(let earlier) = try made(by: composition.requestID, account.id) {
      guard let post = try post(earlier) else { throw Refusal.noSuchPost(earlier) }
      try throwAway(composition.draft, of: account.id)
      return ComposedPost(post: post, author: try authors([post.author])[0], isRepeated: true)
    }
    let parent = try composition.inReplyTo.map { id in try self.parent(id, account.id) }
    let destination = try destination(of: composition, answering: parent)
    var body = composition.body
    if let parent, parent.audience != .everyone {
      body.visibility = body.visibility.narrowed(to: .followers).narrowed(to: parent.visibility)
    }
    let audience = try audience(of: composition, body.visibility, by: account, answering: parent)
    let isElsewhere = destination != PostStore.localSource
    if isElsewhere { try checkElsewhere(composition.account, destination, body.visibility) }
    let source = isElsewhere ? try self.source(destination) : try local()
    let author = isElsewhere ? try author(of: account, in: source) : try localAuthor(account.name)
    let id = transaction!.nextPostID()
    // Until a source elsewhere has it, it is its author's alone.
    let shownTo = isElsewhere ? Audience.only(account.id) : audience
    let row = PostRow(
      id: id, source: source, nativeID: nativeID(of: id), scope: shownTo == .everyone ? 0 : account.id.rawValue,
      owner: account.id, author: author.id, createdAt: composition.createdAt, visibility: body.visibility,
      ownAudience: shownTo, isEntry: true, original: nil, replyTo: parent?.id, replyKey: parent?.key(in: destination),
      body: PackedBody(body), mentions: body.mentions)
    try insert(row)
    try record(.post(id, isThere: true), of: account.id)
    try throwAway(composition.draft, of: account.id)
    try remember(composition.requestID, account.id, .post(id))
    var shown = row.shown
    if isElsewhere {
      let before = try outbox(of: id)
      var after = before
      after.write(by: account.id, audience: audience.number)
      try save(after, insteadOf: before, of: id)
      shown = try post(id)!
    }
    note(shown)
    return ComposedPost(post: shown, author: author, isRepeated: false)
  }

  /// The source that a post is for. An answer goes where what it answers is, if that is told and was for everybody, and
  /// it is itself.
  private func destination(of composition: Composition, answering parent: Parent?) throws(Refusal) -> String {
    switch composition.source {
    case PostStore.localSource: return PostStore.localSource
    case "":
      let isForAll = composition.body.visibility == .public || composition.body.visibility == .unlisted
      guard let parent, parent.audience == .everyone, isForAll, upstreams.contains(parent.source) else {
        return PostStore.localSource
      }
      return parent.source
    case let source:
      if let parent, parent.source != source { throw .answersElsewhere(parent.id, source: source) }
      return source
    }
  }

  /// Refuses what cannot go to a source elsewhere.
  private func checkElsewhere(_ account: AccountID, _ source: String, _ visibility: Visibility) throws {
    guard upstreams.contains(source) else { throw Refusal.noUpstream(source) }
    guard visibility != .direct else { throw Refusal.directElsewhere(source: source) }
    try checkOutbox(of: account)
  }

  /// As whom an account writes in a source elsewhere: the author that it has claimed there, else the one that it is
  /// here.
  private func author(of account: Account, in source: Int64) throws(StoreError) -> Author {
    let statement = try connection.statement(.ownAuthorIn)
    defer { statement.reset() }
    statement.bind(1, account.id.rawValue)
    statement.bind(2, source)
    guard try statement.step() else { return try localAuthor(account.name) }
    return try authors([AuthorID(statement.integer(0))])[0]
  }

  /// What posts written here are called elsewhere: with the epoch in it, so that the exports of two daemons never
  /// collide.
  func nativeID(of id: PostID) -> String {
    let digits = String(epoch, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits + "-" + String(id.rawValue)
  }

  /// What a new reply answers.
  private func parent(_ id: PostID, _ account: AccountID) throws -> Parent {
    guard let subject = try post(id, visibleTo: account)?.subject, let post = try post(subject) else {
      throw Refusal.noSuchPost(id)
    }
    let statement = try connection.statement(.nameOf)
    defer { statement.reset() }
    statement.bind(1, subject.rawValue)
    _ = try statement.step()
    // What its source has not got yet is for those for whom it will be.
    let awaited = try outbox(of: subject).entries.first { $0.errand == .post }.map { Audience(number: $0.kept) }
    return Parent(
      id: subject, source: statement.text(0), nativeID: statement.text(1),
      owner: post.owner, visibility: post.body.visibility, audience: awaited ?? post.audience)
  }

  /// Who may see a new post: nobody who may not see what it answers.
  private func audience(
    of composition: Composition, _ visibility: Visibility, by account: Account, answering parent: Parent?
  ) throws -> Audience {
    let asksForFew = composition.body.visibility == .direct
    switch parent?.audience {
    case .only:
      if asksForFew {
        for name in composition.recipients where try accounts(meantBy: name).contains(where: { $0 != account.id }) {
          throw Refusal.answersPrivate(name)
        }
      }
      return .only(account.id)
    case .circle(let circle):
      if asksForFew {
        return try audience(naming: composition.recipients, by: account, answering: parent!, for: circle)
      }
      guard let leader = try leader(of: circle) else { return .circle(circle) }
      // Somebody who follows no longer may answer what is kept of their own, in the circle where it is kept.
      let followers = try followers(of: leader)
      return .circle(try members(of: followers).contains(account.id) ? followers : circle)
    case .everyone, .nobody, nil:
      switch visibility {
      case .public, .unlisted: return .everyone
      case .followers: return .circle(try followers(of: account))
      case .direct: return try audience(of: try recipients(composition.recipients, in: nil), by: account)
      }
    }
  }

  /// Who may see an answer that is to be for few, to what is for a circle: those of a direct conversation, whoever of
  /// them it names; of an account's followers, those whom it names and whom it answers.
  private func audience(
    naming names: [String], by account: Account, answering parent: Parent, for circle: CircleID
  ) throws -> Audience {
    var people = try recipients(names, in: try members(of: circle))
    if try leader(of: circle) == nil { return .circle(circle) }
    if parent.owner != account.id { people.insert(parent.owner) }
    return try audience(of: people, by: account)
  }

  /// The people of a direct conversation, with whoever writes to them.
  private func audience(of people: Set<AccountID>, by account: Account) throws -> Audience {
    if people.isEmpty { throw Refusal.namesNobody }
    let people = people.union([account.id])
    guard people.count <= StoreLimits.people else { throw Refusal.tooMany("people", limit: StoreLimits.people) }
    return .circle(try conversation(of: people))
  }

  /// The accounts of these names; where none has it to the letter, in whatever case. Somebody who is not in `circle` is
  /// refused.
  private func recipients(_ names: [String], in circle: Set<AccountID>?) throws -> Set<AccountID> {
    var people: Set<AccountID> = []
    for name in names {
      let recipient = try recipient(name)
      if let circle, !circle.contains(recipient) { throw Refusal.answersFewer(name) }
      people.insert(recipient)
    }
    return people
  }

  private func recipient(_ name: String) throws -> AccountID {
    let meant = try accounts(meantBy: name)
    guard meant.count == 1 else { throw Refusal.noSuchRecipient(name) }
    return meant[0]
  }

  private func accounts(meantBy name: String) throws(StoreError) -> [AccountID] {
    if let account = try account(named: name) { return [account.id] }
    return try identities().accounts(named: SafeText(line: name), in: local())
  }

  // MARK: Requests

  /// Remembers what a command did; the oldest are forgotten.
  func remember(_ requestID: String, _ account: AccountID, _ made: Made) throws(StoreError) {
    if requestID.isEmpty { return }
    let insertion = try connection.statement(.insertRequest)
    defer { insertion.reset() }
    insertion.bind(1, account.rawValue)
    insertion.bind(2, text: requestID)
    insertion.bind(3, made.column)
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
  var source: String
  var nativeID: String
  /// Who wrote or imported it.
  var owner: AccountID
  var visibility: Visibility
  var audience: Audience

  /// What an answer of `source` calls it (``PostStore/target(of:source:owner:)``).
  func key(in source: String) -> String { self.source == source ? nativeID : "\(self.source):\(nativeID)" }
}

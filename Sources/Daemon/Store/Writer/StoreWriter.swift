internal import Posts

/// Dispatches writes to features, in one transaction after another. Replaced when a transaction is rolled back, since
/// the caches no longer match the file then.
final class StoreWriter {
  private let connection: Connection
  private let transaction: Transaction
  private let lists: ListParts
  private let posts: PostParts
  private let content: PostFeatures
  private let people: AccountFeatures
  private let retention: RetentionWriter
  private let undoing: Undoing

  /// - Parameters:
  ///   - upstreams: see ``PostStore/upstreams``.
  ///   - reading: see ``PostStore/reading``.
  init(_ connection: Connection, upstreams: Set<String>, reading: TimelineReading?) {
    self.connection = connection
    transaction = Transaction()
    let memory = WriterMemory(connection)
    lists = ListParts(connection, transaction, memory)
    posts = PostParts(connection, transaction, memory, lists, upstreams: upstreams)
    let undo = UndoLog(connection, transaction, memory.undo)
    people = AccountFeatures(connection, transaction, memory, lists, posts, undo)
    content = PostFeatures(connection, transaction, memory, lists, posts, undo, people.feeds, reading)
    retention = RetentionWriter(
      connection, transaction, sources: lists.sources, programs: memory.programs, listed: lists.listed,
      identities: memory.identities, removal: posts.postRemoval)
    let actions = UndoActions(
      marks: content.marks, readMarks: content.readMarks, deletedPosts: posts.deletedPosts, deleting: content.deleting,
      editing: content.editing, mutes: people.mutes, following: people.following, lists: people.lists)
    undoing = Undoing(connection, log: undo, outbox: posts.outbox, actions: actions)
  }

  /// Begins a transaction after the commit that stored `meta`.
  func begin(after meta: Meta) { transaction.begin(after: meta) }

  /// The ID of the first new post of this transaction.
  var firstNewPost: PostID { transaction.firstNewPost }

  /// The feeds that this transaction has changed so far.
  var feeds: FeedChanges { transaction.feeds }

  /// Performs one write. It checks everything before it stores anything (``PostStore/commit(_:)``).
  func perform(_ write: Write) throws(StoreError) -> Outcome {
    switch try attempt({ try outcome(of: write) }) {
    case .success(let outcome): outcome
    case .failure(let refusal): .refused(refusal)
    }
  }

  /// Finds or creates an account (``Write/openAccount(uid:name:)``).
  func openAccount(uid: UInt32?, name: String) throws(StoreError) -> Result<Account, Refusal> {
    try attempt { try people.accounts.open(uid: uid, name: name) }
  }

  /// Finishes the transaction, except for the SQL commit. Returns the changes that are not in outcomes, and the row of
  /// `meta` that was stored; nil if nothing with a revision was stored.
  func finish() throws(StoreError) -> (changes: Changes, meta: Meta)? {
    try people.identityClaims.renewMentions()
    try posts.replyCounts.save()
    guard transaction.hasChanges else { return nil }
    try lists.entryTallies.save()
    try posts.index.save(revision: transaction.revision)
    let changes = try changes()
    try transaction.meta.save(to: connection)
    return (changes, transaction.meta)
  }

  /// Forgets what belongs to the transaction, after its end.
  func end() {
    transaction.end()
    lists.endTransaction()
    posts.endTransaction()
  }

  /// Returns the changes, with their posts and members.
  private func changes() throws(StoreError) -> Changes {
    var changes = transaction.changes.tidied()
    let reader = PostReader(connection)
    for id in transaction.unreported {
      guard let post = try reader.post(id) else { continue }
      transaction.report(post)
      if try reader.isEntry(id) { changes.changed.append(post) } else { changes.originals.append(post) }
    }
    for account in transaction.gapsChanged { changes.gaps[account] = try GapReader(connection).gaps(of: account) }
    for account in transaction.followRequestsChanged {
      changes.followRequests[account] = try FollowRequestReader(connection).requests(to: account)
    }
    changes.groups.members = try AudienceGroupReader(connection).members(of: transaction.groups)
    for account in transaction.mutesChanged {
      changes.muteLists[account] = try MuteReader(connection).muteList(of: account)
    }
    return changes
  }

  private func attempt<Value>(_ work: () throws -> Value) throws(StoreError) -> Result<Value, Refusal> {
    do {
      return .success(try work())
    } catch let refusal as Refusal {
      return .failure(refusal)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(kind: .other, message: "the store \(connection.path) failed: \(error)")
    }
  }

  private func sourceOutcome(of write: Write) throws -> Outcome {
    switch write {
    case .importBatch(let posts, let owner, let sharing, let run):
      .imported(try content.importing.importBatch(posts, owner: owner, sharing: sharing, run: run))
    case .forget(let forgetting): .forgotten(try forgotten(forgetting))
    case .noteGap(let account, let note): .gapNoted(hasChanged: try content.gaps.applyNote(note, of: account))
    case .addFeed(let feed): .feedStored(try people.feeds.add(feed))
    case .setFeed(let change): .feedStored(try people.feeds.set(change))
    case .removeFeed(let account, let feed): .feedStored(try people.feeds.remove(feed, from: account))
    case .retain(let change): .retained(try retention.apply(change))
    case .greetProgram(let greeting): .programTold(try content.greetings.greet(greeting))
    case .openLogin(let login):
      .loginOpened(try content.greetings.open(login), try people.accounts.claimIdentity(of: login))
    case .closeLogin(let login, let forgets, let isKnown):
      .programTold([try content.greetings.close(login, forgets: forgets, isKnown: isKnown)])
    case .takeBatches(let source, let batches): .batchesTaken(try content.batches.store(batches, from: source))
    case .takeOutgoing(let source, let limit, let again):
      .outgoing(try content.outgoing.takeCommands(for: source, limit: limit, again: again))
    case .takeAnswer(let source, let answer): .settled(try content.outgoing.takeAnswer(answer, of: source))
    default: preconditionFailure("not about a source")
    }
  }

  private func forgotten(_ forgetting: Forgetting) throws -> Forgotten {
    var forgotten = try content.importRemoval.forget(forgetting)
    if case .source(let source) = forgetting.subject, forgotten.next == nil {
      forgotten.restarted = try content.greetings.restart(loginsOf: forgetting.account, at: source)
    }
    return forgotten
  }

  private func profileSet(_ id: AccountID, _ name: SafeText?, _ about: SafeText?) throws -> Outcome {
    let (account, author) = try people.accounts.setProfile(of: id, displayName: name, about: about)
    return .profileSet(account, author)
  }

  private func outcome(of write: Write) throws -> Outcome {
    switch write {
    case .importBatch, .forget, .noteGap, .greetProgram, .openLogin, .closeLogin, .takeBatches, .takeOutgoing,
      .takeAnswer, .addFeed, .setFeed, .removeFeed, .retain:
      try sourceOutcome(of: write)
    case .compose(let composition): .composed(try content.composing.compose(composition))
    case .deletePost(let account, let post, let request):
      done(.postDeleted(post), try content.deleting.delete(post, by: account, request))
    case .edit(let edition): .edited(try content.editing.edit(edition))
    case .saveDraft(let draft): .draftSaved(try people.drafts.save(draft))
    case .deleteDraft(let account, let draft): done(.draftDeleted(draft), try people.drafts.delete(account, draft))
    case .mark(let marking): .marked(try content.marks.mark(marking))
    case .markRead(let marking): .readMarked(try content.readMarks.mark(marking))
    case .undo(let undo): .undone(try undoing.undo(undo))
    case .retry(let account, let post, let request): .settled(try content.outboxResolver.retry(account, post, request))
    case .discard(let account, let post, let givingUp, let request):
      .settled(try content.outboxResolver.discard(account, post, givingUp: givingUp, request))
    case .mute(let change): .muted(try people.mutes.apply(change))
    case .follow(let account, let author, let at):
      try people.following.follow(account, author, at: at) ? .followed(author) : .followAsked(author)
    case .unfollow(let account, let author): done(.unfollowed(author), try people.following.unfollow(account, author))
    case .approveFollow(let account, let author):
      done(.followerChanged(author), try people.followers.approve(account, author))
    case .refuseFollow(let account, let author):
      done(.followerChanged(author), try people.followers.refuse(account, author))
    case .removeFollower(let account, let author):
      done(.followerChanged(author), try people.followers.remove(account, author))
    case .makeList(let account, let name): .listMade(try people.lists.make(account, name))
    case .renameList(let account, let list, let name):
      done(.listChanged(list), try people.lists.rename(account, list, name))
    case .deleteList(let account, let list): done(.listDeleted(list), try people.lists.delete(account, list))
    case .addToList(let account, let list, let author):
      done(.listChanged(list), try people.lists.add(account, list, author))
    case .removeFromList(let account, let list, let author):
      done(.listChanged(list), try people.lists.remove(account, list, author))
    case .markSeen(let account, let section, let key): .seen(isNewer: try people.seen.mark(section, key, of: account))

    case .saveSession(let account, let name, let bytes):
      done(.sessionSaved, try people.sessions.save(account, name, bytes))
    case .savePlaces(let account, let name, let bytes):
      done(.placesSaved, try people.sessions.savePlaces(account, name, bytes))
    case .renameSession(let account, let name, let newName):
      done(.sessionRenamed, try people.sessions.rename(account, name, to: newName))
    case .deleteSession(let account, let name): done(.sessionDeleted, try people.sessions.delete(account, name))

    case .openAccount(let uid, let name): .accountOpened(try people.accounts.open(uid: uid, name: name))
    case .makeAccount(let name): .accountOpened(try people.accounts.make(name))
    case .setPostLimit(let account, let limit): .accountOpened(try people.accounts.setPostLimit(of: account, limit))
    case .setFollows(let policy): done(.followsSet(policy), try people.accounts.setFollows(policy))
    case .setProfile(let account, let name, let about): try profileSet(account, name, about)
    case .nameAuthor(let account, let handle, let name):
      .authorNamed(try people.accounts.nameAuthor(of: account, handle: handle, displayName: name))
    case .claimIdentity(let account, let source, let nativeID):
      .identityClaimed(try people.accounts.claimIdentity(account, source: source, nativeID: nativeID))
    case .issueToken(let token): .tokenIssued(try people.tokens.issue(token))
    case .revokeToken(let account, let id): .tokenRevoked(try people.tokens.revoke(account, id))
    }
  }

  /// Returns `outcome` after work that has no result of its own.
  private func done(_ outcome: Outcome, _ work: Void) -> Outcome { outcome }
}

import Messages
import Posts
import RPC
import Services
import Store

/// Applies actors' writes to a model, in the order of the store's writer, and compares stores and responses with it.
///
/// A completed write is permanent. The outcome of a write that failed, or that a power cut interrupted, is unknown
/// until the disk is inspected after the next start. Each response must match the outcome of one of the client's
/// writes.
final class ActionOracle {
  /// The user of the first actor; those of the others follow.
  static let firstUser: UInt32 = 2000

  private struct Request: Hashable {
    var user: UInt32
    var id: String
  }

  /// An expected response.
  private struct Response: Equatable {
    var code: StatusCode
    var bytes: [UInt8] = []
  }

  /// A command without a response so far.
  private struct PendingCommand {
    /// IDs of the posts the command names.
    var posts: [UInt64]
    /// True if one of the posts did not exist at some time since the command was sent.
    var wasMissing = false
  }

  private(set) var model = ActionModel()
  /// Commands with a response, and uncertain transactions that were found in the store.
  private(set) var answeredCommands = 0
  private(set) var recovered = 0
  /// The actors' accounts by user.
  private(set) var accounts: [UInt32: Int] = [:]
  private var users: [Int: UInt32] = [:]
  private var responses: [Request: [Response]] = [:]
  private var pendingCommands: [UInt32: PendingCommand] = [:]
  /// Transactions of unknown outcome since the last start.
  private var uncertain: [[Write]] = []
  private unowned let world: World

  init(_ world: World) { self.world = world }

  // MARK: Writes

  /// Records a batch of the store's writer, which may have failed.
  func recordBatch(_ jobs: [WriteJob], _ outcomes: [WriteOutcome]) {
    let writes = jobs.compactMap { job in if case .write(let write) = job { write } else { nil } }
    var failed: [Write] = []
    for (write, outcome) in zip(writes, outcomes) {
      switch outcome.result {
      case .failure: failed.append(write)
      case .success(let done): recordWrite(write, done, outcome.revision)
      }
    }
    if failed.contains(where: concernsActors) { uncertain.append(failed) }
    recordMissingPosts()
  }

  /// Returns true if an actor issued the write, or it creates a post that actors may see.
  private func concernsActors(_ write: Write) -> Bool {
    switch write {
    case .compose(let composition): composition.source.isEmpty
    case .mark(let marking): users[Int(marking.account.rawValue)] != nil
    case .markRead(let marking): users[Int(marking.account.rawValue)] != nil
    case .edit(let edition): users[Int(edition.account.rawValue)] != nil
    case .deletePost(let account, _, _): users[Int(account.rawValue)] != nil
    case .undo(let undo): users[Int(undo.account.rawValue)] != nil
    default: false
    }
  }

  private func recordWrite(_ write: Write, _ outcome: Outcome, _ revision: UInt64) {
    if case .accountOpened(let account) = outcome, let user = account.uid {
      recordAccount(user, Int(account.id.rawValue))
    }
    guard concernsActors(write) else { return }
    let newID: UInt64? =
      switch outcome {
      case .composed(let composed): UInt64(composed.post.id.rawValue)
      case .marked(let marked): marked.repost.map { UInt64($0.post.id.rawValue) }
      case .undone(let undone): undone.repost.map { UInt64($0.post.id.rawValue) }
      default: nil
      }
    let expected = model.perform(write, newID: { newID })
    let result = ActionModel.WriteResult(outcome)
    if expected == nil || expected != result {
      let (was, wanted) = (result.map { "\($0)" } ?? "\(outcome)", expected.map { "\($0)" } ?? "a new post")
      world.violation("\(write) resulted in \(was), expected \(wanted)")
    }
    if let request = write.request, let result {
      world.trace.record(world.now, "store", text: "has done \(request.id) (\(write.words)): \(result)")
    }
    guard let (account, id) = write.request, let user = users[account] else { return }
    responses[Request(user: user, id: id), default: []].append(Self.response(outcome, revision))
  }

  private func recordAccount(_ user: UInt32, _ account: Int) {
    guard user >= Self.firstUser else { return }
    accounts[user] = account
    users[account] = user
  }

  /// Returns the response that the service must send.
  private static func response(_ outcome: Outcome, _ revision: UInt64) -> Response {
    switch outcome {
    case .composed(let composed):
      return Response(
        code: .ok, bytes: ComposeResponse(postID: UInt64(composed.post.id.rawValue), revision: revision).encoded())
    case .marked(let marked):
      let repost = (marked.repost?.post.id ?? marked.earlierRepost).map { UInt64($0.rawValue) } ?? 0
      return Response(
        code: .ok, bytes: MarkResponse(hasChanged: marked.hasChanged, repostID: repost, revision: revision).encoded())
    case .undone(let undone):
      if undone.obstacle != nil { return Response(code: .failedPrecondition) }
      var response = UndoResponse()
      response.description = undone.what
      response.postID = undone.post.map { UInt64($0.rawValue) } ?? 0
      (response.undoable, response.redoable) = (UInt32(undone.undoable), UInt32(undone.redoable))
      response.revision = revision
      return Response(code: .ok, bytes: response.encoded())
    case .readMarked(let changed):
      return Response(code: .ok, bytes: MarkReadResponse(changed: changed, revision: revision).encoded())
    case .refused(.noSuchPost): return Response(code: .notFound)
    case .refused(.notOwn), .refused(.notOwnText), .refused(.notForEverybody), .refused(.notWrittenHere):
      return Response(code: .permissionDenied)
    case .refused: return Response(code: .failedPrecondition)
    default: return Response(code: .ok, bytes: RevisionResponse(revision: revision).encoded())
    }
  }

  // MARK: Responses

  /// Records a command that a client is about to send.
  func recordRequest(by user: UInt32, about posts: [UInt64]) {
    pendingCommands[user] = PendingCommand(posts: posts)
    recordMissingPosts()
  }

  /// Checks a response after which the client does not retry.
  func checkResponse(_ user: UInt32, _ command: ActionCommand, _ result: Result<[UInt8], Status>) {
    answeredCommands += 1
    let pending = pendingCommands.removeValue(forKey: user)
    let expected = responses[Request(user: user, id: command.requestID)] ?? []
    switch result {
    case .success(let bytes):
      if expected.contains(Response(code: .ok, bytes: bytes)) { return }
      world.violation("the response to \(command) of user \(user) differs from its \(expected.count) writes")
    case .failure(let status):
      if status.code == .notFound, pending?.wasMissing == true { return }
      if expected.contains(where: { $0.code == status.code }) { return }
      world.violation("user \(user) received \(status) for \(command), which was written \(expected.count) times")
    }
  }

  private func recordMissingPosts() {
    for user in pendingCommands.keys where pendingCommands[user]!.posts.contains(where: { model.posts[$0] == nil }) {
      pendingCommands[user]!.wasMissing = true
    }
  }

  // MARK: The disk

  /// Checks the disk before a new process starts: it must hold all completed writes and at most one uncertain
  /// transaction.
  func checkAfterRestart() {
    let attempts = uncertain
    uncertain = []
    guard !accounts.isEmpty || !attempts.isEmpty || !model.ids.isEmpty else { return }
    do throws(DatabaseCopy.Failure) {
      guard let contents = try StoreContents(world.disk) else {
        if !model.ids.isEmpty { world.violation("the store has disappeared") }
        return
      }
      for (user, account) in contents.accounts { recordAccount(user, account) }
      let flaws = model.flaws(in: contents, of: users.keys.sorted())
      if flaws.isEmpty { return }
      for attempt in attempts.reversed() {
        var other = model
        guard attempt.allSatisfy({ !concernsActors($0) || other.redo($0, contents) }),
          other.flaws(in: contents, of: users.keys.sorted()).isEmpty
        else { continue }
        model = other
        recovered += 1
        return recordMissingPosts()
      }
      for flaw in flaws.prefix(5) { world.violation("after a start: \(flaw)") }
    } catch {
      world.violation("cannot inspect the store: \(error)")
    }
  }

  /// Compares the store's file with the model at the end of a run.
  func checkFinalState() {
    guard !accounts.isEmpty else { return }
    do throws(DatabaseCopy.Failure) {
      guard let contents = try StoreContents(world.disk) else { return world.violation("no store exists") }
      for flaw in model.flaws(in: contents, of: users.keys.sorted()).prefix(5) {
        world.violation("at the end: \(flaw)")
      }
    } catch {
      world.violation("cannot inspect the store: \(error)")
    }
  }
}

extension Write {
  /// A description of the write for traces.
  fileprivate var words: String {
    switch self {
    case .compose(let composition): "an answer to \(composition.inReplyTo?.rawValue ?? 0)"
    case .mark(let marking): "mark \(marking.mark.rawValue) of \(marking.post.rawValue), \(marking.isOn)"
    case .markRead(let marking): "marking \(marking.posts.count) posts, \(marking.isRead)"
    case .edit(let edition): "editing \(edition.post.rawValue)"
    case .deletePost(_, let post, _): "deleting \(post.rawValue)"
    case .undo(let undo): undo.isRedo ? "redo" : "undo"
    default: ""
    }
  }

  /// The account and request ID of the command behind the write.
  fileprivate var request: (account: Int, id: String)? {
    switch self {
    case .compose(let composition): (Int(composition.account.rawValue), composition.requestID)
    case .mark(let marking): (Int(marking.account.rawValue), marking.requestID)
    case .markRead(let marking): (Int(marking.account.rawValue), marking.requestID)
    case .edit(let edition): (Int(edition.account.rawValue), edition.requestID)
    case .deletePost(let account, _, let requestID): (Int(account.rawValue), requestID)
    case .undo(let undo): (Int(undo.account.rawValue), undo.requestID)
    default: nil
    }
  }
}

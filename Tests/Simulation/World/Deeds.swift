import Messages
import Posts
import RPC
import Services
import Store

/// What actors have done to posts, in the order in which the store's writer did it, and a model of what is to come of
/// it.
///
/// A write that was done is done for good, whatever happens then; of one that failed, or in which the power went,
/// nobody knows, until somebody looks at the disk after the next start. What clients are answered is what came of a
/// write of theirs.
final class Deeds {
  /// The user of the first actor; those of the others follow.
  static let firstUser: UInt32 = 2000

  private struct Request: Hashable {
    var user: UInt32
    var id: String
  }

  /// What is to be answered.
  private struct Answer: Equatable {
    var code: StatusCode
    var bytes: [UInt8] = []
  }

  /// A command on its way.
  private struct Errand {
    /// The posts that it is about.
    var posts: [UInt64]
    /// Whether one of them was not there at some time meanwhile.
    var wasMissing = false
  }

  private(set) var model = ActionModel()
  /// Commands that were answered, and doubtful transactions that turned out to have been done.
  private(set) var answered = 0
  private(set) var revived = 0
  /// Their accounts, by user.
  private(set) var accounts: [UInt32: Int] = [:]
  private var users: [Int: UInt32] = [:]
  private var answers: [Request: [Answer]] = [:]
  private var errands: [UInt32: Errand] = [:]
  /// Transactions of which nobody knows whether they were done, since the last start.
  private var doubtful: [[Write]] = []
  private unowned let world: World

  init(_ world: World) { self.world = world }

  // MARK: What the store does

  /// The store's writer has done a batch, or has not.
  func wrote(_ jobs: [WriteJob], _ outcomes: [WriteOutcome]) {
    let writes = jobs.compactMap { job in if case .write(let write) = job { write } else { nil } }
    var failed: [Write] = []
    for (write, outcome) in zip(writes, outcomes) {
      switch outcome.result {
      case .failure: failed.append(write)
      case .success(let done): did(write, done, outcome.revision)
      }
    }
    if failed.contains(where: isActors) { doubtful.append(failed) }
    noteMissing()
  }

  /// Whether a write is one of an actor, or makes posts that they may meet.
  private func isActors(_ write: Write) -> Bool {
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

  private func did(_ write: Write, _ outcome: Outcome, _ revision: UInt64) {
    if case .accountOpened(let account) = outcome, let user = account.uid { met(user, Int(account.id.rawValue)) }
    guard isActors(write) else { return }
    let newID: UInt64? =
      switch outcome {
      case .composed(let composed): UInt64(composed.post.id.rawValue)
      case .marked(let marked): marked.repost.map { UInt64($0.post.id.rawValue) }
      case .undone(let undone): undone.repost.map { UInt64($0.post.id.rawValue) }
      default: nil
      }
    let expected = model.perform(write, newID: { newID })
    let told = ActionModel.Told(outcome)
    if expected == nil || expected != told {
      let (was, wanted) = (told.map { "\($0)" } ?? "\(outcome)", expected.map { "\($0)" } ?? "a new post")
      world.violation("what came of \(write) is \(was), and was to be \(wanted)")
    }
    if let request = write.request, let told {
      world.trace.note(world.now, "store", text: "has done \(request.id) (\(write.words)): \(told)")
    }
    guard let (account, id) = write.request, let user = users[account] else { return }
    answers[Request(user: user, id: id), default: []].append(Self.answer(outcome, revision))
  }

  private func met(_ user: UInt32, _ account: Int) {
    guard user >= Self.firstUser else { return }
    accounts[user] = account
    users[account] = user
  }

  /// What the service is to answer.
  private static func answer(_ outcome: Outcome, _ revision: UInt64) -> Answer {
    switch outcome {
    case .composed(let composed):
      return Answer(
        code: .ok, bytes: ComposeResponse(postID: UInt64(composed.post.id.rawValue), revision: revision).encoded())
    case .marked(let marked):
      let repost = (marked.repost?.post.id ?? marked.earlierRepost).map { UInt64($0.rawValue) } ?? 0
      return Answer(
        code: .ok, bytes: MarkResponse(hasChanged: marked.hasChanged, repostID: repost, revision: revision).encoded())
    case .undone(let undone):
      if undone.obstacle != nil { return Answer(code: .failedPrecondition) }
      var response = UndoResponse()
      response.description = undone.what
      response.postID = undone.post.map { UInt64($0.rawValue) } ?? 0
      (response.undoable, response.redoable) = (UInt32(undone.undoable), UInt32(undone.redoable))
      response.revision = revision
      return Answer(code: .ok, bytes: response.encoded())
    case .readMarked(let changed):
      return Answer(code: .ok, bytes: MarkReadResponse(changed: changed, revision: revision).encoded())
    case .refused(.noSuchPost): return Answer(code: .notFound)
    case .refused(.notOwn), .refused(.notOwnText): return Answer(code: .permissionDenied)
    case .refused: return Answer(code: .failedPrecondition)
    default: return Answer(code: .ok, bytes: RevisionResponse(revision: revision).encoded())
    }
  }

  // MARK: What clients are answered

  /// A client begins to ask for something.
  func asks(_ user: UInt32, about posts: [UInt64]) {
    errands[user] = Errand(posts: posts)
    noteMissing()
  }

  /// A client was answered something that is no reason to ask again.
  func answered(_ user: UInt32, _ command: ActionCommand, _ result: Result<[UInt8], Status>) {
    answered += 1
    let errand = errands.removeValue(forKey: user)
    let expected = answers[Request(user: user, id: command.requestID)] ?? []
    switch result {
    case .success(let bytes):
      if expected.contains(Answer(code: .ok, bytes: bytes)) { return }
      world.violation("user \(user) is answered otherwise than \(command) was done, \(expected.count) times")
    case .failure(let status):
      if status.code == .notFound, errand?.wasMissing == true { return }
      if expected.contains(where: { $0.code == status.code }) { return }
      world.violation("user \(user) is answered \(status) to \(command), which was done \(expected.count) times")
    }
  }

  private func noteMissing() {
    for user in errands.keys where errands[user]!.posts.contains(where: { model.posts[$0] == nil }) {
      errands[user]!.wasMissing = true
    }
  }

  // MARK: What is on the disk

  /// A new process is about to find what the last one left: all that was done, and of what is doubtful one transaction,
  /// or none.
  func restarted() {
    let attempts = doubtful
    doubtful = []
    guard !accounts.isEmpty || !attempts.isEmpty || !model.ids.isEmpty else { return }
    do throws(DiskLook.Failure) {
      guard let look = try StoreLook(world.disk) else {
        if !model.ids.isEmpty { world.violation("there is no store any more") }
        return
      }
      for (user, account) in look.accounts { met(user, account) }
      let flaws = model.flaws(in: look, of: users.keys.sorted())
      if flaws.isEmpty { return }
      for attempt in attempts.reversed() {
        var other = model
        guard attempt.allSatisfy({ !isActors($0) || other.redo($0, look) }),
          other.flaws(in: look, of: users.keys.sorted()).isEmpty
        else { continue }
        model = other
        revived += 1
        return noteMissing()
      }
      for flaw in flaws.prefix(5) { world.violation("after a start: \(flaw)") }
    } catch {
      world.violation("the store cannot be looked at: \(error)")
    }
  }

  /// What is in the store's file now that is not as the model has it.
  func check() {
    guard !accounts.isEmpty else { return }
    do throws(DiskLook.Failure) {
      guard let look = try StoreLook(world.disk) else { return world.violation("there is no store") }
      for flaw in model.flaws(in: look, of: users.keys.sorted()).prefix(5) { world.violation("in the end: \(flaw)") }
    } catch {
      world.violation("the store cannot be looked at: \(error)")
    }
  }
}

extension Write {
  /// What it is about, for a trace.
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

  /// Whose command it is, and the client's name for it.
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

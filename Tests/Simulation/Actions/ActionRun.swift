import Messages
import RPC
import TestSupport
import ViewState

/// Twenty accounts that write, answer, edit, delete, favourite, repost and save, take back and do again, each before a
/// view of its own; and a model of what is to come of it.
package final class ActionRun {
  /// What came of a run.
  package struct Report {
    package var actions = 0
    /// How often each kind of action was asked for.
    package var kinds: [ActionKind: Int] = [:]
    /// Actions that changed something; the others were refused, or it was so already.
    package var changes = 0
    /// Steps that were taken back or done again.
    package var undone = 0
    /// Actions that were asked for once more, under the same request id.
    package var repeated = 0
    /// Answers that were compared: all.
    package var answers = 0
    /// Posts and reposts that are there.
    package var posts = 0
    /// Rows whose texts, counts and flags were compared.
    package var rows = 0
    /// What must not be, in words.
    package var violations: [String] = []
  }

  static let accounts = 20
  /// Actions between two looks at what is shown.
  private static let pause = 50
  /// Actions between two looks at everything that there is.
  private static let longPause = 5_000
  /// The newest commands of an account that may be asked for again.
  private static let remembered = 20

  let daemon: DirectDaemon
  var random: SeededGenerator
  private(set) var model = ActionModel()
  private(set) var clients: [DirectClient] = []
  private(set) var views: [DirectView] = []
  private var asked: [[ActionCommand]]
  package var report = Report()

  /// A daemon with twenty accounts, and nothing written yet.
  package init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed ^ 0xAC71)
    daemon = try DirectDaemon(seed: seed)
    asked = Array(repeating: [], count: Self.accounts)
    for account in 0..<Self.accounts {
      let client = try daemon.client(user: 1001 + UInt32(account))
      _ = try client.call(Method.whoAmI, EmptyMessage(), WhoAmIResponse.self)
      clients.append(client)
      views.append(try client.attach(Hello(session: "", layout: Self.layout, client: "actions")))
    }
  }

  static var layout: LayoutParameters { LayoutParameters(width: 80, height: 40) }

  /// Ends the daemon.
  package func close() { daemon.close() }

  /// Does so many things. Each answer is compared, what views show every 50 actions, and everything there is in the end
  /// and every 5,000.
  package func run(actions: Int) throws {
    while report.actions < actions, report.violations.count < 20 {
      let before = report.actions
      try act(Int.random(in: 0..<Self.accounts, using: &random))
      if before / Self.pause != report.actions / Self.pause { try look() }
      if before / Self.longPause != report.actions / Self.longPause { try lookThrough() }
    }
    try look()
    try lookThrough()
    report.posts = model.ids.count
  }

  // MARK: Actions

  private func act(_ account: Int) throws {
    guard let commands = commands(account) else { return }
    for var command in commands {
      // Most do without; with one it may be asked for again, at once or later.
      let isNamed = Int.random(in: 0..<4, using: &random) == 0
      if isNamed { command.requestID = "\(account) \(report.actions)" }
      try perform(account, command)
      guard isNamed else { continue }
      asked[account].append(command)
      if asked[account].count > Self.remembered { asked[account].removeFirst() }
    }
    guard Int.random(in: 0..<8, using: &random) == 0, let again = asked[account].randomElement(using: &random) else {
      return
    }
    report.repeated += 1
    try perform(account, Bool.random(using: &random) ? again : asked[account].last!)
  }

  private func commands(_ account: Int) -> [ActionCommand]? {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<12: [compose()]
    case 12..<44: marks()
    case 44..<50: readMarks()
    case 50..<56: ownPost(account).map { [.edit(EditRequest(post: "\($0)", text: "edited \(report.actions)"))] }
    case 56..<64: ownPost(account).map { [.delete(DeleteRequest(post: "\($0)"))] }
    case 64..<85: [.undo(UndoRequest(isRedo: false))]
    default: [.undo(UndoRequest(isRedo: true))]
    }
  }

  /// One of the newest, mostly.
  private func anyPost() -> UInt64? {
    Int.random(in: 0..<10, using: &random) == 0
      ? model.ids.randomElement(using: &random) : model.ids.suffix(40).randomElement(using: &random)
  }

  /// One of the account's own, mostly.
  private func ownPost(_ account: Int) -> UInt64? {
    guard Int.random(in: 0..<5, using: &random) > 0 else { return anyPost() }
    let own = model.posts(of: account)
    return (Bool.random(using: &random) ? own.suffix(4) : own[...]).randomElement(using: &random)
  }

  private func compose() -> ActionCommand {
    let text = "\(report.actions) " + String(repeating: "otter ", count: .random(in: 0...30, using: &random))
    var request = ComposeRequest(text: text)
    if Bool.random(using: &random), let parent = anyPost() { request.inReplyTo = "\(parent)" }
    return .compose(request)
  }

  /// Some fast ones after another: it ends in the last.
  private func marks() -> [ActionCommand]? {
    guard let post = anyPost(), let kind = MarkKind.allCases.randomElement(using: &random) else { return nil }
    return (0..<[1, 1, 1, 2, 3].randomElement(using: &random)!).map { _ in
      .mark(MarkRequest(kind, post: "\(post)", isUnmark: Bool.random(using: &random)))
    }
  }

  /// Some at once, now and then one twice.
  private func readMarks() -> [ActionCommand]? {
    let posts = (0..<[1, 1, 2, 5].randomElement(using: &random)!).compactMap { _ in anyPost() }
    guard !posts.isEmpty else { return nil }
    return [.markRead(MarkReadRequest(Bool.random(using: &random) ? .read : .unread, posts: posts.map { "\($0)" }))]
  }

  // MARK: Answers

  /// Has something done, and compares the answer with the model's.
  private func perform(_ account: Int, _ command: ActionCommand) throws {
    report.actions += 1
    report.kinds[command.kind, default: 0] += 1
    let (answers, status) = try clients[account].ask(command.path, command.bytes)
    report.answers += 1
    if status.isOK != (answers.count == 1) { violation("\(command) has \(answers.count) answers and \(status)") }
    switch command {
    case .compose(let request): try composed(account, request, answers.first, status)
    case .mark(let request): try marked(account, request, answers.first, status)
    case .markRead(let request):
      let (expected, changed) = model.markRead(
        account, request.posts.map { UInt64($0)! }, request.readMark!, request.requestID)
      compare(expected, status, "marking \(request.posts)")
      if let answer = try answers.first.map({ try MarkReadResponse(decoding: $0) }), answer.changed != changed {
        violation("marking \(request.posts): \(answer.changed) changed, and \(changed) should have")
      }
    case .edit(let request):
      let expected = model.edit(account, UInt64(request.post)!, request.text, request.requestID)
      compare(expected, status, "editing \(request.post)")
    case .delete(let request):
      compare(model.delete(account, UInt64(request.post)!, request.requestID), status, "deleting \(request.post)")
    case .undo(let request): try undone(account, request, answers.first, status)
    }
  }

  private func composed(_ account: Int, _ request: ComposeRequest, _ answer: [UInt8]?, _ status: Status) throws {
    let id = try answer.map { try ComposeResponse(decoding: $0).postID }
    let earlier = model.composed(account, request.requestID)
    let isMissing = model.subject(of: UInt64(request.inReplyTo) ?? 0) == nil && !request.inReplyTo.isEmpty
    let isDone = !isMissing && earlier?.isThere != false
    compare(isDone ? (earlier == nil ? .done : .unchanged) : .missing, status, "writing")
    guard let id else { return }
    if let earlier, earlier.id != id { violation("post \(earlier.id) was written again as \(id)") }
    if earlier == nil {
      model.compose(account, id, request.text, answering: UInt64(request.inReplyTo), request.requestID)
    }
  }

  private func marked(_ account: Int, _ request: MarkRequest, _ answer: [UInt8]?, _ status: Status) throws {
    let (post, kind) = (UInt64(request.post)!, request.kind!)
    let isRepost = kind == .repost && !request.isUnmark
    let earlier = isRepost ? model.reposts(account, of: post, by: request.requestID) : []
    let expected = model.mark(account, post, kind, isOn: !request.isUnmark, request.requestID)
    guard compare(expected, status, "\(kind) of \(post)"),
      let answer = try answer.map({ try MarkResponse(decoding: $0) })
    else { return }
    if answer.hasChanged != (expected == .done) { violation("\(kind) of \(post): changed \(answer.hasChanged)") }
    if expected == .done, answer.repostID != 0 {
      model.repost(account, answer.repostID, of: model.subject(of: post)!.id)
    }
    let isRight =
      expected == .done
      ? (answer.repostID != 0) == isRepost : (earlier.isEmpty ? [0] : earlier).contains(answer.repostID)
    if !isRight { violation("\(kind) of \(post): repost \(answer.repostID)") }
  }

  private func undone(_ account: Int, _ request: UndoRequest, _ answer: [UInt8]?, _ status: Status) throws {
    let undoing = model.undo(account, isRedo: request.isRedo, request.requestID)
    switch undoing {
    case .done(let post), .reposted(let post):
      report.undone += 1
      // The answer does not say its number; nobody else makes posts here.
      if case .reposted = undoing { model.repost(account, model.lastID + 1, of: post) }
      let answer = try answer.map { try UndoResponse(decoding: $0) }
      let journal = model.journal(of: account)
      if answer?.postID != post {
        violation("taking back what was done to \(post): \(status), \(answer?.description ?? "")")
      }
      if let answer, answer.undoable != UInt32(journal.undoable) || answer.redoable != UInt32(journal.redoable) {
        violation(
          "\(answer.undoable) steps can be taken back and \(answer.redoable) done again, and there are \(journal)")
      }
    case .obstacle, .nothing:
      if status.code != .failedPrecondition { violation("taking back what cannot be: \(status)") }
    }
  }

  @discardableResult
  private func compare(_ expected: ActionModel.Expected, _ status: Status, _ what: String) -> Bool {
    let code: StatusCode =
      switch expected {
      case .done, .unchanged: .ok
      case .missing: .notFound
      case .notOwn: .permissionDenied
      }
    if status.code != code { violation("\(what) was to be \(expected), and is \(status)") }
    if expected == .done { report.changes += 1 }
    return status.isOK
  }

  func violation(_ text: String) { report.violations.append("after \(report.actions): \(text)") }
}

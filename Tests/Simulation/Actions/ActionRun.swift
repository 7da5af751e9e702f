import Messages
import RPC
import TestSupport
import ViewState

/// Twenty accounts that write, reply, edit, delete, favourite, repost, save, undo and redo, each with a view of its
/// own, and a model that predicts the results.
package final class ActionRun {
  /// The result of a run.
  package struct Report {
    package var actions = 0
    /// Number of actions by kind.
    package var kinds: [ActionKind: Int] = [:]
    /// Actions that changed something; the others were refused or had no effect.
    package var changes = 0
    /// Changes that were undone or redone.
    package var undone = 0
    /// Actions that were repeated with the same request ID.
    package var repeated = 0
    /// Compared responses: all of them.
    package var responses = 0
    /// Posts and reposts at the end.
    package var posts = 0
    /// Rows whose texts, counts and flags were compared.
    package var rows = 0
    /// Descriptions of violated rules.
    package var violations: [String] = []
  }

  static let accounts = 20
  /// Actions between two checks of views.
  private static let pause = 50
  /// Actions between two checks of all rows.
  private static let longPause = 5_000
  /// Number of an account's newest commands that may be repeated.
  private static let remembered = 20

  let daemon: DirectDaemon
  var random: SeededGenerator
  private(set) var model = ActionModel()
  private(set) var clients: [DirectClient] = []
  private(set) var views: [DirectView] = []
  private var recentCommands: [[ActionCommand]]
  package var report = Report()

  /// Starts a daemon with twenty accounts and no posts.
  package init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed ^ 0xAC71)
    daemon = try DirectDaemon(seed: seed)
    recentCommands = Array(repeating: [], count: Self.accounts)
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

  /// Performs this many actions. Compares each response, the views every 50 actions, and all rows every 5,000 and at
  /// the end.
  package func run(actions: Int) throws {
    while report.actions < actions, report.violations.count < 20 {
      let before = report.actions
      try act(Int.random(in: 0..<Self.accounts, using: &random))
      if before / Self.pause != report.actions / Self.pause { try checkViews() }
      if before / Self.longPause != report.actions / Self.longPause { try checkAllRows() }
    }
    try checkViews()
    try checkAllRows()
    report.posts = model.ids.count
  }

  // MARK: Actions

  private func act(_ account: Int) throws {
    guard let commands = commands(account) else { return }
    for var command in commands {
      // Few have a request ID; those may be repeated, at once or later.
      let isNamed = Int.random(in: 0..<4, using: &random) == 0
      if isNamed { command.requestID = "\(account) \(report.actions)" }
      try perform(account, command)
      guard isNamed else { continue }
      recentCommands[account].append(command)
      if recentCommands[account].count > Self.remembered { recentCommands[account].removeFirst() }
    }
    guard Int.random(in: 0..<8, using: &random) == 0, let again = recentCommands[account].randomElement(using: &random)
    else {
      return
    }
    report.repeated += 1
    try perform(account, Bool.random(using: &random) ? again : recentCommands[account].last!)
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

  /// Returns a random post, mostly one of the newest.
  private func anyPost() -> UInt64? {
    Int.random(in: 0..<10, using: &random) == 0
      ? model.ids.randomElement(using: &random) : model.ids.suffix(40).randomElement(using: &random)
  }

  /// Returns a random post, mostly one of the account's own.
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

  /// Returns up to three marks of one post in quick succession; the last one wins.
  private func marks() -> [ActionCommand]? {
    guard let post = anyPost(), let kind = MarkKind.allCases.randomElement(using: &random) else { return nil }
    return (0..<[1, 1, 1, 2, 3].randomElement(using: &random)!).map { _ in
      .mark(MarkRequest(kind, post: "\(post)", isUnmark: Bool.random(using: &random)))
    }
  }

  /// Returns a read mark of several posts, sometimes with duplicates.
  private func readMarks() -> [ActionCommand]? {
    let posts = (0..<[1, 1, 2, 5].randomElement(using: &random)!).compactMap { _ in anyPost() }
    guard !posts.isEmpty else { return nil }
    return [.markRead(MarkReadRequest(Bool.random(using: &random) ? .read : .unread, posts: posts.map { "\($0)" }))]
  }

  // MARK: Responses

  /// Sends a command, and compares the response with the model's.
  private func perform(_ account: Int, _ command: ActionCommand) throws {
    report.actions += 1
    report.kinds[command.kind, default: 0] += 1
    let (responses, status) = try clients[account].ask(command.path, command.bytes)
    report.responses += 1
    if status.isOK != (responses.count == 1) { violation("\(command) has \(responses.count) responses and \(status)") }
    switch command {
    case .compose(let request): try checkComposed(account, request, responses.first, status)
    case .mark(let request): try checkMarked(account, request, responses.first, status)
    case .markRead(let request):
      let (expected, changed) = model.markRead(
        account, request.posts.map { UInt64($0)! }, request.readMark!, request.requestID)
      compare(expected, status, "marking \(request.posts)")
      if let answer = try responses.first.map({ try MarkReadResponse(decoding: $0) }), answer.changed != changed {
        violation("marking \(request.posts): \(answer.changed) changed, expected \(changed)")
      }
    case .edit(let request):
      let expected = model.edit(account, UInt64(request.post)!, request.text, request.requestID)
      compare(expected, status, "editing \(request.post)")
    case .delete(let request):
      compare(model.delete(account, UInt64(request.post)!, request.requestID), status, "deleting \(request.post)")
    case .undo(let request): try checkUndone(account, request, responses.first, status)
    }
  }

  private func checkComposed(_ account: Int, _ request: ComposeRequest, _ answer: [UInt8]?, _ status: Status) throws {
    let id = try answer.map { try ComposeResponse(decoding: $0).postID }
    let earlier = model.composed(account, request.requestID)
    let isMissing = model.subject(of: UInt64(request.inReplyTo) ?? 0) == nil && !request.inReplyTo.isEmpty
    let isDone = !isMissing && earlier?.isThere != false
    compare(isDone ? (earlier == nil ? .done : .unchanged) : .missing, status, "writing")
    guard let id else { return }
    if let earlier, earlier.id != id { violation("post \(earlier.id) was written again as post \(id)") }
    if earlier == nil {
      model.compose(account, id, request.text, replyingTo: UInt64(request.inReplyTo), request.requestID)
    }
  }

  private func checkMarked(_ account: Int, _ request: MarkRequest, _ answer: [UInt8]?, _ status: Status) throws {
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

  private func checkUndone(_ account: Int, _ request: UndoRequest, _ answer: [UInt8]?, _ status: Status) throws {
    let undoing = model.undo(account, isRedo: request.isRedo, request.requestID)
    switch undoing {
    case .done(let post), .reposted(let post):
      report.undone += 1
      // The response does not contain the repost's ID, but no other post can have been created since.
      if case .reposted = undoing { model.repost(account, model.lastID + 1, of: post) }
      let answer = try answer.map { try UndoResponse(decoding: $0) }
      let counts = model.undoCounts(of: account)
      if answer?.postID != post {
        violation("undo or redo of a change to \(post): \(status), \(answer?.description ?? "")")
      }
      if let answer, answer.undoable != UInt32(counts.undoable) || answer.redoable != UInt32(counts.redoable) {
        violation(
          "\(answer.undoable) changes can be undone and \(answer.redoable) redone, expected \(counts)")
      }
    case .obstacle, .nothing:
      if status.code != .failedPrecondition { violation("undo or redo without a change: \(status)") }
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
    if status.code != code { violation("\(what): expected \(expected), got \(status)") }
    if expected == .done { report.changes += 1 }
    return status.isOK
  }

  func violation(_ text: String) { report.violations.append("after \(report.actions): \(text)") }
}

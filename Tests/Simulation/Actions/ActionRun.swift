import Messages
import RPC
import TestSupport
import ViewState

/// Twenty accounts that write, answer, edit, delete, favourite, repost and save, take back and do again, each before a view of its own; and
/// a model of what is to come of it.
package final class ActionRun {
  /// What came of a run.
  package struct Report {
    package var actions = 0
    /// Actions that changed something; the others were refused, or it was so already.
    package var changes = 0
    /// Steps that were taken back or done again.
    package var undone = 0
    /// Rows whose texts, counts and flags were compared.
    package var rows = 0
    /// What must not be, in words.
    package var violations: [String] = []
  }

  private static let accounts = 20
  /// Actions between two looks at what is shown.
  private static let pause = 50

  private let daemon: DirectDaemon
  private var random: SeededGenerator
  private var model = ActionModel()
  private var clients: [DirectClient] = []
  private var views: [DirectView] = []
  package private(set) var report = Report()

  /// A daemon with twenty accounts, and nothing written yet.
  package init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed ^ 0xAC71)
    daemon = try DirectDaemon(seed: seed)
    for account in 0..<Self.accounts {
      let client = try daemon.client(user: 1001 + UInt32(account))
      _ = try client.call(Method.whoAmI, EmptyMessage(), WhoAmIResponse.self)
      clients.append(client)
      views.append(try client.attach(Hello(session: "", layout: Self.layout, client: "actions")))
    }
  }

  private static var layout: LayoutParameters { LayoutParameters(width: 80, height: 40) }

  /// Ends the daemon.
  package func close() { daemon.close() }

  /// Does so many things.
  package func run(actions: Int) throws {
    while report.actions < actions, report.violations.count < 20 {
      report.actions += 1
      try act(Int.random(in: 0..<Self.accounts, using: &random))
      if report.actions % Self.pause == 0 { try look() }
    }
    try look()
  }

  // MARK: Actions

  private func act(_ account: Int) throws {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<12: try compose(account)
    case 12..<50: try mark(account)
    case 50..<56: try edit(account)
    case 56..<64: try delete(account)
    case 64..<85: try undo(account, isRedo: false)
    default: try undo(account, isRedo: true)
    }
  }

  private func anyPost() -> UInt64? { model.posts.keys.sorted().suffix(60).randomElement(using: &random) }

  /// One of the account's own, mostly.
  private func ownPost(_ account: Int) -> UInt64? {
    guard Int.random(in: 0..<5, using: &random) > 0 else { return anyPost() }
    return model.posts.values.filter { $0.author == account }.map(\.id).sorted().randomElement(using: &random)
  }

  private func compose(_ account: Int) throws {
    let text = "\(report.actions) " + String(repeating: "otter ", count: .random(in: 0...30, using: &random))
    var request = ComposeRequest(text: text)
    if Bool.random(using: &random), let parent = anyPost() { request.inReplyTo = "\(parent)" }
    let answer = try clients[account].call(Method.compose, request, ComposeResponse.self)
    model.compose(account, answer.postID, text)
    report.changes += 1
  }

  /// Some fast ones after another: it ends in the last.
  private func mark(_ account: Int) throws {
    guard let post = anyPost(), let kind = MarkKind.allCases.randomElement(using: &random) else { return }
    for _ in 0..<[1, 1, 1, 2, 3].randomElement(using: &random)! {
      let isOn = Bool.random(using: &random)
      let expected = model.mark(account, post, kind, isOn: isOn)
      let (answers, status) = try clients[account].ask(Method.mark, MarkRequest(kind, post: "\(post)", isUndo: !isOn).encoded())
      guard compare(expected, status, "\(kind) of \(post)"), let answer = try answers.first.map({ try MarkResponse(decoding: $0) }) else { continue }
      if answer.hasChanged != (expected == .done) { violation("\(kind) of \(post): changed \(answer.hasChanged)") }
      if answer.repostID != 0 { model.repost(account, answer.repostID, of: model.subject(of: post)!.id) }
      if (answer.repostID != 0) != (expected == .done && isOn && kind == .repost) { violation("\(kind) of \(post): repost \(answer.repostID)") }
    }
  }

  private func edit(_ account: Int) throws {
    guard let post = ownPost(account) else { return }
    let text = "edited \(report.actions)"
    let expected = model.edit(account, post, text)
    compare(expected, try clients[account].status(of: Method.edit, EditRequest(post: "\(post)", text: text)), "editing \(post)")
  }

  private func delete(_ account: Int) throws {
    guard let post = ownPost(account) else { return }
    let expected = model.delete(account, post)
    compare(expected, try clients[account].status(of: Method.delete, DeleteRequest(post: "\(post)")), "deleting \(post)")
  }

  private func undo(_ account: Int, isRedo: Bool) throws {
    let expected = model.undo(account, isRedo: isRedo)
    let (answers, status) = try clients[account].ask(Method.undo, UndoRequest(isRedo: isRedo).encoded())
    switch expected {
    case .done(let post):
      report.undone += 1
      let answer = try answers.first.map { try UndoResponse(decoding: $0) }
      if answer?.postID != post { violation("taking back what was done to \(post): \(status), \(answer?.what ?? "")") }
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

  private func violation(_ text: String) { report.violations.append("after \(report.actions): \(text)") }

  // MARK: What is shown

  /// Every view shows the newest posts, and of each what the model has; and so does a list of rows that is asked for.
  private func look() throws {
    daemon.advance(by: .milliseconds(600))
    let newest = model.posts.keys.sorted(by: >)
    for (account, view) in views.enumerated() {
      if let failure = view.failure { violation("a frame that does not fit: \(failure)") }
      if let end = view.end { violation("a view has ended: \(end)") }
      guard let pane = view.mirror.panes.last else { continue }
      let held = pane.rows.map(\.rowID)
      if held != newest.dropFirst(pane.status.rowsAbove).prefix(held.count).map({ $0 }) || held.isEmpty != newest.isEmpty {
        violation("account \(account) is shown \(held.prefix(5)), and the newest are \(newest.prefix(5))")
      }
      for row in pane.rows { check(row, account) }
    }
    let account = Int.random(in: 0..<Self.accounts, using: &random)
    var request = GetRowsRequest(layout: Self.layout)
    request.count = 100
    let rows = try clients[account].call(Method.getRows, request, GetRowsResponse.self).rows
    if rows.map(\.rowID) != newest.prefix(100).map({ $0 }) { violation("the rows are not the newest") }
    for row in rows { check(row, account) }
  }

  private func check(_ row: PlacedRow, _ account: Int) {
    report.rows += 1
    let fields = row.content.fields
    guard let subject = model.subject(of: row.rowID) else { return violation("row \(row.rowID) is shown and is not there") }
    let marks = subject.marks[account] ?? []
    var flags: RowFlags = []
    for (kind, flag) in [(MarkKind.favourite, RowFlags.favourited), (.repost, .reposted), (.save, .saved)] where marks.contains(kind) {
      flags.insert(flag)
    }
    let isSame =
      String(decoding: fields.text, as: UTF8.self).trimmed == subject.text.trimmed && fields.postID == subject.id
      && fields.favourites == model.count(.favourite, of: subject.id) && fields.reposts == model.count(.repost, of: subject.id)
      && fields.flags.intersection([.favourited, .reposted, .saved]) == flags
    if !isSame {
      violation(
        "row \(row.rowID) tells account \(account) of \(fields.favourites) favourites, \(fields.reposts) reposts, \(fields.flags), and there are "
          + "\(model.count(.favourite, of: subject.id)), \(model.count(.repost, of: subject.id)), \(flags)")
    }
  }
}

extension String {
  /// Without spaces at its end.
  fileprivate var trimmed: Substring { self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)] }
}

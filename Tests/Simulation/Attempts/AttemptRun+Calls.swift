import Messages
import RPC
import ViewState

/// Calls that try to see something, of which most is not for who asks.
extension AttemptRun {
  func attempt() throws {
    report.attempts += 1
    let account = anybody()
    switch Int.random(in: 0..<24, using: &random) {
    case 0..<5: try askForPost(account)
    case 5, 6: try askForRows(account)
    case 7, 8: try search(account)
    case 9: try profile(account)
    case 10: try counts(account)
    case 11, 12: try answer(account)
    case 13..<16: try push(account)
    case 16: try askForList(account)
    case 17: try askForConversation(account)
    case 18: try askForSessions(account)
    case 19: try delete(account)
    case 20: try resume(account)
    case 21: try moveOthersView(account)
    case 22: try tokens(account)
    default: try signedOut()
    }
  }

  /// Makes a call, and looks for marks in the words of its refusal too; those that were in the question are in the
  /// answer.
  @discardableResult
  func ask(_ account: Int, _ path: String, _ request: some WireMessage) throws -> (answers: [[UInt8]], status: Status) {
    let bytes = request.encoded()
    let (answers, status) = try clients[account].ask(path, bytes)
    let said = Set(Self.marks(in: bytes))
    for mark in Self.marks(in: Array(status.message.utf8) + status.details)
    where !said.contains(mark) && !model.sees(account, mark: mark) {
      violation("\(path) told \(Self.name(account)) of mk\(mark)x: \(status)")
    }
    return (answers, status)
  }

  /// Makes a call that must be refused with a code where what it is about is not to be seen.
  private func ask(
    _ account: Int, _ path: String, _ request: some WireMessage, mayBe isAllowed: Bool, or code: StatusCode = .notFound
  ) throws {
    if !isAllowed { report.trespasses += 1 }
    let status = try ask(account, path, request).status
    if isAllowed ? status.code == .notFound : status.code != code {
      violation("\(path) by \(Self.name(account)), who may\(isAllowed ? "" : " not"), ended with \(status)")
    }
  }

  /// Any post, also one that is gone or never was.
  private func anyPost() -> (id: UInt64, post: AttemptModel.Post?) {
    let post = model.posts.filter { $0.id != 0 }.randomElement(using: &random)
    return Int.random(in: 0..<20, using: &random) == 0
      ? (UInt64.random(in: 1...9999, using: &random) + 100_000, nil) : (post?.id ?? 99_999, post)
  }

  private func rows(_ subject: Subject) -> GetRowsRequest {
    var request = GetRowsRequest(layout: Self.hello().layout)
    request.subject = subject
    request.count = 200
    return request
  }

  // MARK: Rows

  private func askForPost(_ account: Int) throws {
    let (id, post) = anyPost()
    let isSeen = post.map { model.sees(account, $0.audience) } ?? false
    let reference = "\(id)"
    try ask(
      account, Method.getRows, rows(Bool.random(using: &random) ? .post(reference) : .conversation(reference)),
      mayBe: isSeen)
  }

  /// Any section, author or search, from beyond a row that may be none of theirs.
  private func askForRows(_ account: Int) throws {
    let sections = Section.allCases.map { Subject.section($0) }
    let authors = [
      Subject.author("@\(Self.name(anybody()))"), .author("@keeper"),
      .author("\(Int.random(in: 1...20, using: &random))"),
    ]
    var request = rows(
      (sections + authors + [.section(.timeline), .search("#tag1"), .search("from:keeper")]).randomElement(
        using: &random)!)
    if Bool.random(using: &random) {
      request.filter = ["-is:repost", "common", "-#tag1", "from:keeper"].randomElement(using: &random)!
    }
    if Bool.random(using: &random) {
      let (id, post) = anyPost()
      request.anchorRow = id
      request.direction = Bool.random(using: &random) ? .up : .down
      if !(post.map { model.sees(account, $0.audience) } ?? false) { report.trespasses += 1 }
    }
    try ask(account, Method.getRows, request)
  }

  private func search(_ account: Int) throws {
    let post = model.posts.randomElement(using: &random)
    let isCommon = post == nil || Int.random(in: 0..<4, using: &random) == 0
    let expected =
      isCommon
      ? model.found(by: account) : model.sees(account, post!.audience) && !model.isMuted(post!, by: account) ? 1 : 0
    if expected == 0 { report.trespasses += 1 }
    let (answers, status) = try ask(account, Method.getRows, rows(.search(isCommon ? "common" : "wk\(post!.mark)x")))
    guard let answer = try answers.first.map({ try GetRowsResponse(decoding: $0) }) else {
      return violation("a search ended with \(status)")
    }
    if answer.rows.count != min(expected, 200) || answer.hasMore != (expected > 200) {
      violation("a search of \(Self.name(account)) found \(answer.rows.count) of \(expected)")
    }
  }

  private func askForList(_ account: Int) throws {
    guard let list = lists.randomElement(using: &random) else { return }
    let reference = Bool.random(using: &random) ? "\(list.id)" : "mk\(list.mark)x"
    let isOwn = list.account == account
    switch Int.random(in: 0..<5, using: &random) {
    case 0: try ask(account, Method.getRows, rows(.list(reference)), mayBe: isOwn)
    case 1: try ask(account, Method.listMembers, ListMembersRequest(list: reference), mayBe: isOwn)
    case 2: try ask(account, Method.listLists, PageRequest())
    case 3 where !isOwn: try ask(account, Method.deleteList, DeleteListRequest(list: reference), mayBe: false)
    case 4 where !isOwn:
      try ask(account, Method.addToList, ListMemberRequest(list: reference, author: "@keeper"), mayBe: false)
    default: try ask(account, Method.getRows, rows(.section(.lists)))
    }
  }

  private func askForConversation(_ account: Int) throws {
    guard let circle = circles.randomElement(using: &random) else { return }
    try ask(account, Method.getRows, rows(.direct(circle.id)), mayBe: circle.people.contains(account))
  }

  // MARK: Counts

  private func profile(_ account: Int) throws {
    let author = anybody()
    let answers = try ask(account, Method.getProfile, AuthorRequest(author: "@\(Self.name(author))")).answers
    guard let profile = try answers.first.map({ try GetProfileResponse(decoding: $0).profile }) else {
      return violation("no profile")
    }
    let posts = model.visible(to: account).count { $0.author == author }
    let followers = (0..<Self.accounts).count { model.follows[$0].contains(author) }
    if profile.posts != posts || profile.followers != followers
      || profile.isFollowed != model.follows[account].contains(author)
    {
      violation(
        "\(Self.name(account)) sees \(profile.posts) posts of \(Self.name(author)) and \(profile.followers) followers: \(posts), \(followers)"
      )
    }
    try ask(account, Method.listFollowing, FollowsRequest())
  }

  private func counts(_ account: Int) throws {
    let answers = try ask(account, Method.export, ExportRequest(publicOnly: false)).answers
    let exported = try answers.reduce(0) { $0 + (try ExportResponse(decoding: $1)).count }
    let visible = model.visible(to: account).count
    if exported != visible { violation("\(Self.name(account)) exported \(exported) of \(visible)") }
    guard
      let status = try ask(account, Method.getStatus, EmptyMessage()).answers.first.map({
        try DaemonStatus(decoding: $0)
      })
    else { return }
    if status.postCount != UInt64(model.home(of: account)) {
      violation("\(Self.name(account))'s timeline has \(status.postCount) posts, not \(model.home(of: account))")
    }
  }

  // MARK: Commands

  /// Answers what may not be seen; what may be seen is answered elsewhere.
  private func answer(_ account: Int) throws {
    let (id, post) = anyPost()
    guard !(post.map { model.sees(account, $0.audience) } ?? false) else { return }
    var request = ComposeRequest(text: "common answer @\(Self.name(account))")
    request.inReplyTo = "\(id)"
    request.visibility = ComposeVisibility.allCases.randomElement(using: &random)!
    try ask(account, Method.compose, request, mayBe: false)
  }

  private func push(_ account: Int) throws {
    let (id, post) = anyPost()
    let isSeen = post.map { model.sees(account, $0.audience) } ?? false
    var subjects: [(Subject, Bool)] = [
      (.conversation("\(id)"), isSeen), (.search("wk\(post?.mark ?? 0)x"), true),
    ]
    if let list = lists.randomElement(using: &random) {
      subjects.append((.list("\(list.id)"), list.account == account))
    }
    if let circle = circles.randomElement(using: &random) {
      subjects.append((.direct(circle.id), circle.people.contains(account)))
    }
    let (subject, isAllowed) = subjects.randomElement(using: &random)!
    var push = PushRequest(subject)
    push.command.session = "attempts"
    try ask(account, Method.push, push, mayBe: isAllowed)
    if isAllowed {
      var pop = SessionRequest()
      pop.command.session = "attempts"
      try ask(account, Method.dropAll, pop)
    } else {
      var position = SetReadingPositionRequest(.timeline, rowID: id)
      position.command.session = "attempts"
      let status = try ask(account, Method.setReadingPosition, position).status
      if !isSeen, status.isOK { violation("\(Self.name(account)) has read post \(id), which it may not see") }
    }
  }

  private func askForSessions(_ account: Int) throws {
    let answers = try ask(account, Method.listSessions, PageRequest()).answers
    guard let names = try answers.first.map({ try ListSessionsResponse(decoding: $0) })?.sessions.map(\.name) else {
      return
    }
    let own = sessions.filter { $0.account == account }.map { "mk\($0.mark)x" }
    if Set(own).isSubset(of: names) == false { violation("\(Self.name(account)) misses a session") }
    guard let other = sessions.filter({ $0.account != account }).randomElement(using: &random) else { return }
    report.trespasses += 1
    var delete = SessionRequest()
    delete.command.session = "mk\(other.mark)x"
    let status = try ask(account, Method.deleteSession, delete).status
    if status.code != .notFound {
      violation("\(Self.name(account)) deleted a session of \(Self.name(other.account)): \(status)")
    }
  }

  private func delete(_ account: Int) throws {
    let (id, post) = anyPost()
    guard post?.author != account else { return }
    let isSeen = post.map { model.sees(account, $0.audience) } ?? false
    report.trespasses += 1
    if !isSeen {
      let mark = MarkRequest(
        MarkKind.allCases.randomElement(using: &random)!, post: "\(id)", isUnmark: .random(using: &random))
      let status = try ask(account, Method.mark, mark).status
      if status.code != .notFound {
        violation("\(Self.name(account)) does something to what it may not see: \(status)")
      }
      for (path, request) in [
        (Method.retry, RetryRequest(post: "\(id)")), (Method.discard, DiscardRequest(post: "\(id)")),
      ] as [(String, any WireMessage)] {
        let status = try ask(account, path, request).status
        if status.code != .notFound { violation("\(path) by \(Self.name(account)) of what it may not see: \(status)") }
      }
    }
    var draft = SaveDraftRequest(text: "an answer")
    (draft.kind, draft.post) = (.answer, "\(id)")
    let saved = try ask(account, Method.saveDraft, draft)
    if saved.status.code != (isSeen ? .ok : .notFound) {
      violation("\(Self.name(account)) begins to answer \(id): \(saved.status)")
    }
    if let saved = try saved.answers.first.map({ try DraftReference(decoding: $0) }) {
      let theft = try ask((account + 1) % Self.accounts, Method.deleteDraft, saved).status
      if theft.code != .notFound { violation("\(Self.name(account))'s draft is another's too: \(theft)") }
      try ask(account, Method.deleteDraft, saved)
    }
    let edit = try ask(account, Method.edit, EditRequest(post: "\(id)", text: "something else")).status
    if edit.code != (isSeen ? .permissionDenied : .notFound) {
      violation("\(Self.name(account)) edits what is not its own: \(edit)")
    }
    let status = try ask(account, Method.delete, DeleteRequest(post: "\(id)")).status
    if status.code != (isSeen ? .permissionDenied : .notFound) {
      violation("\(Self.name(account)) deletes what is not its own: \(status)")
    }
  }

  // MARK: Views

  /// A view that says it holds rows which it may not see, and looks there.
  private func resume(_ account: Int) throws {
    let (id, post) = anyPost()
    if !(post.map { model.sees(account, $0.audience) } ?? false) { report.trespasses += 1 }
    var hello = Self.hello(session: "view\(Int.random(in: 0..<3, using: &random))")
    var viewport = ViewportParameters()
    viewport.paneID = 1
    viewport.anchorRow = id
    hello.viewport = viewport
    let known = views.compactMap { $0.view.mirror.revision }.max() ?? 1
    let row = Resume.HeldRow(rowID: id, fingerprint: UInt64.random(in: 0...9, using: &random), caps: [])
    hello.resume = Resume(
      epoch: views[0].view.mirror.epoch, revision: known, layoutKey: views[0].view.mirror.layoutKey,
      labelsAtMilliseconds: 0,
      panes: [Resume.HeldPane(paneID: 1, rows: [row])])
    if Int.random(in: 0..<3, using: &random) == 0 {
      // One that is attached to no session.
      hello.session = ""
      hello.subject = post.map { .search("wk\($0.mark)x") } ?? .section(Section.allCases.randomElement(using: &random)!)
    }
    let view = try clients[account].attach(hello)
    if let failure = view.failure, hello.resume == nil { violation("a frame that does not fit: \(failure)") }
    view.call.cancel()
    daemon.settle()
  }

  private func moveOthersView(_ account: Int) throws {
    guard let other = views.filter({ $0.account != account && $0.view.end == nil }).randomElement(using: &random),
      let id = other.view.welcome?.viewID
    else { return }
    try ask(account, Method.moveStack, MoveStackRequest(viewID: id, .position(0)), mayBe: false)
    try ask(account, Method.moveViewport, MoveViewportRequest(viewID: id, viewport: ViewportParameters()), mayBe: false)
  }

  // MARK: Accounts

  private func tokens(_ account: Int) throws {
    var issue = IssueTokenRequest(name: "for another")
    issue.account = Self.name((account + 1) % Self.accounts)
    try ask(account, Method.issueToken, issue, mayBe: false, or: .permissionDenied)
    var list = ListTokensRequest()
    list.account = issue.account
    try ask(account, Method.listTokens, list, mayBe: false, or: .permissionDenied)
    for path in [Method.listAccounts, Method.checkIntegrity] {
      try ask(account, path, EmptyMessage(), mayBe: false, or: .permissionDenied)
    }
  }

  private func signedOut() throws {
    report.trespasses += 1
    let (id, _) = anyPost()
    let questions: [(String, [UInt8])] = [
      (Method.getRows, rows(.post("\(id)")).encoded()), (Method.export, []), (Method.getStatus, []),
      (Method.push, PushRequest(conversation: "\(id)").encoded()), (Method.listSessions, []),
      (Method.compose, ComposeRequest(text: "from nobody").encoded()),
    ]
    let (path, request) = questions.randomElement(using: &random)!
    let status = try nobody!.ask(path, request).status
    if status.code != .unauthenticated { violation("\(path) for somebody signed out ended with \(status)") }
  }
}

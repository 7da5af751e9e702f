import Messages
import RPC
import ViewState

/// Calls that try to read posts, lists and sessions, most of them forbidden to the caller.
extension AttemptRun {
  func makeAttempt() throws {
    report.attempts += 1
    let account = randomAccount()
    switch Int.random(in: 0..<24, using: &random) {
    case 0..<5: try askForPost(account)
    case 5, 6: try askForRows(account)
    case 7, 8: try search(account)
    case 9: try profile(account)
    case 10: try counts(account)
    case 11, 12: try replyToHiddenPost(account)
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

  /// Makes a call, and searches a refusal's message and details for marks, too. Marks of the request are ignored, since
  /// the message may quote them.
  @discardableResult
  func ask(_ account: Int, _ path: String, _ request: some WireMessage) throws -> (responses: [[UInt8]], status: Status)
  {
    let bytes = request.encoded()
    let (responses, status) = try clients[account].ask(path, bytes)
    let said = Set(Self.marks(in: bytes))
    for mark in Self.marks(in: Array(status.message.utf8) + status.details)
    where !said.contains(mark) && !model.sees(account, mark: mark) {
      violation("\(path) leaked mk\(mark)x to \(Self.name(account)): \(status)")
    }
    return (responses, status)
  }

  /// Makes a call that must be refused with `code` unless it is allowed.
  private func ask(
    _ account: Int, _ path: String, _ request: some WireMessage, allowed isAllowed: Bool,
    otherwise code: StatusCode = .notFound
  ) throws {
    if !isAllowed { report.forbiddenAttempts += 1 }
    let status = try ask(account, path, request).status
    if isAllowed ? status.code == .notFound : status.code != code {
      violation("\(path) by \(Self.name(account)), who may\(isAllowed ? "" : " not"), ended with \(status)")
    }
  }

  /// Returns any post; sometimes a deleted one, or an ID that never existed.
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
      allowed: isSeen)
  }

  /// Reads any section, author or search, sometimes from an anchor row that may be outside of it.
  private func askForRows(_ account: Int) throws {
    let sections = Section.allCases.map { Subject.section($0) }
    let authors = [
      Subject.author("@\(Self.name(randomAccount()))"), .author("@keeper"),
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
      if !(post.map { model.sees(account, $0.audience) } ?? false) { report.forbiddenAttempts += 1 }
    }
    try ask(account, Method.getRows, request)
  }

  private func search(_ account: Int) throws {
    let post = model.posts.randomElement(using: &random)
    let isCommon = post == nil || Int.random(in: 0..<4, using: &random) == 0
    let expected =
      isCommon
      ? model.searchCount(for: account)
      : model.sees(account, post!.audience) && !model.isMuted(post!, by: account) ? 1 : 0
    if expected == 0 { report.forbiddenAttempts += 1 }
    let (responses, status) = try ask(account, Method.getRows, rows(.search(isCommon ? "common" : "wk\(post!.mark)x")))
    guard let answer = try responses.first.map({ try GetRowsResponse(decoding: $0) }) else {
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
    case 0: try ask(account, Method.getRows, rows(.list(reference)), allowed: isOwn)
    case 1: try ask(account, Method.listMembers, ListMembersRequest(list: reference), allowed: isOwn)
    case 2: try ask(account, Method.listLists, PageRequest())
    case 3 where !isOwn: try ask(account, Method.deleteList, DeleteListRequest(list: reference), allowed: false)
    case 4 where !isOwn:
      try ask(account, Method.addToList, ListMemberRequest(list: reference, author: "@keeper"), allowed: false)
    default: try ask(account, Method.getRows, rows(.section(.lists)))
    }
  }

  private func askForConversation(_ account: Int) throws {
    guard let group = groups.randomElement(using: &random) else { return }
    try ask(account, Method.getRows, rows(.direct(group.id)), allowed: group.people.contains(account))
  }

  // MARK: Counts

  private func profile(_ account: Int) throws {
    let author = randomAccount()
    let responses = try ask(account, Method.getProfile, AuthorRequest(author: "@\(Self.name(author))")).responses
    guard let profile = try responses.first.map({ try GetProfileResponse(decoding: $0).profile }) else {
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
    let responses = try ask(account, Method.export, ExportRequest(publicOnly: false)).responses
    let exported = try responses.reduce(0) { $0 + (try ExportResponse(decoding: $1)).count }
    let visible = model.visible(to: account).count
    if exported != visible { violation("\(Self.name(account)) exported \(exported) of \(visible)") }
    guard
      let status = try ask(account, Method.getStatus, EmptyMessage()).responses.first.map({
        try DaemonStatus(decoding: $0)
      })
    else { return }
    if status.postCount != UInt64(model.homeCount(of: account)) {
      violation("\(Self.name(account))'s timeline has \(status.postCount) posts, not \(model.homeCount(of: account))")
    }
  }

  // MARK: Commands

  /// Replies to a post that the account may not see. ``compose(_:)`` replies to visible ones.
  private func replyToHiddenPost(_ account: Int) throws {
    let (id, post) = anyPost()
    guard !(post.map { model.sees(account, $0.audience) } ?? false) else { return }
    var request = ComposeRequest(text: "common answer @\(Self.name(account))")
    request.inReplyTo = "\(id)"
    request.visibility = ComposeVisibility.allCases.randomElement(using: &random)!
    try ask(account, Method.compose, request, allowed: false)
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
    if let group = groups.randomElement(using: &random) {
      subjects.append((.direct(group.id), group.people.contains(account)))
    }
    let (subject, isAllowed) = subjects.randomElement(using: &random)!
    var push = PushRequest(subject)
    push.command.session = "attempts"
    try ask(account, Method.push, push, allowed: isAllowed)
    if isAllowed {
      var pop = SessionRequest()
      pop.command.session = "attempts"
      try ask(account, Method.dropAll, pop)
    } else {
      var position = SetReadingPositionRequest(.timeline, rowID: id)
      position.command.session = "attempts"
      let status = try ask(account, Method.setReadingPosition, position).status
      if !isSeen, status.isOK {
        violation("\(Self.name(account)) set its reading position to post \(id), which it may not see")
      }
    }
  }

  private func askForSessions(_ account: Int) throws {
    let responses = try ask(account, Method.listSessions, PageRequest()).responses
    guard let names = try responses.first.map({ try ListSessionsResponse(decoding: $0) })?.sessions.map(\.name) else {
      return
    }
    let own = sessions.filter { $0.account == account }.map { "mk\($0.mark)x" }
    if Set(own).isSubset(of: names) == false { violation("a session of \(Self.name(account)) is missing") }
    guard let other = sessions.filter({ $0.account != account }).randomElement(using: &random) else { return }
    report.forbiddenAttempts += 1
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
    report.forbiddenAttempts += 1
    if !isSeen {
      let mark = MarkRequest(
        MarkKind.allCases.randomElement(using: &random)!, post: "\(id)", isUnmark: .random(using: &random))
      let status = try ask(account, Method.mark, mark).status
      if status.code != .notFound {
        violation("\(Self.name(account)) marked a post it may not see: \(status)")
      }
      for (path, request) in [
        (Method.retry, RetryRequest(post: "\(id)")), (Method.discard, DiscardRequest(post: "\(id)")),
        (Method.getDetails, GetDetailsRequest(post: "\(id)")),
      ] as [(String, any WireMessage)] {
        let status = try ask(account, path, request).status
        if status.code != .notFound {
          violation("\(path) by \(Self.name(account)) for a post it may not see: \(status)")
        }
      }
    }
    var draft = SaveDraftRequest(text: "an answer")
    (draft.kind, draft.post) = (.answer, "\(id)")
    let saved = try ask(account, Method.saveDraft, draft)
    if saved.status.code != (isSeen ? .ok : .notFound) {
      violation("\(Self.name(account)) saved a draft of a reply to \(id): \(saved.status)")
    }
    if let saved = try saved.responses.first.map({ try DraftReference(decoding: $0) }) {
      let theft = try ask((account + 1) % Self.accounts, Method.deleteDraft, saved).status
      if theft.code != .notFound { violation("another account deleted a draft of \(Self.name(account)): \(theft)") }
      try ask(account, Method.deleteDraft, saved)
    }
    let edit = try ask(account, Method.edit, EditRequest(post: "\(id)", text: "something else")).status
    if edit.code != (isSeen ? .permissionDenied : .notFound) {
      violation("\(Self.name(account)) edited another account's post: \(edit)")
    }
    let status = try ask(account, Method.delete, DeleteRequest(post: "\(id)")).status
    if status.code != (isSeen ? .permissionDenied : .notFound) {
      violation("\(Self.name(account)) deleted another account's post: \(status)")
    }
  }

  // MARK: Views

  /// Attaches a view that claims to hold a row the account may not see, with its viewport there.
  private func resume(_ account: Int) throws {
    let (id, post) = anyPost()
    if !(post.map { model.sees(account, $0.audience) } ?? false) { report.forbiddenAttempts += 1 }
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
      // An ephemeral session.
      hello.session = ""
      hello.subject = post.map { .search("wk\($0.mark)x") } ?? .section(Section.allCases.randomElement(using: &random)!)
    }
    let view = try clients[account].attach(hello)
    if let failure = view.failure, hello.resume == nil { violation("a frame does not apply to the mirror: \(failure)") }
    view.call.cancel()
    daemon.runUntilIdle()
  }

  private func moveOthersView(_ account: Int) throws {
    guard let other = views.filter({ $0.account != account && $0.view.end == nil }).randomElement(using: &random),
      let id = other.view.welcome?.viewID
    else { return }
    try ask(account, Method.moveStack, MoveStackRequest(viewID: id, .position(0)), allowed: false)
    try ask(
      account, Method.moveViewport, MoveViewportRequest(viewID: id, viewport: ViewportParameters()), allowed: false)
    try ask(account, Method.setPreview, SetPreviewRequest(viewID: id, postID: anyPost().0), allowed: false)
  }

  // MARK: Accounts

  private func tokens(_ account: Int) throws {
    var issue = IssueTokenRequest(name: "for another")
    issue.account = Self.name((account + 1) % Self.accounts)
    try ask(account, Method.issueToken, issue, allowed: false, otherwise: .permissionDenied)
    var list = ListTokensRequest()
    list.account = issue.account
    try ask(account, Method.listTokens, list, allowed: false, otherwise: .permissionDenied)
    for path in [Method.listAccounts, Method.checkIntegrity] {
      try ask(account, path, EmptyMessage(), allowed: false, otherwise: .permissionDenied)
    }
  }

  private func signedOut() throws {
    report.forbiddenAttempts += 1
    let (id, _) = anyPost()
    let questions: [(String, [UInt8])] = [
      (Method.getRows, rows(.post("\(id)")).encoded()), (Method.export, []), (Method.getStatus, []),
      (Method.push, PushRequest(conversation: "\(id)").encoded()), (Method.listSessions, []),
      (Method.compose, ComposeRequest(text: "from nobody").encoded()),
    ]
    let (path, request) = questions.randomElement(using: &random)!
    let status = try signedOutClient!.ask(path, request).status
    if status.code != .unauthenticated { violation("\(path) by a signed-out client ended with \(status)") }
  }
}

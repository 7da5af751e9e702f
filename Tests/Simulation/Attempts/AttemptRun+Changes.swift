import Messages
import RPC
import ViewState

/// Accounts' actions that change visibility.
extension AttemptRun {
  func makeChange() throws {
    report.changes += 1
    let account = randomAccount()
    switch Int.random(in: 0..<22, using: &random) {
    case 0..<8: try compose(account)
    case 8..<10: try follow(account)
    case 10..<12: try unfollow(account)
    case 12: try importArchive(account)
    case 13: try makeList(account)
    case 14: try makeSession(account)
    case 15..<17: try openView(account)
    case 17: if Bool.random(using: &random) { try delete(account) } else { try edit(account) }
    case 18..<20: try muteOrBlock(account)
    default: checkViews()
    }
  }

  private func compose(_ account: Int) throws {
    let seen = model.visible(to: account).filter { $0.id != 0 }
    let parent = Int.random(in: 0..<3, using: &random) == 0 ? seen.randomElement(using: &random) : nil
    let named = Set((0..<Self.accounts).filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
    let visibility = Int.random(in: 0...3, using: &random)
    let decided = model.audience(by: account, visibility, naming: named, replyingTo: parent)
    // The mark needs its audience before the post is written, since views show the post before the response arrives.
    let mark = model.makeMark(for: decided?.0 ?? .nobody)
    let names = named.sorted().map { "@\(Self.name($0)) " }.joined()
    var request = ComposeRequest(text: "\(names)common wk\(mark)x mk\(mark)x #tag\(mark % 3)")
    request.visibility = ComposeVisibility.allCases[visibility]
    request.inReplyTo = parent.map { "\($0.id)" } ?? ""
    let (responses, status) = try clients[account].ask(Method.compose, request.encoded())
    guard let (audience, effective) = decided else {
      if status.code != .invalidArgument { violation("a post without permitted recipients was not refused: \(status)") }
      return
    }
    guard status.isOK, let answer = try responses.first.map({ try ComposeResponse(decoding: $0) }) else {
      return violation("\(Self.name(account)) could not write for \(audience): \(status)")
    }
    model.posts.append(.init(mark: mark, audience: audience, visibility: effective, author: account, id: answer.postID))
    guard effective == 3, case .people(let people) = audience else { return }
    var rows = GetRowsRequest(layout: Self.hello().layout)
    rows.subject = .post("\(answer.postID)")
    let group =
      try clients[account].call(Method.getRows, rows, GetRowsResponse.self).rows.first?.content.fields.direct ?? 0
    if group != 0, !groups.contains(where: { $0.id == group }) { groups.append((group, people)) }
    if group != 0, groups.first(where: { $0.id == group })?.people != people {
      violation("group \(group) has other members")
    }
  }

  private func follow(_ account: Int) throws {
    guard
      let leader = Set(0..<Self.accounts).subtracting(model.follows[account]).subtracting([account]).sorted()
        .randomElement(using: &random)
    else { return }
    if follows == .open { model.follows[account].insert(leader) }
    let answer = try clients[account].call(
      Method.follow, AuthorRequest(author: "@\(Self.name(leader))"), FollowResponse.self)
    if answer.isPending != (follows == .ask) { violation("\(Self.name(account)) follows without being approved") }
    if follows == .ask { try decide(leader, about: account) }
  }

  /// Approves or refuses a request to follow `leader`, or leaves it open.
  private func decide(_ leader: Int, about account: Int) throws {
    let asking = AuthorRequest(author: "@\(Self.name(account))")
    switch Int.random(in: 0..<4, using: &random) {
    case 0: break
    case 1: _ = try clients[leader].call(Method.refuseFollow, asking, RevisionResponse.self)
    default:
      model.follows[account].insert(leader)
      _ = try clients[leader].call(Method.approveFollow, asking, RevisionResponse.self)
    }
  }

  private func unfollow(_ account: Int) throws {
    guard let leader = model.follows[account].sorted().randomElement(using: &random) else { return }
    if follows == .ask, Bool.random(using: &random) {
      _ = try clients[leader].call(
        Method.removeFollower, AuthorRequest(author: "@\(Self.name(account))"), RevisionResponse.self)
    } else {
      _ = try clients[account].call(
        Method.unfollow, AuthorRequest(author: "@\(Self.name(leader))"), RevisionResponse.self)
    }
    model.follows[account].remove(leader)
  }

  /// Mutes, unmutes or blocks another account. Only a block is noticeable: it ends follows and prevents new ones.
  private func muteOrBlock(_ account: Int) throws {
    let other = (account + Int.random(in: 1..<Self.accounts, using: &random)) % Self.accounts
    let author = AuthorRequest(author: "@\(Self.name(other))")
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      _ = try clients[account].call(Method.mute, author, MuteResponse.self)
      model.muted[account].insert(other)
    case 1:
      _ = try clients[account].call(Method.unmute, author, MuteResponse.self)
      model.muted[account].remove(other)
    default:
      _ = try clients[account].call(Method.block, author, BlockResponse.self)
      model.follows[account].remove(other)
      model.follows[other].remove(account)
      for follower in [account, other] {
        let leader = follower == account ? other : account
        let status = try ask(follower, Method.follow, AuthorRequest(author: "@\(Self.name(leader))")).status
        let code: StatusCode = follower == account ? .failedPrecondition : .permissionDenied
        if status.code != code { violation("\(Self.name(follower)) followed across a block: \(status)") }
      }
      try checkBlockedMessage(from: other, to: account)
      _ = try clients[account].call(Method.unblock, author, MuteResponse.self)
    }
  }

  /// Has a blocked account write to the one that blocked it, which must find the message nowhere.
  private func checkBlockedMessage(from other: Int, to account: Int) throws {
    let mark = model.makeMark(for: .people([account, other]))
    var request = ComposeRequest(text: "@\(Self.name(account)) common wk\(mark)x mk\(mark)x #tag\(mark % 3)")
    request.visibility = .direct
    let id = try clients[other].call(Method.compose, request, ComposeResponse.self).postID
    model.posts.append(.init(mark: mark, audience: .people([account, other]), visibility: 3, author: other, id: id))
    let subjects = [Section.timeline, .mentions, .messages].map { Subject.section($0) } + [.search("wk\(mark)x")]
    for subject in subjects {
      var rows = GetRowsRequest(layout: Self.hello().layout)
      (rows.subject, rows.count) = (subject, 200)
      let found = try clients[account].call(Method.getRows, rows, GetRowsResponse.self).rows
      if found.contains(where: { $0.rowID == id }) {
        violation("\(Self.name(account)) sees a message of \(Self.name(other)), whom it has blocked, in \(subject)")
      }
    }
  }

  private func makeList(_ account: Int) throws {
    guard lists.count < 60 else { return }
    let mark = model.makeMark(for: .people([account]))
    let name = "mk\(mark)x"
    let id = try clients[account].call(Method.createList, CreateListRequest(name: name), ListResponse.self).listID
    for author in 0..<Self.accounts where Bool.random(using: &random) {
      _ = try clients[account].call(
        Method.addToList, ListMemberRequest(list: name, author: "@\(Self.name(author))"), ListResponse.self)
    }
    lists.append((account, id, mark))
  }

  private func makeSession(_ account: Int) throws {
    guard sessions.count < 60 else { return }
    let mark = model.makeMark(for: .people([account]))
    var open = OpenRequest(.mentions)
    open.command.session = "mk\(mark)x"
    _ = try clients[account].call(Method.open, open, PaneResponse.self)
    sessions.append((account, mark))
  }

  /// Opens a view of a session with several kinds of panes, and an ephemeral one. Closes the oldest view if there are
  /// more than ten.
  private func openView(_ account: Int) throws {
    if views.count > 10 {
      views.remove(at: 1).view.call.cancel()
      daemon.runUntilIdle()
    }
    if let signedOutClient, views[0].view.end != nil { views[0].view = try signedOutClient.attach(Self.hello()) }
    let session = "view\(Int.random(in: 0..<3, using: &random))"
    var open = OpenRequest(Section.allCases.randomElement(using: &random)!)
    open.command.session = session
    if open.section == .search { open.query = "common" }
    _ = try clients[account].call(Method.open, open, PaneResponse.self)
    let author = randomAccount()
    var subjects: [Subject] = [.search("common"), .author("@\(Self.name(author))")]
    if let post = model.visible(to: account).randomElement(using: &random), post.id != 0 {
      subjects.append(.conversation("\(post.id)"))
    }
    if let list = lists.filter({ $0.account == account }).randomElement(using: &random) {
      subjects.append(.list("\(list.id)"))
    }
    if let group = groups.filter({ $0.people.contains(account) }).randomElement(using: &random) {
      subjects.append(.direct(group.id))
    }
    var push = PushRequest(subjects.randomElement(using: &random)!)
    push.command.session = session
    _ = try clients[account].call(Method.push, push, PaneResponse.self)
    views.append((account, try clients[account].attach(Self.hello(session: session))))
    let ephemeral = Hello(
      subject: Bool.random(using: &random) ? .search("common") : .section(open.section), layout: Self.hello().layout,
      client: "attempts")
    views.append((account, try clients[account].attach(ephemeral)))
  }

  /// Edits a post so that it mentions every account. Mentions in an edit do not widen the audience.
  private func edit(_ account: Int) throws {
    guard let index = model.posts.indices.filter({ model.posts[$0].author == account }).randomElement(using: &random)
    else { return }
    let post = model.posts[index]
    let mark = model.makeMark(for: post.audience)
    let names = (0..<Self.accounts).map { "@\(Self.name($0)) " }.joined()
    let edit = EditRequest(post: "\(post.id)", text: "\(names)common wk\(mark)x mk\(mark)x #tag\(mark % 3)")
    _ = try clients[account].call(Method.edit, edit, RevisionResponse.self)
    model.posts[index].mark = mark
    model.setAudience(of: post.mark, to: .nobody)
  }

  private func delete(_ account: Int) throws {
    guard let index = model.posts.indices.filter({ model.posts[$0].author == account }).randomElement(using: &random)
    else { return }
    let post = model.posts[index]
    _ = try clients[account].call(Method.delete, DeleteRequest(post: "\(post.id)"), RevisionResponse.self)
    model.posts.remove(at: index)
    model.setAudience(of: post.mark, to: .nobody)
  }
}

import Messages
import TestSupport
import Testing
import ViewState

/// A message with random fields that must decode to itself and encode to the same bytes.
struct CommandSample: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let check: @Sendable (inout SeededGenerator) throws -> Void

  init<Value: WireMessage & Equatable>(_ name: String, _ make: @escaping @Sendable (inout SeededGenerator) -> Value) {
    testDescription = name
    check = { (random: inout SeededGenerator) throws -> Void in
      let value = make(&random)
      let bytes = value.encoded()
      let decoded = try Value(decoding: bytes)
      #expect(decoded == value)
      #expect(decoded.encoded() == bytes, "\(value)")
    }
  }
}

extension SeededGenerator {
  fileprivate mutating func text() -> String {
    ["", "a", "é漢", "@ann", "twitter:12", "👩‍👩‍👧"].randomElement(using: &self)!
  }
  fileprivate mutating func number() -> UInt64 { [0, 1, 127, 128, 300, .max].randomElement(using: &self)! }
  fileprivate mutating func count() -> Int { [0, 1, 200, 10_000].randomElement(using: &self)! }
  fileprivate mutating func flag() -> Bool { .random(using: &self) }
  fileprivate mutating func section() -> Section { Section.allCases.randomElement(using: &self)! }
  fileprivate mutating func scopes() -> [Scope] { Scope.allCases.filter { _ in .random(using: &self) } }
  fileprivate mutating func many<Value>(_ make: (inout Self) -> Value) -> [Value] {
    var values: [Value] = []
    for _ in 0..<Int.random(in: 0...3, using: &self) { values.append(make(&self)) }
    return values
  }

  fileprivate mutating func command() -> SessionCommand {
    var command = SessionCommand()
    command.session = text()
    command.requestID = text()
    command.ifRevision = number()
    return command
  }

  fileprivate mutating func push() -> PushRequest {
    let subjects: [Subject] = [
      .conversation(text()), .author(text()), .list(text()), .direct(number()), .search(text()),
    ]
    var push = PushRequest(subjects.randomElement(using: &self)!)
    push.command = command()
    push.fromPane = number()
    push.width = count()
    return push
  }

  fileprivate mutating func page() -> PageRequest { PageRequest(size: count(), token: text()) }

  fileprivate mutating func author() -> RowAuthor {
    RowAuthor(
      id: number(), handle: Array(text().utf8), displayName: Array(text().utf8), avatarURL: Array(text().utf8),
      source: Array(text().utf8), isNamesake: number() % 2 == 1)
  }

  fileprivate mutating func account() -> AccountSummary {
    var account = AccountSummary()
    account.accountID = number()
    account.name = text()
    account.userID = [nil, 0, 1000, .max].randomElement(using: &self)!
    account.postLimit = [0, 280, 10_000].randomElement(using: &self)!
    return account
  }

  fileprivate mutating func move() -> MoveStackRequest.Move {
    let end = MoveStackRequest.DragEnd(
      paneID: number(), x: [.min, -1, 0, 90, .max].randomElement(using: &self)!,
      direction: [nil, .left, .right].randomElement(using: &self)!)
    return [.slide(.left), .slide(.right), .drag(end), .reveal(number()), .position(count())].randomElement(
      using: &self)!
  }
}

@Suite("Commands and responses round-trip")
struct CommandMessageTests {
  static let stackSamples: [CommandSample] = [
    CommandSample("Pop") { random in
      var request = SessionRequest()
      request.command = random.command()
      return request
    },
    CommandSample("Push") { $0.push() },
    CommandSample("Replace") { random in
      var request = ReplaceRequest(.author(""))
      request.push = random.push()
      return request
    },
    CommandSample("PopTo") { random in
      var request = PopToRequest(paneID: random.number())
      request.command = random.command()
      return request
    },
    CommandSample("Open") { random in
      var request = OpenRequest(random.section())
      request.command = random.command()
      request.query = random.text()
      return request
    },
    CommandSample("Select") { random in
      var request = SelectRequest()
      request.command = random.command()
      (request.paneID, request.rowID) = (random.number(), random.number())
      return request
    },
    CommandSample("ResizePane") { random in
      var request = ResizePaneRequest()
      request.command = random.command()
      (request.paneID, request.width) = (random.number(), random.count())
      return request
    },
    CommandSample("Collapse") { random in
      var request = CollapseRequest()
      request.command = random.command()
      (request.paneID, request.rowID, request.isCollapsed) = (random.number(), random.number(), random.flag())
      return request
    },
    CommandSample("Fold") { random in
      var request = FoldRequest()
      request.command = random.command()
      (request.paneID, request.rowID, request.isFolded) = (random.number(), random.number(), random.flag())
      return request
    },
    CommandSample("SetReadingPosition") { random in
      var request = SetReadingPositionRequest(random.section(), rowID: random.number())
      request.command = random.command()
      request.line = random.count()
      return request
    },
    CommandSample("pane") {
      PaneResponse(paneID: $0.number(), revision: $0.number())
    },
    CommandSample("revision") {
      RevisionResponse(revision: $0.number())
    },
    CommandSample("sessions") { random in
      var response = ListSessionsResponse()
      response.sessions = random.many { random in
        var session = SessionSummary()
        session.name = random.text()
        session.panes = random.many { $0.text() }
        session.views = random.count()
        session.revision = random.number()
        session.viewIDs = random.many { $0.number() }
        return session
      }
      return response
    },
    CommandSample("RenameSession") { random in
      var request = RenameSessionRequest(name: random.text() + "x")
      request.command = random.command()
      return request
    },
    CommandSample("MoveStack") {
      MoveStackRequest(viewID: $0.number(), $0.move())
    },
    CommandSample("position") {
      MoveStackResponse(position: $0.count(), hasMoved: $0.flag())
    },
  ]

  static let accountSamples: [CommandSample] = [
    CommandSample("who") { random in
      var response = WhoAmIResponse()
      response.account = random.account()
      response.scopes = random.scopes()
      response.tokenID = random.number()
      return response
    },
    CommandSample("accounts") { random in
      var response = ListAccountsResponse()
      response.accounts = random.many { $0.account() }
      return response
    },
    CommandSample("CreateAccount") { CreateAccountRequest(name: $0.text() + "x") },
    CommandSample("account") { random in
      var response = CreateAccountResponse()
      response.account = random.account()
      return response
    },
    CommandSample("IssueToken") { random in
      var request = IssueTokenRequest(name: random.text())
      request.scopes = random.scopes()
      request.account = random.text()
      return request
    },
    CommandSample("token") {
      IssueTokenResponse(token: $0.text(), tokenID: $0.number())
    },
    CommandSample("ListTokens") { random in
      var request = ListTokensRequest()
      (request.account, request.page) = (random.text(), random.page())
      return request
    },
    CommandSample("tokens") { random in
      var response = ListTokensResponse()
      response.tokens = random.many { random in
        var token = TokenSummary()
        token.tokenID = random.number()
        token.name = random.text()
        token.scopes = random.scopes()
        token.createdAtMilliseconds = [.min, -1, 0, 1_791_979_200_000, .max].randomElement(using: &random)!
        return token
      }
      return response
    },
    CommandSample("RevokeToken") { RevokeTokenRequest(tokenID: $0.number()) },
  ]

  static let listSamples: [CommandSample] = [
    CommandSample("SetFilter") { random in
      var request = SetFilterRequest(filter: random.text())
      (request.command.session, request.paneID) = (random.text(), random.number())
      return request
    },
    CommandSample("Follow") { AuthorRequest(author: $0.text()) },
    CommandSample("profile") { random in
      var profile = ProfileSummary(author: random.author())
      (profile.posts, profile.followers, profile.following) = (random.count(), random.count(), random.count())
      (profile.isFollowed, profile.followsMe, profile.isMe) = (random.flag(), random.flag(), random.flag())
      (profile.isMuted, profile.isBlocked) = (random.flag(), random.flag())
      return GetProfileResponse(profile: profile)
    },
    CommandSample("ListFollowing") { random in
      var request = FollowsRequest()
      (request.author, request.page) = (random.text(), random.page())
      return request
    },
    CommandSample("follows") { random in
      var response = FollowsResponse()
      response.authors = random.many { $0.author() }
      response.nextPageToken = random.text()
      return response
    },
    CommandSample("followed or asked") { FollowResponse(revision: $0.number(), isPending: $0.flag()) },
    CommandSample("requests to follow") { random in
      var response = ListFollowRequestsResponse()
      response.requests = random.many {
        PendingFollowSummary(author: $0.author(), askedAtMilliseconds: Int64(bitPattern: $0.number()))
      }
      response.nextPageToken = random.text()
      return response
    },
    CommandSample("SetFollowPolicy") { FollowPolicyMessage($0.flag() ? .open : .ask) },
    CommandSample("Mute") { AuthorRequest(author: $0.text()) },
    CommandSample("MuteWord") { MutedWordRequest(word: $0.text()) },
    CommandSample("is muted") { MuteResponse(hasChanged: $0.flag(), revision: $0.number()) },
    CommandSample("is blocked") { random in
      BlockResponse(hasChanged: random.flag(), hasUnfollowed: random.flag(), revision: random.number())
    },
    CommandSample("muted") { random in
      var response = ListMutedResponse()
      response.items =
        random.many { .author($0.author()) } + random.many { .blocked($0.author()) } + random.many { .word($0.text()) }
      response.nextPageToken = random.text()
      return response
    },
    CommandSample("list") { DeleteListRequest(list: $0.text()) },
    CommandSample("CreateList") { CreateListRequest(name: $0.text() + "x") },
    CommandSample("RenameList") {
      RenameListRequest(list: $0.text(), name: $0.text() + "x")
    },
    CommandSample("member") {
      ListMemberRequest(list: $0.text(), author: $0.text())
    },
    CommandSample("done") {
      ListResponse(listID: $0.number(), revision: $0.number())
    },
    CommandSample("lists") { random in
      var response = ListListsResponse()
      response.lists = random.many { random in
        var list = ListSummary()
        (list.listID, list.name) = (random.number(), random.text())
        (list.authorCount, list.postCount) = (random.count(), random.count())
        return list
      }
      response.nextPageToken = random.text()
      return response
    },
    CommandSample("page") { $0.page() },
    CommandSample("ListMembers") { random in
      var request = ListMembersRequest(list: random.text())
      request.page = random.page()
      return request
    },
    CommandSample("members") { random in
      var response = ListMembersResponse()
      (response.list.listID, response.list.name) = (random.number(), random.text())
      response.authors = random.many { $0.author() }
      response.nextPageToken = random.text()
      return response
    },
  ]

  static let otherSamples: [CommandSample] = [
    CommandSample("Compose") { random in
      var request = ComposeRequest(text: random.text())
      (request.requestID, request.inReplyTo) = (random.text(), random.text())
      request.visibility = ComposeVisibility.allCases.randomElement(using: &random)!
      request.draftID = random.number()
      request.source = random.text()
      return request
    },
    CommandSample("post") {
      ComposeResponse(postID: $0.number(), revision: $0.number(), isPending: $0.flag())
    },
    CommandSample("SetPostLimit") { random in
      var request = SetPostLimitRequest([0, 1, 10_000].randomElement(using: &random)!)
      request.account = random.text()
      return request
    },
    CommandSample("Edit") { random in
      var request = EditRequest(post: random.text(), text: random.text())
      (request.requestID, request.draftID) = (random.text(), random.number())
      return request
    },
    CommandSample("edited") { RevisionResponse(revision: $0.number()) },
    CommandSample("SaveDraft") { random in
      var request = SaveDraftRequest(text: random.text())
      (request.requestID, request.draftID, request.post) = (random.text(), random.number(), random.text())
      request.kind = [nil, .answer, .edit].randomElement(using: &random)!
      return request
    },
    CommandSample("saved draft") { DraftReference($0.number()) },
    CommandSample("DeleteDraft") { DraftReference($0.number()) },
    CommandSample("drafts") { random in
      var response = ListDraftsResponse()
      response.drafts = random.many { random in
        var draft = DraftSummary()
        (draft.draftID, draft.postID, draft.text) = (random.number(), random.number(), random.text())
        draft.kind = [nil, .answer, .edit].randomElement(using: &random)!
        draft.updatedAtMilliseconds = [0, -1, 1_700_000_000_000].randomElement(using: &random)!
        return draft
      }
      return response
    },
    CommandSample("Delete") { random in
      var request = DeleteRequest(post: random.text())
      request.requestID = random.text()
      return request
    },
    CommandSample("Retry") { random in
      var request = RetryRequest(post: random.text())
      request.requestID = random.text()
      return request
    },
    CommandSample("Discard") { random in
      var request = DiscardRequest(post: random.text())
      request.requestID = random.text()
      request.givesUpPending = random.flag()
      return request
    },
    CommandSample("outbox") { random in
      var response = ListOutboxResponse()
      response.entries = random.many { random in
        var item = OutboxItem()
        (item.postID, item.source, item.action) = (random.number(), random.text(), random.text())
        (item.delivery, item.isAsked) = (Delivery.allCases.randomElement(using: &random)!, random.flag())
        (item.failure, item.text) = (random.text(), random.text())
        (item.postponedReason, item.nextAtMilliseconds) = (random.text(), Int64(random.count()))
        return item
      }
      response.nextPageToken = random.text()
      return response
    },
    CommandSample("ListImports") { random in
      var request = ListImportsRequest()
      (request.page, request.isForEveryone) = (random.page(), random.flag())
      return request
    },
    CommandSample("imports") { random in
      var response = ListImportsResponse()
      response.imports = random.many { random in
        var run = ImportSummary()
        (run.importID, run.account, run.file) = (random.number(), random.text(), random.text())
        (run.startedAtMilliseconds, run.new, run.changed) = (-5, random.number(), random.number())
        return run
      }
      response.nextPageToken = random.text()
      return response
    },
    CommandSample("ForgetImported") { random in
      var request = ForgetImportedRequest(random.flag() ? .importID(random.number()) : .source(random.text()))
      (request.isForEveryone, request.token) = (random.flag(), random.text())
      return request
    },
    CommandSample("forgotten") { random in
      var response = ForgetImportedResponse()
      (response.removed, response.kept) = (random.number(), random.number())
      (response.nextToken, response.revision) = (random.text(), random.number())
      return response
    },
    CommandSample("SetProfile") { random in
      SetProfileRequest(random.flag() ? .displayName(random.text()) : .about(random.text()))
    },
    CommandSample("people") { random in
      var response = ListPeopleResponse()
      response.people = random.many { random in
        var profile = ProfileSummary(author: random.author())
        (profile.posts, profile.about) = (random.count(), Array(random.text().utf8))
        return profile
      }
      response.nextPageToken = random.text()
      return response
    },
    CommandSample("Mark") { random in
      var request = MarkRequest(
        MarkKind.allCases.randomElement(using: &random)!, post: random.text(), isUnmark: random.flag())
      request.requestID = random.text()
      return request
    },
    CommandSample("marked") { random in
      MarkResponse(hasChanged: random.flag(), repostID: random.number(), revision: random.number())
    },
    CommandSample("MarkRead") { random in
      let count = Int.random(in: 0...3, using: &random)
      var request = MarkReadRequest(
        [.read, .unread].randomElement(using: &random)!, posts: (0..<count).map { _ in random.text() })
      request.requestID = random.text()
      return request
    },
    CommandSample("marked as read") { random in
      MarkReadResponse(changed: Int.random(in: 0...1_000, using: &random), revision: random.number())
    },
    CommandSample("Undo") { random in
      var request = UndoRequest(isRedo: random.flag())
      request.requestID = random.text()
      return request
    },
    CommandSample("undone") { random in
      var response = UndoResponse()
      response.description = random.text()
      response.postID = random.number()
      response.undoable = UInt32(truncatingIfNeeded: random.number())
      response.redoable = UInt32(truncatingIfNeeded: random.number())
      response.revision = random.number()
      response.isIrrevocable = random.flag()
      return response
    },
    CommandSample("findings") { random in
      var response = CheckIntegrityResponse()
      response.findings = random.many { $0.text() }
      return response
    },
    CommandSample("Backup") { BackupRequest(path: "/" + $0.text()) },
    CommandSample("copy") { BackupResponse(path: $0.text(), bytes: $0.number()) },
  ]

  @Test("with random fields", arguments: stackSamples + accountSamples + listSamples + otherSamples)
  func roundTrip(sample: CommandSample) throws {
    for seed in 0..<50 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      try sample.check(&random)
    }
  }
}

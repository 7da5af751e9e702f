import Messages
import TestSupport
import Testing
import ViewState
import WireProto

/// What decodes to itself, and to the same bytes by protobuf-c, whatever is drawn for its fields.
struct CommandSample: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let check: @Sendable (inout SeededGenerator) throws -> Void

  init<Value: WireMessage & Equatable, Message>(
    _ name: String, _ unpack: @escaping Unpacking<Message>, _ make: @escaping @Sendable (inout SeededGenerator) -> Value
  ) {
    testDescription = name
    check = { (random: inout SeededGenerator) throws -> Void in
      let value = make(&random)
      let bytes = value.encoded()
      #expect(try Value(decoding: bytes) == value)
      #expect(unsafe repacked(bytes, unpack) == bytes, "\(value)")
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
    let subjects: [PushRequest.Subject] = [
      .conversation(text()), .author(text()), .list(text()), .direct(number()), .search(text()),
    ]
    var push = PushRequest(subjects.randomElement(using: &self)!)
    push.command = command()
    push.fromPane = number()
    push.width = count()
    return push
  }

  fileprivate mutating func author() -> RowAuthor {
    RowAuthor(id: number(), handle: Array(text().utf8), displayName: Array(text().utf8), avatarURL: Array(text().utf8))
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

@Suite("Commands and their answers decode to themselves, and are what protobuf-c writes")
struct CommandMessageTests {
  static let stackSamples: [CommandSample] = unsafe [
    CommandSample("Pop", stack__v1__pop_request__unpack) { random in
      var request = SessionRequest()
      request.command = random.command()
      return request
    },
    CommandSample("Push", stack__v1__push_request__unpack) { $0.push() },
    CommandSample("Replace", stack__v1__replace_request__unpack) { random in
      var request = ReplaceRequest(.author(""))
      request.push = random.push()
      return request
    },
    CommandSample("PopTo", stack__v1__pop_to_request__unpack) { random in
      var request = PopToRequest(paneID: random.number())
      request.command = random.command()
      return request
    },
    CommandSample("Open", stack__v1__open_request__unpack) { random in
      var request = OpenRequest(random.section())
      request.command = random.command()
      request.query = random.text()
      return request
    },
    CommandSample("Select", stack__v1__select_request__unpack) { random in
      var request = SelectRequest()
      request.command = random.command()
      (request.paneID, request.rowID) = (random.number(), random.number())
      return request
    },
    CommandSample("ResizePane", stack__v1__resize_pane_request__unpack) { random in
      var request = ResizePaneRequest()
      request.command = random.command()
      (request.paneID, request.width) = (random.number(), random.count())
      return request
    },
    CommandSample("Collapse", stack__v1__collapse_request__unpack) { random in
      var request = CollapseRequest()
      request.command = random.command()
      (request.paneID, request.rowID, request.isCollapsed) = (random.number(), random.number(), random.flag())
      return request
    },
    CommandSample("SetReadingPosition", stack__v1__set_reading_position_request__unpack) { random in
      var request = SetReadingPositionRequest(random.section(), rowID: random.number())
      request.command = random.command()
      request.line = random.count()
      return request
    },
    CommandSample("pane", stack__v1__stack_response__unpack) {
      PaneResponse(paneID: $0.number(), revision: $0.number())
    },
    CommandSample("revision", stack__v1__set_reading_position_response__unpack) {
      RevisionResponse(revision: $0.number())
    },
    CommandSample("sessions", stack__v1__list_sessions_response__unpack) { random in
      var response = ListSessionsResponse()
      response.sessions = random.many { random in
        var session = SessionSummary()
        session.name = random.text()
        session.panes = random.many { $0.text() }
        session.views = random.count()
        session.revision = random.number()
        return session
      }
      return response
    },
    CommandSample("RenameSession", stack__v1__rename_session_request__unpack) { random in
      var request = RenameSessionRequest(name: random.text() + "x")
      request.command = random.command()
      return request
    },
    CommandSample("MoveStack", stack__v1__move_stack_request__unpack) {
      MoveStackRequest(viewID: $0.number(), $0.move())
    },
    CommandSample("position", stack__v1__move_stack_response__unpack) {
      MoveStackResponse(position: $0.count(), hasMoved: $0.flag())
    },
  ]

  static let accountSamples: [CommandSample] = unsafe [
    CommandSample("who", stack__v1__who_am_iresponse__unpack) { random in
      var response = WhoAmIResponse()
      response.account = random.account()
      response.scopes = random.scopes()
      response.tokenID = random.number()
      return response
    },
    CommandSample("accounts", stack__v1__list_accounts_response__unpack) { random in
      var response = ListAccountsResponse()
      response.accounts = random.many { $0.account() }
      return response
    },
    CommandSample("MakeAccount", stack__v1__make_account_request__unpack) { MakeAccountRequest(name: $0.text() + "x") },
    CommandSample("account", stack__v1__make_account_response__unpack) { random in
      var response = MakeAccountResponse()
      response.account = random.account()
      return response
    },
    CommandSample("IssueToken", stack__v1__issue_token_request__unpack) { random in
      var request = IssueTokenRequest(name: random.text())
      request.scopes = random.scopes()
      request.account = random.text()
      return request
    },
    CommandSample("token", stack__v1__issue_token_response__unpack) {
      IssueTokenResponse(token: $0.text(), tokenID: $0.number())
    },
    CommandSample("ListTokens", stack__v1__list_tokens_request__unpack) { random in
      var request = ListTokensRequest()
      request.account = random.text()
      return request
    },
    CommandSample("tokens", stack__v1__list_tokens_response__unpack) { random in
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
    CommandSample("RevokeToken", stack__v1__revoke_token_request__unpack) { RevokeTokenRequest(tokenID: $0.number()) },
  ]

  static let listSamples: [CommandSample] = unsafe [
    CommandSample("SetFilter", stack__v1__set_filter_request__unpack) { random in
      var request = SetFilterRequest(filter: random.text())
      (request.command.session, request.paneID) = (random.text(), random.number())
      return request
    },
    CommandSample("Follow", stack__v1__follow_request__unpack) { AuthorRequest(author: $0.text()) },
    CommandSample("profile", stack__v1__get_profile_response__unpack) { random in
      var profile = ProfileSummary(author: random.author())
      (profile.posts, profile.followers, profile.following) = (random.count(), random.count(), random.count())
      (profile.isFollowed, profile.followsMe, profile.isMe) = (random.flag(), random.flag(), random.flag())
      (profile.isMuted, profile.isBlocked) = (random.flag(), random.flag())
      return GetProfileResponse(profile: profile)
    },
    CommandSample("GetFollows", stack__v1__get_follows_request__unpack) { random in
      var request = GetFollowsRequest()
      (request.author, request.wantsFollowers) = (random.text(), random.flag())
      return request
    },
    CommandSample("follows", stack__v1__get_follows_response__unpack) { random in
      var response = GetFollowsResponse()
      response.authors = random.many { $0.author() }
      return response
    },
    CommandSample("Mute", stack__v1__quiet_author_request__unpack) { AuthorRequest(author: $0.text()) },
    CommandSample("MuteWord", stack__v1__muted_word_request__unpack) { MutedWordRequest(word: $0.text()) },
    CommandSample("quiet", stack__v1__quiet_response__unpack) { random in
      QuietResponse(hasChanged: random.flag(), hasUnfollowed: random.flag(), revision: random.number())
    },
    CommandSample("muted", stack__v1__get_muted_response__unpack) { random in
      var response = GetMutedResponse()
      (response.muted, response.blocked) = (random.many { $0.author() }, random.many { $0.author() })
      response.words = random.many { $0.text() }
      return response
    },
    CommandSample("list", stack__v1__get_lists_request__unpack) { ListRequest(list: $0.text()) },
    CommandSample("MakeList", stack__v1__make_list_request__unpack) { MakeListRequest(name: $0.text() + "x") },
    CommandSample("RenameList", stack__v1__rename_list_request__unpack) {
      RenameListRequest(list: $0.text(), name: $0.text() + "x")
    },
    CommandSample("member", stack__v1__list_member_request__unpack) {
      ListMemberRequest(list: $0.text(), author: $0.text())
    },
    CommandSample("done", stack__v1__list_response__unpack) {
      ListResponse(listID: $0.number(), revision: $0.number())
    },
    CommandSample("lists", stack__v1__get_lists_response__unpack) { random in
      var response = GetListsResponse()
      response.lists = random.many { random in
        var list = ListSummary()
        (list.listID, list.name) = (random.number(), random.text())
        (list.authorCount, list.postCount) = (random.count(), random.count())
        list.authors = random.many { $0.author() }
        return list
      }
      return response
    },
  ]

  static let otherSamples: [CommandSample] = unsafe [
    CommandSample("Compose", stack__v1__compose_request__unpack) { random in
      var request = ComposeRequest(text: random.text())
      (request.requestID, request.inReplyTo) = (random.text(), random.text())
      request.visibility = ComposeVisibility.allCases.randomElement(using: &random)!
      request.draftID = random.number()
      request.source = random.text()
      return request
    },
    CommandSample("post", stack__v1__compose_response__unpack) {
      ComposeResponse(postID: $0.number(), revision: $0.number())
    },
    CommandSample("SetPostLimit", stack__v1__set_post_limit_request__unpack) { random in
      var request = SetPostLimitRequest([0, 1, 10_000].randomElement(using: &random)!)
      request.account = random.text()
      return request
    },
    CommandSample("Edit", stack__v1__edit_request__unpack) { random in
      var request = EditRequest(post: random.text(), text: random.text())
      (request.requestID, request.draftID) = (random.text(), random.number())
      return request
    },
    CommandSample("edited", stack__v1__edit_response__unpack) { RevisionResponse(revision: $0.number()) },
    CommandSample("SaveDraft", stack__v1__save_draft_request__unpack) { random in
      var request = SaveDraftRequest(text: random.text())
      (request.requestID, request.draftID, request.post) = (random.text(), random.number(), random.text())
      request.kind = [nil, .answer, .edit].randomElement(using: &random)!
      return request
    },
    CommandSample("saved draft", stack__v1__save_draft_response__unpack) { DraftReference($0.number()) },
    CommandSample("DeleteDraft", stack__v1__delete_draft_request__unpack) { DraftReference($0.number()) },
    CommandSample("drafts", stack__v1__list_drafts_response__unpack) { random in
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
    CommandSample("Delete", stack__v1__delete_request__unpack) { random in
      var request = DeleteRequest(post: random.text())
      request.requestID = random.text()
      return request
    },
    CommandSample("Retry", stack__v1__retry_request__unpack) { random in
      var request = RetryRequest(post: random.text())
      request.requestID = random.text()
      return request
    },
    CommandSample("Discard", stack__v1__discard_request__unpack) { random in
      var request = DiscardRequest(post: random.text())
      request.requestID = random.text()
      return request
    },
    CommandSample("outbox", stack__v1__get_outbox_response__unpack) { random in
      GetOutboxResponse(
        random.many { random in
          var item = OutboxItem()
          (item.postID, item.source, item.action) = (random.number(), random.text(), random.text())
          (item.delivery, item.isAsked) = (Delivery.allCases.randomElement(using: &random)!, random.flag())
          (item.failure, item.text) = (random.text(), random.text())
          return item
        })
    },
    CommandSample("Mark", stack__v1__mark_request__unpack) { random in
      var request = MarkRequest(
        MarkKind.allCases.randomElement(using: &random)!, post: random.text(), isUndo: random.flag())
      request.requestID = random.text()
      return request
    },
    CommandSample("marked", stack__v1__mark_response__unpack) { random in
      MarkResponse(hasChanged: random.flag(), repostID: random.number(), revision: random.number())
    },
    CommandSample("MarkRead", stack__v1__mark_read_request__unpack) { random in
      let count = Int.random(in: 0...3, using: &random)
      var request = MarkReadRequest(
        [.read, .unread].randomElement(using: &random)!, posts: (0..<count).map { _ in random.text() })
      request.requestID = random.text()
      return request
    },
    CommandSample("marked as read", stack__v1__mark_read_response__unpack) { random in
      MarkReadResponse(changed: Int.random(in: 0...1_000, using: &random), revision: random.number())
    },
    CommandSample("Undo", stack__v1__undo_request__unpack) { random in
      var request = UndoRequest(isRedo: random.flag())
      request.requestID = random.text()
      return request
    },
    CommandSample("undone", stack__v1__undo_response__unpack) { random in
      var response = UndoResponse()
      response.what = random.text()
      response.postID = random.number()
      response.undoable = UInt32(truncatingIfNeeded: random.number())
      response.redoable = UInt32(truncatingIfNeeded: random.number())
      response.revision = random.number()
      response.isIrrevocable = random.flag()
      return response
    },
    CommandSample("findings", stack__v1__check_integrity_response__unpack) { random in
      var response = CheckIntegrityResponse()
      response.findings = random.many { $0.text() }
      return response
    },
    CommandSample("Backup", stack__v1__backup_request__unpack) { BackupRequest(path: "/" + $0.text()) },
    CommandSample("copy", stack__v1__backup_response__unpack) { BackupResponse(path: $0.text(), bytes: $0.number()) },
  ]

  @Test("whatever they say", arguments: stackSamples + accountSamples + listSamples + otherSamples)
  func roundTrip(sample: CommandSample) throws {
    for seed in 0..<50 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      try sample.check(&random)
    }
  }
}

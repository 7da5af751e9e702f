import Messages
import RPC
import Simulation
import Testing
import ViewState

/// A command that stores data: its path and request.
struct StoringCommand: CustomTestStringConvertible, Sendable {
  let path: String
  let request: [UInt8]
  var testDescription: String { path.split(separator: "/").last.map { String($0) } ?? path }

  init(_ path: String, _ request: some WireMessage) {
    self.path = path
    self.request = request.encoded()
  }

  /// Each command once. They expect a list "kept" with the author "stack:user1001", token 1, the session "old", post 1
  /// and a post imported from the source "archive".
  static let all: [StoringCommand] = {
    var direct = ComposeRequest(text: "@user1001 psst")
    direct.visibility = .direct
    var old = SessionRequest()
    old.command.session = "old"
    var rename = RenameSessionRequest(name: "new")
    rename.command.session = "old"
    return [
      StoringCommand(Method.compose, ComposeRequest(text: "a post")), StoringCommand(Method.compose, direct),
      StoringCommand(Method.saveDraft, SaveDraftRequest(text: "a thought")),
      StoringCommand(Method.edit, EditRequest(post: "1", text: "something else")),
      StoringCommand(Method.delete, DeleteRequest(post: "1")),
      StoringCommand(Method.unfollow, AuthorRequest(author: "stack:user1001")),
      StoringCommand(Method.createList, CreateListRequest(name: "one")),
      StoringCommand(Method.renameList, RenameListRequest(list: "kept", name: "other")),
      StoringCommand(Method.addToList, ListMemberRequest(list: "kept", author: "stack:user1000")),
      StoringCommand(Method.removeFromList, ListMemberRequest(list: "kept", author: "stack:user1001")),
      StoringCommand(Method.deleteList, DeleteListRequest(list: "kept")),
      StoringCommand(Method.createAccount, CreateAccountRequest(name: "bot")),
      StoringCommand(Method.setPostLimit, SetPostLimitRequest(300)),
      StoringCommand(Method.issueToken, IssueTokenRequest(name: "one more")),
      StoringCommand(Method.revokeToken, RevokeTokenRequest(tokenID: 1)),
      StoringCommand(Method.setProfile, SetProfileRequest(.displayName("Somebody"))),
      StoringCommand(Method.setProfile, SetProfileRequest(.about("I count gulls."))),
      StoringCommand(Method.mark, MarkRequest(.save, post: "1")),
      StoringCommand(Method.markRead, MarkReadRequest(.unread, posts: ["1"])),
      StoringCommand(Method.muteWord, MutedWordRequest(word: "gulls")),
      StoringCommand(Method.forgetImported, ForgetImportedRequest(.source("archive"))),
      StoringCommand(Method.push, PushRequest(.author("stack:user1001"))),
      StoringCommand(Method.open, OpenRequest(.mentions)),
      StoringCommand(Method.renameSession, rename), StoringCommand(Method.deleteSession, old),
    ]
  }()
}

@Suite("Commands on a full disk")
struct FullDiskTests {
  /// Starts a daemon with a post, a list, a token and a session.
  private func daemon() throws -> (daemon: DirectDaemon, client: DirectClient) {
    let daemon = try DirectDaemon(seed: 1)
    _ = try daemon.client(user: 1001).call(Method.whoAmI, EmptyMessage(), WhoAmIResponse.self)
    let client = try daemon.client(user: DirectDaemon.user)
    #expect(try client.call(Method.compose, ComposeRequest(text: "kept"), ComposeResponse.self).postID == 1)
    _ = try client.call(Method.createList, CreateListRequest(name: "kept"), ListResponse.self)
    _ = try client.call(Method.addToList, ListMemberRequest(list: "kept", author: "stack:user1001"), ListResponse.self)
    #expect(try client.call(Method.issueToken, IssueTokenRequest(name: "kept"), IssueTokenResponse.self).tokenID == 1)
    var push = PushRequest(conversation: "1")
    push.command.session = "old"
    _ = try client.call(Method.push, push, PaneResponse.self)
    let archive = #"{"id":"1","created_at":1690000000000,"author":"keeper","text":"from an archive"}"#
    let call = try client.start(Method.importPosts)
    for request in [
      ImportRequest.header(format: "jsonl", source: "archive", isMe: false, dryRun: false, publishes: false),
      .file(name: "archive.jsonl", size: UInt64(archive.utf8.count)), .chunk(Array(archive.utf8)),
    ] {
      try call.send(request.encoded())
    }
    call.closeSend()
    daemon.runUntilIdle()
    return (daemon, client)
  }

  /// Returns the responses of all calls that list contents.
  private func contents(_ client: DirectClient) throws -> [[[UInt8]]] {
    var layout = LayoutParameters(width: 80, height: 24)
    layout.isSinglePane = true
    return try [
      (Method.listLists, PageRequest().encoded()), (Method.listLists, DeleteListRequest(list: "kept").encoded()),
      (Method.listFollowing, FollowsRequest().encoded()), (Method.listTokens, []), (Method.listAccounts, []),
      (Method.listPeople, []), (Method.listMuted, []), (Method.listImports, []),
      (Method.listSessions, []),
      (Method.listDrafts, []),
      (Method.getRows, GetRowsRequest(layout: layout).encoded()), (Method.export, []),
    ].map { path, request in
      let (responses, status) = try client.ask(path, request)
      return status.isOK ? responses : [Array(status.message.utf8)]
    }
  }

  @Test(
    "are refused with a message, change nothing, and succeed once there is room",
    arguments: StoringCommand.all)
  func refused(command: StoringCommand) throws {
    let (daemon, client) = try daemon()
    defer { daemon.close() }
    let before = try contents(client)
    daemon.disk.capacityBytes = 0
    let (_, status) = try client.ask(command.path, command.request)
    #expect(status.code == .resourceExhausted && status.message.contains("free some space"), "\(status)")
    #expect(try ErrorDetails(decoding: status.details).reason == "DISK_FULL")
    #expect(try contents(client) == before)
    daemon.disk.capacityBytes = nil
    let again = try client.ask(command.path, command.request)
    #expect(again.status.isOK && again.responses.count == 1, "\(again.status)")
    #expect(try contents(client) != before)
    #expect(try client.call(Method.checkIntegrity, EmptyMessage(), CheckIntegrityResponse.self).findings == [])
  }
}

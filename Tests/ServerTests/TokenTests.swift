import ClientTransport
import Glibc
import Messages
import RPC
import Server
import Testing
import UV
import ViewState

@Suite("Issued tokens")
struct TokenTests {
  @Test("a token is returned once, with a searchable prefix, and belongs to the account that issued it") func issued()
    throws
  {
    try withBench { bench in
      let test = try TokenBench(bench)
      let issued = try test.issue([.view, .post], name: "a phone")
      #expect(issued.token.hasPrefix("stk_") && issued.token.utf8.count == 68 && issued.tokenID > 0)
      let client = try test.daemon.connectOverTCP(token: issued.token)
      let (mine, owners) = (try client.whoAmI(), try test.owner.whoAmI())
      #expect(mine.account == owners.account && mine.account.userID != nil)
      #expect(mine.scopes == [.view, .post] && mine.tokenID == issued.tokenID)
      #expect(owners.scopes == [.view, .panes, .post, .admin] && owners.tokenID == 0)
      let post = try client.post("over TCP").postID
      #expect(try test.owner.rows().rows.map(\.rowID) == [post])

      let another = try test.issue()
      #expect(another.token != issued.token)
      let listed = try test.tokens()
      #expect(listed.map(\.tokenID) == [issued.tokenID, another.tokenID])
      #expect(listed.map(\.name) == ["a phone", "test"] && listed.map(\.scopes) == [[.view, .post], [.view]])
      #expect(listed[0].createdAtMilliseconds > 1_700_000_000_000)
      #expect(!"\(listed)".contains(issued.token.dropFirst(4)))
    }
  }

  @Test("tokens and revocations survive a restart") func restart() throws {
    try withBench { bench in
      let test = try TokenBench(bench)
      let (kept, revoked) = (try test.issue(), try test.issue())
      try test.revoke(revoked.tokenID)
      try test.daemon.stop()
      try test.daemon.start()
      #expect(try test.daemon.connectOverTCP(token: kept.token).whoAmI().tokenID == kept.tokenID)
      let refusal = try test.daemon.connectOverTCP(token: revoked.token).refusal(of: Method.whoAmI, EmptyMessage())
      #expect(refusal.code == .unauthenticated)
      #expect(try ErrorDetails(decoding: refusal.details).reason == "BAD_TOKEN")
    }
  }

  /// Calls, and the scope that each needs.
  static let needs: [(path: String, request: [UInt8], scope: Scope)] = [
    (Method.getRows, GetRowsRequest(layout: .test).encoded(), .view),
    (Method.getStatus, [], .view),
    (Method.measure, MeasureRequest(text: "a", width: 9).encoded(), .view),
    (Method.listSessions, [], .view),
    (Method.push, [], .panes),
    (Method.replace, [], .panes),
    (Method.pop, [], .panes),
    (Method.popTo, [], .panes),
    (Method.dropAll, [], .panes),
    (Method.open, OpenRequest(.mentions).encoded(), .panes),
    (Method.back, [], .panes),
    (Method.forward, [], .panes),
    (Method.select, [], .panes),
    (Method.resizePane, [], .panes),
    (Method.collapse, [], .panes),
    (Method.fold, [], .panes),
    (Method.setFilter, SetFilterRequest(filter: "is:reply").encoded(), .panes),
    (Method.setReadingPosition, SetReadingPositionRequest(.timeline, rowID: 1).encoded(), .panes),
    (Method.renameSession, RenameSessionRequest(name: "a").encoded(), .panes),
    (Method.deleteSession, [], .panes),
    (Method.listLists, [], .view),
    (Method.getProfile, [], .view),
    (Method.compose, ComposeRequest(text: "a").encoded(), .post),
    (Method.saveDraft, SaveDraftRequest(text: "a").encoded(), .post),
    (Method.listDrafts, [], .view),
    (Method.deleteDraft, DraftReference(1).encoded(), .post),
    (Method.mark, MarkRequest(.favourite, post: "1").encoded(), .post),
    (Method.markRead, MarkReadRequest(.read, posts: ["1"]).encoded(), .post),
    (Method.undo, UndoRequest().encoded(), .post),
    (Method.edit, EditRequest(post: "1", text: "b").encoded(), .post),
    (Method.delete, DeleteRequest(post: "1").encoded(), .post),
    (Method.follow, AuthorRequest(author: "1").encoded(), .post),
    (Method.approveFollow, AuthorRequest(author: "1").encoded(), .post),
    (Method.refuseFollow, AuthorRequest(author: "1").encoded(), .post),
    (Method.removeFollower, AuthorRequest(author: "1").encoded(), .post),
    (Method.listFollowRequests, [], .view),
    (Method.block, AuthorRequest(author: "1").encoded(), .post),
    (Method.muteWord, MutedWordRequest(word: "a").encoded(), .post),
    (Method.listMuted, [], .view),
    (Method.createList, CreateListRequest(name: "a").encoded(), .post),
    (Method.setPostLimit, SetPostLimitRequest(300).encoded(), .admin),
    (Method.listAccounts, [], .admin),
    (Method.setFollowPolicy, FollowPolicyMessage(.open).encoded(), .admin),
    (Method.createAccount, CreateAccountRequest(name: "a").encoded(), .admin),
    (Method.checkIntegrity, [], .admin),
    (Method.backup, BackupRequest(path: "/nowhere/a").encoded(), .admin),
  ]

  @Test(
    "a call without its scope is PERMISSION_DENIED, naming the scope; with it the call is allowed",
    arguments: Scope.allCases
  )
  func scopes(scope: Scope) throws {
    try withBench { bench in
      let client = try TokenBench(bench).client([scope])
      for (path, request, needed) in Self.needs {
        var result: Result<[UInt8], Status>?
        client.channel.unary(path, request) { result = $0 }
        try bench.wait(for: path) { result != nil }
        let status: Status? = if case .failure(let status) = result { status } else { nil }
        if needed == scope {
          #expect(status?.code != .permissionDenied && status?.code != .unauthenticated, "\(path)")
        } else {
          #expect(status?.code == .permissionDenied && status?.message.contains("\(needed)") == true, "\(path)")
        }
      }
      #expect(try client.whoAmI().scopes == [scope])
      for view in [try client.watch(), try client.attach()] {
        if scope == .view {
          try view.waitForFirstFrame()
        } else {
          #expect(try view.waitForEnd().code == .permissionDenied)
        }
      }
    }
  }

  @Test("tokens are issued on the Unix socket or with scope admin, never with more scopes than the caller's")
  func issuing()
    throws
  {
    try withBench { bench in
      let test = try TokenBench(bench)
      for scopes in [[Scope.view], [.post], [.view, .post]] {
        let client = try test.client(scopes)
        for (path, request) in [
          (Method.issueToken, IssueTokenRequest(name: "more").encoded()), (Method.listTokens, []),
          (Method.revokeToken, RevokeTokenRequest(tokenID: 1).encoded()),
        ] {
          var result: Result<[UInt8], Status>?
          client.channel.unary(path, request) { result = $0 }
          try bench.wait(for: path) { result != nil }
          guard case .failure(let status) = result else { throw Status.ok }
          #expect(status.code == .permissionDenied && status.message.contains("admin"), "\(path)")
        }
      }
      let admin = try test.client([.admin])
      var request = IssueTokenRequest(name: "more")
      request.scopes = [.admin, .post]
      let refusal = try admin.refusal(of: Method.issueToken, request)
      #expect(refusal.code == .permissionDenied && refusal.message.contains("post"))
      request.scopes = [.admin]
      _ = try admin.call(Method.issueToken, request, IssueTokenResponse.self)
      request = IssueTokenRequest(name: "")
      #expect(try test.owner.refusal(of: Method.issueToken, request).code == .invalidArgument)
    }
  }

  @Test("an account has at most 100 tokens") func limit() throws {
    try withBench { bench in
      let test = try TokenBench(bench)
      for _ in 0..<100 { _ = try test.issue() }
      let refusal = try test.owner.refusal(of: Method.issueToken, IssueTokenRequest(name: "one more"))
      #expect(refusal.code == .resourceExhausted)
      #expect(try ErrorDetails(decoding: refusal.details).metadata["limit"] == "100")
      try test.revoke(try test.tokens()[0].tokenID)
      _ = try test.issue()
    }
  }
}

@Suite("Revoked tokens")
struct RevokedTokenTests {
  @Test("a revoked token is refused, and only the streams it opened end at once with UNAUTHENTICATED") func streams()
    throws
  {
    try withBench { bench in
      let test = try TokenBench(bench)
      let issued = try test.issue([.view, .post])
      let client = try test.daemon.connectOverTCP(token: issued.token)
      let other = try test.client([.view, .post])
      _ = try test.owner.call(Method.setPostLimit, SetPostLimitRequest(10_000), CreateAccountResponse.self)
      for index in 0..<40 { try test.owner.post("\(index) " + String(repeating: "long ", count: 1900)) }

      let views = [try client.watch(), try client.attach()]
      let others = [try other.watch(), try other.attach(), try test.owner.watch()]
      for view in views + others { try view.waitForFirstFrame() }
      // A stream that waits for a hello, an import in the middle of a file, an export that is not read, and a health
      // watch.
      let silent = TestView(bench: bench, call: try client.channel.start(Method.attach), acknowledges: false)
      let parts = TestImport.requests(TestImport.line(1) + TestImport.line(2), format: "jsonl", chunk: 100)
      let importing = try TestImport(client, Array(parts.dropLast()), closes: false)
      let exporting = try client.channel.start(Method.export)
      let health = try client.channel.start("/grpc.health.v1.Health/Watch")
      var ends: [String: Status] = [:]
      exporting.onEnd = { _, status, _ in ends["export"] = status }
      health.onEnd = { _, status, _ in ends["health"] = status }
      var isWatched = false
      health.onMessage = { _, _ in isWatched = true }
      try exporting.send(ExportRequest(publicOnly: false).encoded())
      try health.send(HealthCheckRequest(service: "").encoded())
      health.closeSend()
      try bench.wait(for: "the health") { isWatched }

      try test.revoke(issued.tokenID)
      for view in views + [silent] { #expect(try view.waitForEnd().code == .unauthenticated) }
      #expect(try importing.refusal().code == .unauthenticated)
      try bench.wait(for: "the ends") { ends.count == 2 }
      #expect(ends.values.allSatisfy { $0.code == .unauthenticated && $0.message.contains("revoked") })
      #expect(try client.refusal(of: Method.whoAmI, EmptyMessage()).code == .unauthenticated)
      #expect(try client.watch().waitForEnd().code == .unauthenticated)

      let post = try test.owner.post("for those who stay").postID
      for view in others { try view.wait(for: "the post") { $0.topRows.contains(post) } }
      #expect(try test.owner.status().viewCount == 3)
    }
  }

  @Test("a token can revoke itself: that call is answered, and its streams end") func ownToken() throws {
    try withBench { bench in
      let test = try TokenBench(bench)
      let issued = try test.issue([.view, .admin])
      let client = try test.daemon.connectOverTCP(token: issued.token)
      let view = try client.watch()
      try view.waitForFirstFrame()
      _ = try client.call(Method.revokeToken, RevokeTokenRequest(tokenID: issued.tokenID), EmptyMessage.self)
      #expect(try view.waitForEnd().code == .unauthenticated)
      #expect(try client.refusal(of: Method.whoAmI, EmptyMessage()).code == .unauthenticated)
    }
  }

  @Test("revoking a token twice, or another account's, is NOT_FOUND") func unknown() throws {
    try withBench { bench in
      let test = try TokenBench(bench)
      _ = try test.make("bot")
      let bots = try test.issue([.view], account: "bot")
      let mine = try test.issue()
      let botAdmin = try test.client([.admin], account: "bot")
      _ = try botAdmin.call(Method.revokeToken, RevokeTokenRequest(tokenID: mine.tokenID), EmptyMessage.self)
      for id in [mine.tokenID, 0, 4711] {
        #expect(try test.owner.refusal(of: Method.revokeToken, RevokeTokenRequest(tokenID: id)).code == .notFound)
      }
      try test.revoke(bots.tokenID)
      #expect(try test.tokens(of: "bot").map(\.scopes) == [[.admin]])
    }
  }
}

@Suite("Accounts")
struct AccountServiceTests {
  @Test("an account without a user is created by name and used by token") func made() throws {
    try withBench { bench in
      let test = try TokenBench(bench)
      let bot = try test.make("weather_bot")
      #expect(bot.name == "weather_bot" && bot.userID == nil && bot.accountID > 0)
      #expect(
        try test.owner.refusal(of: Method.createAccount, CreateAccountRequest(name: "weather_bot")).code
          == .alreadyExists)
      for name in ["a b", "é", "a/b", "weather-bot", "a.b", String(repeating: "x", count: 65)] {
        let refusal = try test.owner.refusal(of: Method.createAccount, CreateAccountRequest(name: name))
        #expect(refusal.code == .invalidArgument, "\(name)")
        #expect(try ErrorDetails(decoding: refusal.details).fieldViolations.map(\.field) == ["name"], "\(name)")
      }
      let client = try test.client([.view, .post], account: "weather_bot")
      #expect(try client.whoAmI().account == bot)
      #expect(try client.status().account == "weather_bot")
      let all = try test.owner.call(Method.listAccounts, PageRequest(), ListAccountsResponse.self).accounts
      #expect(all.map(\.name) == [try test.owner.whoAmI().account.name, "weather_bot"].sorted())
      var request = IssueTokenRequest(name: "for nobody")
      request.account = "nobody"
      #expect(try test.owner.refusal(of: Method.issueToken, request).code == .notFound)
    }
  }

  @Test("accounts follow each other from the start, and see only posts meant for them") func separate() throws {
    try withBench { bench in
      let test = try TokenBench(bench)
      _ = try test.make("ann")
      _ = try test.make("bea")
      let ann = try test.client([.view, .post], account: "ann")
      let bea = try test.client([.view, .post], account: "bea")
      let open = try ann.post("for everybody").postID
      var secret = ComposeRequest(text: "@ann a note to myself and @bea")
      secret.visibility = .direct
      let direct = try ann.call(Method.compose, secret, ComposeResponse.self).postID
      #expect(try bea.rows().rows.map(\.rowID) == [direct, open])
      #expect(try test.owner.rows().rows.map(\.rowID) == [open])
      var request = GetRowsRequest(layout: .test)
      request.subject = .post("\(direct)")
      #expect(try test.owner.refusal(of: Method.getRows, request).code == .notFound)
      #expect(try bea.call(Method.getRows, request, GetRowsResponse.self).rows.map(\.rowID) == [direct])
      #expect(try test.owner.export().count == 1 && bea.export().count == 2)
    }
  }
}

@Suite("The daemon's status")
struct StatusTests {
  @Test("only administrators see the process, the store's path and the usage") func scopes() throws {
    try withBench { bench in
      let test = try TokenBench(bench)
      try test.owner.post("one")
      for client in [
        test.owner, try test.daemon.connectOverTCP(token: test.daemon.token()), try test.client([.view, .admin]),
      ] {
        let status = try client.status()
        #expect(status.storePath == test.daemon.configuration.storePath && status.processID == UInt32(getpid()))
        #expect(status.connectionCount > 0 && status.postCount == 1)
      }
      let view = try test.owner.watch()
      try view.waitForFirstFrame()
      #expect(try test.owner.status().viewCount == 1)
      for scopes in [[.view], [.view, .post]] as [[Scope]] {
        let status = try test.client(scopes).status()
        #expect(status.storePath.isEmpty)
        #expect((status.processID, status.viewCount, status.connectionCount) == (0, 0, 0))
        #expect(status.postCount == 1 && !status.daemonVersion.isEmpty && status.epoch != 0 && status.revision != 0)
      }
    }
  }
}

@Suite("Clients without a token")
struct SignedOutTests {
  @Test("every method but those that open views is UNAUTHENTICATED") func everything() throws {
    try withBench { bench in
      let test = try TokenBench(bench)
      let signedOut = try test.daemon.connectOverTCP(token: nil)
      let paths =
        TokenTests.needs.map(\.path) + [
          Method.whoAmI, Method.issueToken, Method.listTokens, Method.revokeToken, Method.stop, Method.moveStack,
          Method.moveViewport, Method.setPreview,
          Method.push, Method.open, Method.back, Method.export, Method.importPosts, "/grpc.health.v1.Health/Check",
          "/no.such/Method",
        ]
      for path in paths {
        var result: Result<[UInt8], Status>?
        signedOut.channel.unary(path, []) { result = $0 }
        try bench.wait(for: path) { result != nil }
        guard case .failure(let status) = result else { throw Status.ok }
        #expect(status.code == .unauthenticated, "\(path)")
        #expect(try ErrorDetails(decoding: status.details).reason == "NO_TOKEN", "\(path)")
      }
    }
  }

  @Test("messages are limited to 4 KiB, fonts are ignored, and nothing is resumed") func small() throws {
    try withBench { bench in
      let test = try TokenBench(bench)
      let signedOut = try test.daemon.connectOverTCP(token: nil)
      var hello = Hello.test
      hello.client = String(repeating: "x", count: 5_000)
      for view in [try signedOut.watch(hello), try signedOut.attach(hello)] {
        let end = try view.waitForEnd()
        #expect(end.code == .resourceExhausted && end.message.contains("4096"), "\(end)")
      }
      hello.client = "test"
      let plain = try signedOut.attach(hello)
      try plain.waitForFirstFrame()
      hello.layout.points = try PointMetrics(sizes: PointSizes(lineHeight: 20))
      hello.resume = Resume(epoch: 1, revision: 1, layoutKey: 1, labelsAtMilliseconds: 0, panes: [])
      let view = try signedOut.attach(hello)
      try view.waitForFirstFrame()
      #expect(view.frames[0].reset == .first, "not that of another epoch")
      #expect(
        view.mirror.panes[0].rows.map(\.layout.height) == plain.mirror.panes[0].rows.map(\.layout.height), "in cells")
      hello.layout.width = 30
      try view.send(.layout(hello.layout))
      hello.layout.points = nil
      try plain.send(.layout(hello.layout))
      for view in [view, plain] { try view.wait(for: "the other layout") { _ in view.frames.count > 1 } }
      #expect(view.mirror.panes[0].rows.map(\.layout.height) == plain.mirror.panes[0].rows.map(\.layout.height))
    }
  }

  @Test("the launch pane never changes and creates no session") func launch() throws {
    try withBench { bench in
      let test = try TokenBench(bench)
      try test.owner.post("not for nobody")
      let signedOut = try test.daemon.connectOverTCP(token: nil)
      var hello = Hello.test
      hello.session = "secret"
      let views = [try signedOut.watch(hello), try signedOut.attach()]
      for view in views {
        try view.waitForFirstFrame()
        #expect(view.mirror.panes.map(\.header.kind) == [.launch])
        #expect(view.mirror.panes[0].status.rowCount == view.mirror.panes[0].rows.count)
        #expect(view.mirror.panes[0].rows.allSatisfy { $0.content.fields.kind != .post })
        #expect(view.frames[0].welcome?.session == "main")
      }
      try test.owner.post("not for nobody either")
      try test.owner.post("nor this")
      #expect(
        views.allSatisfy { $0.mirror.panes[0].rows.allSatisfy { $0.content.fields.kind != .post } && $0.end == nil })
      #expect(
        try test.owner.call(Method.listSessions, PageRequest(), ListSessionsResponse.self).sessions.allSatisfy {
          $0.name == "main"
        })
    }
  }
}

import ClientTransport
import Messages
import RPC
import Testing
import ViewState

@Suite("Commands on a pane stack")
struct StackCommandTests {
  @Test("a pushed pane appears in every view of the session, and a pop removes it") func pushAndPop() throws {
    try withBench { bench in
      let daemon = try bench.daemon()
      let client = try daemon.connect()
      let post = try client.post("the subject").postID
      let reply = try client.post("an answer", replyingTo: "\(post)").postID
      let views = [try daemon.connect().attach(), try daemon.connect().watch()]
      for view in views { try view.waitForFirstFrame() }
      let pushed = try client.call(Method.push, PushRequest(conversation: "\(post)"), PaneResponse.self)
      for view in views {
        try view.wait(for: "the pane") { $0.panes.count == 2 && $0.topRows == [post, reply] }
        let frame = try #require(view.frames.first { $0.operations.contains { $0.pushedPane == pushed.paneID } })
        #expect(frame.revision >= pushed.revision)
        #expect(view.mirror.panes[1].header.kind == .conversation && view.mirror.panes[1].header.subject == post)
        #expect(view.mirror.paneFrames.map(\.paneID) == view.mirror.panes.map(\.header.paneID))
      }
      let popped = try client.call(Method.pop, SessionRequest(), PaneResponse.self)
      #expect(popped.paneID == pushed.paneID)
      for view in views { try view.wait(for: "the pop") { $0.panes.count == 1 && $0.revision >= popped.revision } }
    }
  }

  @Test("the same request id opens one pane, whatever happens in between") func requestID() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let post = try client.post("the subject").postID
      var request = PushRequest(conversation: "\(post)")
      request.command.requestID = "once"
      let first: PaneResponse = try client.call(Method.push, request)
      try client.post("in between")
      let second: PaneResponse = try client.call(Method.push, request)
      #expect(first == second)
      let view = try client.watch()
      try view.waitForFirstFrame()
      #expect(view.mirror.panes.count == 2)
    }
  }

  @Test("if_revision is the revision at which the session last changed") func ifRevision() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let post = try client.post("the subject").postID
      let pushed: PaneResponse = try client.call(Method.push, PushRequest(conversation: "\(post)"))
      try client.post("changes the daemon's revision, not the session's")
      var pop = SessionRequest()
      pop.command.ifRevision = pushed.revision + 1
      #expect(try client.refusal(of: Method.pop, pop).code == .aborted)
      pop.command.ifRevision = pushed.revision
      #expect(try client.call(Method.pop, pop, PaneResponse.self).paneID == pushed.paneID)
    }
  }

  @Test(
    "session names with control or invisible characters, or over 64 bytes, are refused in every request",
    arguments: [
      "a\nb", "a\tb", "\u{1b}[31m", "a\u{202e}b", "\u{85}", "\u{FFFD}", String(repeating: "é", count: 32) + "x",
    ])
  func names(name: String) throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      func field(_ status: Status) throws -> String? {
        #expect(
          status.code == .invalidArgument && status.message.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "\(status)")
        return try ErrorDetails(decoding: status.details).fieldViolations.first?.field
      }
      var pop = SessionRequest()
      pop.command.session = name
      #expect(try field(client.refusal(of: Method.pop, pop)) == "command.session")
      var replace = ReplaceRequest(.author("@ann"))
      replace.push.command.session = name
      #expect(try field(client.refusal(of: Method.replace, replace)) == "push.command.session")
      #expect(try field(client.refusal(of: Method.renameSession, RenameSessionRequest(name: name))) == "name")
      var hello = Hello.test
      hello.session = name
      #expect(try field(client.attach(hello).waitForEnd()) == "hello.session")
      hello.session = String(repeating: "é", count: 32)
      try client.attach(hello).waitForFirstFrame()
    }
  }

  @Test("an invalid search is refused, naming its field") func searches() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      var open = OpenRequest(.search)
      open.query = "\"no end"
      func field(_ status: Status) throws -> String? {
        #expect(status.code == .invalidArgument && status.message.hasPrefix("unclosed quotation mark"), "\(status)")
        return try ErrorDetails(decoding: status.details).fieldViolations.first?.field
      }
      #expect(try field(client.refusal(of: Method.open, open)) == "query")
      #expect(try field(client.refusal(of: Method.push, PushRequest(.search(open.query)))) == "subject.search")
      #expect(
        try field(client.refusal(of: Method.replace, ReplaceRequest(.search(open.query)))) == "push.subject.search")
      var rows = GetRowsRequest(layout: .test)
      rows.subject = .search(open.query)
      #expect(try field(client.refusal(of: Method.getRows, rows)) == "subject.search")
    }
  }

  @Test(
    "bytes that cannot be decoded are refused, naming the method's request",
    arguments: [
      Method.pop, Method.dropAll, Method.deleteSession, Method.getProfile, Method.unfollow, Method.addToList,
      Method.listAccounts, Method.listSessions,
      Method.compose, Method.getRows, Method.moveViewport,
    ])
  func undecodable(path: String) throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      var result: Result<[UInt8], Status>?
      client.channel.unary(path, [0xFF]) { result = $0 }
      try bench.wait(for: path) { result != nil }
      guard case .failure(let status) = result else { throw Status.ok }
      let name = path.split(separator: "/").last! + "Request"
      #expect(status.code == .invalidArgument && status.message == "not a message of type \(name)")
    }
  }

  @Test("errors repeat input as a single line without control characters") func sentences() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let evil = "x\u{1b}]0;y\u{7}\nz"
      var rows = GetRowsRequest(layout: .test)
      rows.subject = .post(evil)
      var zone = GetRowsRequest(layout: .test)
      zone.layout.timeZone = evil
      var compose = ComposeRequest(text: "x")
      compose.inReplyTo = evil
      let refusals = [
        try client.refusal(of: Method.getRows, rows), try client.refusal(of: Method.getRows, zone),
        try client.refusal(of: Method.compose, compose),
        try client.refusal(of: Method.delete, DeleteRequest(post: evil)),
        try client.refusal(of: Method.push, PushRequest(.author(evil))),
        try client.refusal(of: Method.push, PushRequest(.list(evil))),
        try client.refusal(of: Method.follow, AuthorRequest(author: evil)),
        try client.refusal(of: Method.createAccount, CreateAccountRequest(name: evil)),
      ]
      for refusal in refusals {
        #expect(
          refusal.message.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } && refusal.message.contains("x\u{FFFD}]0;y"),
          "\(refusal)")
      }
    }
  }

  @Test("commands that cannot be carried out fail with the right code") func refusals() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let post = try client.post("the subject").postID
      #expect(try client.refusal(of: Method.pop, SessionRequest()).code == .failedPrecondition)
      #expect(try client.refusal(of: Method.push, PushRequest(conversation: "4711")).code == .notFound)
      var push = PushRequest(conversation: "\(post)")
      push.fromPane = 99
      #expect(try client.refusal(of: Method.push, push).code == .notFound)
      push = PushRequest(conversation: "\(post)")
      push.command.requestID = String(repeating: "r", count: 65)
      let refusal = try client.refusal(of: Method.push, push)
      #expect(refusal.code == .invalidArgument && refusal.message.contains("request_id"))
    }
  }

  @Test("sessions have stacks of their own") func sessions() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let post = try client.post("the subject").postID
      var push = PushRequest(conversation: "\(post)")
      push.command.session = "work"
      _ = try client.call(Method.push, push, PaneResponse.self)
      var hello = Hello.test
      hello.session = "work"
      let work = try client.watch(hello)
      let main = try client.watch()
      try work.waitForFirstFrame()
      try main.waitForFirstFrame()
      #expect(work.mirror.panes.count == 2 && main.mirror.panes.count == 1)
    }
  }
}

extension Operation {
  /// The pane that a push adds.
  fileprivate var pushedPane: UInt64? {
    if case .panePushed(let header) = self { return header.paneID }
    return nil
  }
}

import ClientTransport
import Glibc
import Messages
import RPC
import Server
import TestSupport
import Testing
import UV
import ViewState

@Suite("Starting, stopping and restarting a daemon")
struct LifeTests {
  @Test("posts, pane stacks, the revision and request ids survive a restart") func restart() throws {
    try withBench { bench in
      let daemon = try bench.daemon()
      var client = try daemon.connect()
      let post = try client.post("Still here.", requestID: "r").postID
      let pushed: PaneResponse = try client.call(Method.push, PushRequest(conversation: "\(post)"))
      let before = try client.status()
      try daemon.stop()
      try daemon.start()

      client = try daemon.connect()
      let view = try client.watch()
      try view.waitForFirstFrame()
      #expect(view.mirror.panes.map(\.header.paneID) == [1, pushed.paneID])
      #expect(view.mirror.topRows == [post])
      let after = try client.status()
      #expect(after.epoch == before.epoch && after.revision == before.revision && after.postCount == 1)
      #expect(try client.post("Still here.", requestID: "r").postID == post)
      #expect(try client.post("And more.").revision > before.revision)
    }
  }

  @Test("a reading position set just before a stop is restored") func place() throws {
    try withBench { bench in
      let daemon = try bench.daemon()
      var client = try daemon.connect()
      let posts = try (1...40).map { try client.post("number \($0)").postID }
      // Views that show a single pane leave the session's places alone.
      var hello = Hello.test
      hello.layout = LayoutParameters(width: 80, height: 24)
      let view = try client.attach(hello)
      try view.waitForFirstFrame()
      for (generation, post) in [(1, posts[30]), (2, posts[10])] as [(UInt32, UInt64)] {
        var viewport = ViewportParameters()
        viewport.paneID = 1
        viewport.anchorRow = post
        viewport.generation = generation
        try view.send(.viewport(viewport))
        try view.wait(for: "the move") { _ in view.frames.last?.generations.viewport == generation }
      }
      try daemon.stop()
      try daemon.start()
      client = try daemon.connect()
      let again = try client.attach(hello)
      try again.waitForFirstFrame()
      #expect(again.mirror.panes[0].status.anchorRow == posts[10])
    }
  }

  @Test("views resume without a reset after a restart, and get what they missed") func resume() throws {
    try withBench { bench in
      let daemon = try bench.daemon()
      var client = try daemon.connect()
      for number in 1...20 { _ = try client.post("number \(number)") }
      let views = [try client.attach(), try client.watch()]
      for view in views { try view.waitForFirstFrame() }
      let held = views.map(\.mirror)
      try daemon.stop()
      try daemon.start()
      client = try daemon.connect()
      let post = try client.post("while away").postID
      for (mirror, attaches) in zip(held, [true, false]) {
        var hello = Hello.test
        hello.resume = mirror.resume
        let view = attaches ? try client.attach(hello, from: mirror) : try client.watch(hello, from: mirror)
        try view.waitForFirstFrame()
        let first = try #require(view.frames.first)
        #expect(
          first.reset == nil && first.number == 1 && first.baseRevision == mirror.revision && first.welcome != nil)
        #expect(first.operations.flatMap(\.insertedRows) == [post])
        let fresh = try client.watch()
        try fresh.waitForFirstFrame()
        #expect(view.mirror.panes == fresh.mirror.panes)
      }
    }
  }

  @Test("the owner's Stop is answered, and every stream ends with UNAVAILABLE") func stop() throws {
    try withBench { bench in
      let daemon = try bench.daemon()
      let owner = try daemon.connect()
      let views = [try daemon.connect().watch(), try daemon.connect().attach()]
      for view in views { try view.waitForFirstFrame() }
      _ = try owner.call(Method.stop, EmptyMessage(), EmptyMessage.self)
      for view in views { #expect(try view.waitForEnd().code == .unavailable) }
      try daemon.waitForEnd()
    }
  }

  @Test("TCP clients need a token, and the daemon's own allows everything but Stop") func token() throws {
    try withBench { bench in
      let address = try #require(SocketAddress("127.0.0.1:0"))
      let daemon = try bench.daemon(listen: address)
      for wrong in ["wrong", String(repeating: "0", count: 64)] {
        let client = try daemon.connectOverTCP(token: wrong)
        #expect(try client.refusal(of: Method.getStatus, EmptyMessage()).code == .unauthenticated)
        #expect(try client.watch().waitForEnd().code == .unauthenticated)
      }
      let refusal = try daemon.connectOverTCP(token: nil).refusal(of: Method.getStatus, EmptyMessage())
      #expect(refusal.code == .unauthenticated && refusal.message.contains("authorization"))
      let client = try daemon.connectOverTCP(token: try daemon.token())
      let post = try client.post("over TCP").postID
      // The token is the owner's: both are one account.
      #expect(try daemon.connect().rows().rows.map(\.rowID) == [post])
      #expect(try client.refusal(of: Method.stop, EmptyMessage()).code == .permissionDenied)
      #expect(try client.status().postCount == 1)
    }
  }

  @Test("a second daemon on a store is refused with an explanation, and the first goes on") func twoDaemons() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      #expect {
        _ = try bench.daemon()
      } throws: { error in
        "\(error)".contains("another daemon (process \(getpid())) is using the store \(bench.folder.path)")
      }
      #expect(try client.post("still served").postID != 0)
    }
  }

  @Test("lock files that are links are reported, and what they lead to stays as it is", arguments: ["db", "sock"])
  func lockLink(of file: String) throws {
    try withBench { bench in
      let (target, lock) = (bench.folder.file("precious"), bench.folder.file("linked.\(file).lock"))
      try FileSystem.create(target, mode: 0o600, contents: Array("words".utf8))
      #expect(unsafe symlink(target, lock) == 0)
      #expect {
        _ = try bench.daemon("linked")
      } throws: { error in
        "\(error)".hasPrefix("the lock file \(lock) is not a regular file") && "\(error)".hasSuffix("and remove it")
      }
      #expect(try FileSystem.read(target, limit: 100) == Array("words".utf8))
      try FileSystem.remove(lock)
      #expect(try bench.daemon("linked").connect().post("works").postID != 0)
    }
  }

  @Test("a forbidden address or an unsafe folder is reported before a store or a token is created") func notThere()
    throws
  {
    try withBench { bench in
      let anywhere = try #require(SocketAddress("0.0.0.0:0"))
      #expect(throws: TransportError.notLoopback(anywhere)) { _ = try bench.daemon("elsewhere", listen: anywhere) }
      try FileSystem.changeMode(of: bench.folder.path, to: 0o755)
      #expect {
        _ = try bench.daemon("open", listen: SocketAddress("127.0.0.1:0"))
      } throws: { error in
        "\(error)".contains("chmod 700 \(bench.folder.path)")
      }
      for file in ["elsewhere.db", "elsewhere.token", "open.db", "open.db.lock", "open.token", "open.sock.lock"] {
        #expect(throws: UVError.self, "\(file)") { try FileSystem.status(of: bench.folder.file(file)) }
      }
    }
  }

  @Test("a missing store and its folder are created and logged, but no further folders")
  func newStore() throws {
    try withBench { bench in
      var lines: [String] = []
      func start(_ store: String) throws {
        var transport = TransportConfiguration()
        transport.socketPath = bench.folder.file("new.sock")
        transport.log = { lines.append($0) }
        let daemon = try RunningDaemon(
          loop: bench.loop,
          Daemon.Configuration(storePath: store, transport: transport, tokenPath: bench.folder.file("token")))
        var isStopped = false
        daemon.onStopped = { isStopped = true }
        daemon.stop()
        try bench.wait(for: "its end") { isStopped }
        daemon.close()
      }
      let folder = bench.folder.file("folder")
      #expect {
        try start("\(folder)/deep/x.db")
      } throws: { error in
        "\(error)".hasPrefix("there is no folder \(folder) for the store \(folder)/deep/x.db")
      }
      #expect(throws: UVError.noSuchFile) { try FileSystem.status(of: folder) }
      for _ in 0..<2 { try start("\(folder)/x.db") }
      #expect(lines == ["created a new store: \(folder)/x.db"])
      for name in try FileSystem.names(in: folder) { try FileSystem.remove("\(folder)/\(name)") }
      unsafe rmdir(folder)

      let other = bench.folder.file("other.db")
      try FileSystem.create(other, mode: 0o600, contents: Array("something else, and long enough to be looked at".utf8))
      let names = try Set(FileSystem.names(in: bench.folder.path))
      #expect(throws: (any Error).self) { try start(other) }
      #expect(try Set(FileSystem.names(in: bench.folder.path)) == names, "nothing is left beside it")
      // A lock file that existed already stays.
      try FileSystem.create(other + ".lock", mode: 0o600, contents: [])
      #expect(throws: (any Error).self) { try start(other) }
      #expect(try FileSystem.status(of: other + ".lock").kind == .regular)
    }
  }

  @Test(
    "an unknown method is UNIMPLEMENTED",
    arguments: ["/stack.v1.ViewService/Zoom", "/stack.v2.View/Attach"])
  func unknown(path: String) throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      #expect(try client.refusal(of: path, EmptyMessage()).code == .unimplemented)
    }
  }

  @Test("bytes that cannot be decoded are INVALID_ARGUMENT, naming the expected message") func badBytes() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      var result: Result<[UInt8], Status>?
      client.channel.unary(Method.compose, [0xFF]) { result = $0 }
      try bench.wait(for: "the refusal") { result != nil }
      #expect(try refusal { try result?.get() } == Status(.invalidArgument, "not a message of type ComposeRequest"))
    }
  }
}

import Messages
import Posts
import RPC
import Services
import Simulation
import Testing

@Suite("Signing in and out by the program of a source")
struct SignInServiceTests {
  /// A call that may be open.
  private final class Pending {
    var status: Status?
    var response: [UInt8] = []
  }

  /// A daemon whose source `fake` has a program, and clients of two accounts.
  private final class Setting {
    let daemon: DirectDaemon
    let ann: DirectClient
    let eve: DirectClient
    private let started: () -> [FakeProgram]
    /// The process that runs, or ran last.
    var program: FakeProgram { started().last! }

    init(_ hello: UpstreamHello? = UpstreamHello(signsIn: true)) throws {
      var programs: [FakeProgram] = []
      daemon = try DirectDaemon(
        seed: 1,
        upstreams: Upstreams(sources: ["fake"], patience: .seconds(30), log: { _ in }) { _, say, end in
          programs.append(FakeProgram(say, end))
          return programs.last!
        })
      started = { programs }
      ann = try daemon.client(user: DirectDaemon.user)
      eve = try daemon.client(user: DirectDaemon.user + 1)
      if let hello { say(.hello(hello)) }
    }

    func say(_ message: UpstreamMessage) {
      program.say(message)
      daemon.runUntilIdle()
    }

    func answer(_ id: String, _ signIn: UpstreamReply) {
      var answer = UpstreamAnswer(id: id, .done(nativeID: "", permalink: .empty))
      answer.reply = signIn
      say(.answer(answer))
    }

    func call(_ path: String, _ request: some WireMessage, by client: DirectClient) throws -> Pending {
      let pending = Pending()
      let call = try client.begin(path, request) { pending.status = $0 }
      call.onMessage = { pending.response = $1 }
      daemon.runUntilIdle()
      return pending
    }

    func begin(by client: DirectClient) throws -> Pending {
      let request = BeginSignInRequest(source: "fake", server: "a.example", redirectPort: 0, isReadOnly: false)
      return try call(Method.beginSignIn, request, by: client)
    }

    func finish(_ number: String, by client: DirectClient) throws -> Pending {
      try call(Method.finishSignIn, FinishSignInRequest(source: "fake", signIn: number, code: "x"), by: client)
    }

    /// Signs a client in as `ann@a.example`; its wants are `w1` and `w2`.
    func signIn(_ client: DirectClient) throws {
      _ = try begin(by: client)
      answer("w1", Self.page)
      _ = try finish("s1", by: client)
      answer("w2", Self.login)
    }

    static var page: UpstreamReply {
      var signIn = UpstreamReply()
      (signIn.number, signIn.url) = ("s1", "https://a.example/")
      return signIn
    }

    static var login: UpstreamReply {
      var signIn = UpstreamReply()
      signIn.login = "ann@a.example"
      return signIn
    }
  }

  @Test("only the account that has begun to sign in can finish, once") func owner() throws {
    let setting = try Setting()
    defer { setting.daemon.close() }
    let begun = try setting.begin(by: setting.ann)
    let heard = setting.program.heard.count
    guard case .want("w1", .signIn("a.example", let account, 0, false, "")) = setting.program.heard.last else {
      return #expect(Bool(false))
    }
    #expect(account == "user1000")
    setting.answer("w1", Setting.page)
    #expect(begun.status?.code == .ok)
    #expect(try setting.finish("s1", by: setting.eve).status?.code == .notFound)
    #expect(try setting.finish("s2", by: setting.ann).status?.code == .notFound)
    #expect(setting.program.heard.count == heard, "the program is not asked")
    let finished = try setting.finish("s1", by: setting.ann)
    setting.answer("w2", Setting.login)
    #expect(finished.status?.code == .ok)
    #expect(setting.program.heard.last == .login("ann@a.example", account: "user1000", cursors: [:]))
    #expect(try setting.finish("s1", by: setting.ann).status?.code == .notFound)
  }

  @Test("a command prints a token whose scopes were chosen at the server") func readOnlyCommand() throws {
    let setting = try Setting()
    defer { setting.daemon.close() }
    var request = BeginSignInRequest(source: "fake", server: "a.example", redirectPort: 0, isReadOnly: true)
    request.secretCommand = "pass show stack/ann"
    #expect(try setting.call(Method.beginSignIn, request, by: setting.ann).status?.code == .invalidArgument)
    request.isReadOnly = false
    #expect(try setting.call(Method.beginSignIn, request, by: setting.ann).status == nil, "the program is asked")
  }

  @Test("an attempt can be finished for ten minutes") func late() throws {
    let setting = try Setting()
    defer { setting.daemon.close() }
    _ = try setting.begin(by: setting.ann)
    setting.answer("w1", Setting.page)
    setting.daemon.advance(by: .seconds(601))
    #expect(try setting.finish("s1", by: setting.ann).status?.code == .notFound)
  }

  @Test("a program that says nothing does not keep a person waiting for ever") func silence() throws {
    let setting = try Setting(nil)
    defer { setting.daemon.close() }
    let begun = try setting.begin(by: setting.ann)
    setting.daemon.advance(by: .seconds(29))
    #expect(begun.status == nil)
    setting.daemon.advance(by: .seconds(2))
    #expect(begun.status?.code == .unavailable && begun.status?.message.contains("does not answer") == true)
  }

  @Test("a login is signed out also while its program does not run, which is told when it starts") func signOut() throws
  {
    let setting = try Setting()
    defer { setting.daemon.close() }
    try setting.signIn(setting.ann)
    setting.program.end(UpstreamEnd(reason: "crashed"))
    setting.daemon.runUntilIdle()
    let request = SignOutRequest(source: "fake", login: "ann@a.example", forgets: false)
    #expect(try setting.call(Method.signOut, request, by: setting.eve).status?.code == .notFound)
    let ended = try setting.call(Method.signOut, request, by: setting.ann)
    #expect(ended.status?.code == .ok)
    #expect(try SignOutResponse(decoding: ended.response).isUnconfirmed)
    setting.daemon.advance(by: .seconds(1))
    setting.say(.hello(UpstreamHello(signsIn: true)))
    #expect(setting.program.heard.first == .signedOut(login: "ann@a.example"))
    #expect(!setting.program.heard.contains { if case .login = $0 { true } else { false } })
    #expect(try setting.call(Method.signOut, request, by: setting.ann).status?.code == .notFound)
  }

  @Test("a program by which nobody signs in keeps its login") func otherProgram() throws {
    let setting = try Setting(UpstreamHello())
    defer { setting.daemon.close() }
    let request = SignOutRequest(source: "fake", login: "fake", forgets: false)
    #expect(try setting.call(Method.signOut, request, by: setting.ann).status?.code == .failedPrecondition)
  }
}

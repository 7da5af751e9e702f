import Dates
import HTTPSupport
import Testing

@testable import Mastodon

@Suite("Signing in")
struct SignInTests {
  private static let metadata = #"""
    {"issuer":"https://a.example/","authorization_endpoint":"https://a.example/oauth/authorize",
    "token_endpoint":"https://a.example/oauth/token","scopes_supported":["read","read:statuses","read:accounts","write","write:statuses"]}
    """#
  /// An account as it comes with a token.
  private static func ann(_ more: String = "") -> String {
    #"{"id":"1","username":"ann","acct":"ann","display_name":"Ann","url":"https://a.example/@ann"\#(more)}"#
  }

  private static let application = #"{"client_id":"c1","client_secret":"s3cret"}"#

  /// A connector that has sent a person to the server's page, and the address.
  private static func begun(_ secrets: Secrets = Secrets(), wish: String = "") -> (bench: ConnectorBench, url: String) {
    var bench = searching(secrets, wish: wish)
    bench.answer("/api/v2/instance", 200, ConnectorBench.facts)
    bench.answer("/.well-known/oauth-authorization-server", 200, metadata)
    bench.answer("/api/v1/apps", 200, application)
    return (bench, address(bench))
  }

  /// A connector that has been asked to sign a person in, with more fields in the want.
  private static func searching(
    _ secrets: Secrets = Secrets(), at address: String = "ann@a.example", wish: String = ""
  ) -> ConnectorBench {
    var bench = ConnectorBench(secrets)
    bench.tell(#"{"tell":"ready","now":1795000000000,"credit":8}"#)
    bench.tell(#"{"want":"sign_in","id":"w1","address":"\#(address)"\#(wish)}"#)
    return bench
  }

  /// The page that a person was sent to last.
  private static func address(_ bench: ConnectorBench) -> String {
    String(bench.lines.last?.split(separator: #""url":""#).last?.dropLast(2) ?? "")
  }

  private static func query(_ url: String, _ name: String) -> String? {
    FormFields.value(name, in: url.drop { $0 != "?" }.dropFirst())
  }

  @Test("a code that is pasted: registered, sent to the page, exchanged, and told who it is") func pasted() {
    let (begun, url) = Self.begun()
    var bench = begun
    #expect(url.hasPrefix("https://a.example/oauth/authorize?response_type=code&client_id=c1&"))
    #expect(
      Self.query(url, "redirect_uri") == "urn:ietf:wg:oauth:2.0:oob"
        && Self.query(url, "scope") == "read:accounts read:statuses write:statuses")
    #expect(Self.query(url, "code_challenge_method") == "S256" && Self.query(url, "state")?.count == 32)
    #expect(bench.saved == nil)
    bench.tell(#"{"want":"finish_sign_in","id":"w2","sign_in":"s1","code":" c0de\n"}"#)
    let form = bench.fetches[0].request.form ?? ""
    #expect(FormFields.value("code", in: form) == "c0de" && FormFields.value("client_secret", in: form) == "s3cret")
    #expect(FormFields.value("code_verifier", in: form)?.count == 43)
    bench.answer("/oauth/token", 200, #"{"access_token":"t0k3n","token_type":"Bearer"}"#)
    #expect(bench.fetches[0].request.authorization == "Bearer t0k3n")
    bench.answer("/api/v1/accounts/verify_credentials", 200, Self.ann(#","uri":"https://a.example/users/ann""#))
    #expect(
      bench.lines.last
        == #"{"id":"w2","ok":true,"login":"ann@a.example","author":{"id":"https://a.example/users/ann","handle":"ann","name":"Ann"}}"#
    )
    let token = Secrets.Token(server: "https://a.example/", token: "t0k3n", id: "c1", secret: "s3cret")
    #expect(bench.saved?.unconfirmed["ann@a.example"] == token && bench.saved?.tokens.isEmpty == true)
    // What is told to the daemon and its log has no secret in it.
    for secret in ["t0k3n", "s3cret", "c0de"] {
      #expect(!(bench.lines + bench.log).contains { $0.contains(secret) }, "\(secret) is told")
    }
    bench.tell(#"{"tell":"login","login":"ann@a.example","account":"ann","cursors":{}}"#)
    #expect(bench.fetches[0].request.authorization == "Bearer t0k3n")
    #expect(bench.saved?.tokens["ann@a.example"] == token && bench.saved?.unconfirmed.isEmpty == true)
  }

  /// A connector whose login is there, and at which somebody has signed in by the same name.
  private static func signedInAgain() -> ConnectorBench {
    var bench = ConnectorBench.live()
    bench.tell(#"{"want":"sign_in","id":"w1","address":"ann@a.example","account":"eve"}"#)
    bench.answer("/api/v2/instance", 200, ConnectorBench.facts)
    bench.answer("/.well-known/oauth-authorization-server", 200, metadata)
    bench.answer("/api/v1/apps", 200, #"{"client_id":"c2","client_secret":"s2"}"#)
    bench.tell(#"{"want":"finish_sign_in","id":"w2","sign_in":"s1","code":"x"}"#)
    bench.answer("/oauth/token", 200, #"{"access_token":"new","token_type":"Bearer"}"#)
    bench.answer("/api/v1/accounts/verify_credentials", 200, ann())
    bench.answer("/api/v1/accounts/1/statuses", 200, "[]")
    #expect(bench.lines.last?.contains(#"{"id":"w2","ok":true,"login":"ann@a.example""#) == true)
    return bench
  }

  private static func revoked(_ bench: ConnectorBench) -> [String] {
    bench.fetches.filter { $0.request.url.path == "/oauth/revoke" }
      .compactMap { FormFields.value("token", in: $0.request.form ?? "") }
  }

  @Test("a login that the daemon does not store leaves the one of that name as it was; the new token is revoked")
  func refusedLogin() {
    var bench = Self.signedInAgain()
    #expect(Self.revoked(bench).isEmpty && bench.saved?.tokens["ann@a.example"]?.token == "t0k3n")
    bench.tell(#"{"want":"sign_out","id":"w3","login":"ann@a.example"}"#)
    #expect(Self.revoked(bench) == ["new"] && bench.closed.isEmpty, "it goes on")
    #expect(bench.saved?.tokens["ann@a.example"]?.token == "t0k3n" && bench.saved?.unconfirmed.isEmpty == true)
    bench.answer("/oauth/revoke", 200, "{}")
    #expect(bench.lines.last == #"{"id":"w3","ok":true}"#)
    bench.tell(#"{"want":"sign_out","id":"w4","login":"ann@a.example"}"#)
    #expect(Self.revoked(bench) == ["t0k3n"] && bench.closed.count == 1)
  }

  @Test("a token that is replaced is revoked") func replacedToken() {
    var bench = Self.signedInAgain()
    bench.tell(#"{"tell":"login","login":"ann@a.example","account":"ann","cursors":{}}"#)
    #expect(Self.revoked(bench) == ["t0k3n"] && bench.saved?.tokens["ann@a.example"]?.token == "new")
    #expect(bench.fetches.contains { $0.request.authorization == "Bearer new" })
    bench.fetches.removeAll { $0.request.url.path != "/oauth/revoke" }
    bench.answer("/oauth/revoke", 500, "{}")
    #expect(bench.log.last?.contains("did not confirm") == true)
  }

  @Test(
    "after a restart a new token counts if the login has no other, and is revoked if the daemon tells no such login")
  func unconfirmedTokens() {
    var secrets = Secrets()
    func token(_ text: String) -> Secrets.Token {
      Secrets.Token(server: "https://a.example/", token: text, id: "c1", secret: "s")
    }
    secrets.unconfirmed = ["ann@a.example": token("a2"), "bea@a.example": token("b2"), "eve@a.example": token("e2")]
    secrets.tokens = ["bea@a.example": token("b1")]
    #expect(Secrets(secrets.bytes) == secrets)
    var bench = ConnectorBench(secrets)
    for name in ["ann", "bea"] {
      bench.tell(#"{"tell":"login","login":"\#(name)@a.example","account":"\#(name)","cursors":{}}"#)
    }
    bench.tell(#"{"tell":"ready","now":1795000000000,"credit":8}"#)
    #expect(bench.saved?.tokens.mapValues(\.token) == ["ann@a.example": "a2", "bea@a.example": "b1"])
    #expect(bench.saved?.unconfirmed.isEmpty == true && Self.revoked(bench) == ["b2", "e2"])
  }

  @Test("a login that is gone has no token any more, also if it went while the program was away") func goneLogin() {
    var secrets = Secrets()
    secrets.tokens["ann@a.example"] = Secrets.Token(server: "https://a.example/", token: "t", id: "c", secret: "s")
    var bench = ConnectorBench(secrets)
    bench.tell(#"{"tell":"gone","login":"ann@a.example"}"#)
    #expect(bench.saved?.tokens.isEmpty == true && Self.revoked(bench) == ["t"])
  }

  @Test("an account has four attempts to sign in, and one that nobody waits for is forgotten") func attempts() {
    var bench = ConnectorBench()
    bench.tell(#"{"tell":"ready","now":1795000000000,"credit":8}"#)
    func begin(_ account: String, _ id: String) {
      bench.tell(#"{"want":"sign_in","id":"\#(id)","address":"a.example","account":"\#(account)"}"#)
    }
    for number in 0..<100 { begin("eve", "e\(number)") }
    begin("ann", "a")
    #expect(bench.fetches.count == 101 && !bench.lines.contains { $0.contains("too many") })
    bench.tell(#"{"want":"nothing","id":"a"}"#)
    #expect(bench.lines.last?.contains(#"{"id":"a","ok":false"#) == true)
    let last = bench.fetches.removeLast().number
    bench.take(.fetched(last, .failure(FetchFailure("late"))))
    #expect(bench.lines.last?.contains("took too long") == true)
    for number in 0..<70 { begin("account \(number)", "b\(number)") }
    #expect(bench.lines.count { $0.contains("too many people are signing in") } == 10)
    bench.pass(seconds: 600)
    begin("bea", "c")
    #expect(bench.fetches.last?.request.url.path == "/api/v2/instance")
  }

  @Test("the address to which the server has sent a person is taken too, if it is of this attempt") func redirected() {
    for isRight in [true, false] {
      let (begun, url) = Self.begun()
      var bench = begun
      let state = isRight ? Self.query(url, "state")! : String(repeating: "0", count: 32)
      bench.tell(
        #"{"want":"finish_sign_in","id":"w2","sign_in":"s1","code":"http://127.0.0.1:33718/?code=x%2By&state=\#(state)"}"#
      )
      if isRight {
        #expect(FormFields.value("code", in: bench.fetches[0].request.form ?? "") == "x+y")
      } else {
        #expect(bench.fetches.isEmpty && bench.lines.last?.contains("another attempt") == true)
      }
    }
  }

  @Test("a browser that may come back to a port is sent there; a server that refuses the address shows the code")
  func loopback() {
    for isRefused in [false, true] {
      var bench = Self.searching(wish: #","port":"28413""#)
      bench.answer("/api/v2/instance", 200, ConnectorBench.facts)
      bench.answer("/.well-known/oauth-authorization-server", 404)
      let redirects = FormFields.value("redirect_uris", in: bench.fetches[0].request.form ?? "")
      #expect(redirects == "\(SignIn.outOfBand)\nhttp://127.0.0.1:28413/")
      if isRefused { bench.answer("/api/v1/apps", 422, #"{"error":"Redirect URI is invalid"}"#) }
      bench.answer("/api/v1/apps", 200, Self.application)
      let url = Self.address(bench)
      let used = isRefused ? SignIn.outOfBand : "http://127.0.0.1:28413/"
      #expect(Self.query(url, "redirect_uri") == used && Self.query(url, "scope") == "read write")
      let state = Self.query(url, "state") ?? ""
      let code = isRefused ? "x" : "http://127.0.0.1:28413/?code=x&state=\(state)"
      bench.tell(#"{"want":"finish_sign_in","id":"w2","sign_in":"s1","code":"\#(code)"}"#)
      #expect(FormFields.value("redirect_uri", in: bench.fetches[0].request.form ?? "") == used)
    }
  }

  @Test("who has a login at the server is asked for name and password again") func another() {
    var secrets = Secrets()
    for (server, isForced) in [("https://b.example/", false), ("https://a.example/", true)] {
      secrets.tokens["bob@x.example"] = Secrets.Token(server: server, token: "t", id: "c", secret: "s")
      let (_, url) = Self.begun(secrets)
      #expect((Self.query(url, "force_login") == "true") == isForced)
    }
  }

  @Test("a login that only reads asks for nothing else") func readOnly() {
    let (_, url) = Self.begun(wish: #","read_only":true"#)
    #expect(Self.query(url, "scope") == "read:accounts read:statuses")
  }

  @Test("a person who did not allow it, or whose address has no code") func denied() {
    for (fields, words) in [
      ("error=access_denied&error_description=You+said+no", "You said no"), ("error=access_denied", "access_denied"),
      ("x=y", "no code in this address"),
    ] {
      let (begun, url) = Self.begun()
      var bench = begun
      let state = Self.query(url, "state") ?? ""
      bench.tell(
        #"{"want":"finish_sign_in","id":"w2","sign_in":"s1","code":"http://127.0.0.1:1/?state=\#(state)&\#(fields)"}"#)
      #expect(bench.fetches.isEmpty && bench.lines.last?.contains(words) == true)
    }
  }

  @Test(
    "who has signed in is who their posts are by, also at servers that name them otherwise", arguments: [true, false])
  func identity(hasPosts: Bool) {
    var (bench, _) = Self.begun()
    bench.tell(#"{"want":"finish_sign_in","id":"w2","sign_in":"s1","code":"x"}"#)
    bench.answer("/oauth/token", 200, #"{"access_token":"t0k3n"}"#)
    bench.answer("/api/v1/accounts/verify_credentials", 200, Self.ann())
    let status = #"""
      {"id":"5","uri":"https://a.example/users/ann/statuses/5","created_at":"2026-11-18T10:00:00Z","content":"",
      "account":\#(Self.ann())}
      """#
    bench.answer("/api/v1/accounts/1/statuses", 200, hasPosts ? "[\(status)]" : "[]")
    let id = hasPosts ? "https://a.example/users/ann" : "https://a.example/@ann"
    #expect(bench.lines.last?.contains(#""author":{"id":"\#(id)""#) == true)
  }

  // MARK: - Finding the server

  /// What the hosts of a search answer, the path of each request, and the server that is found; nil for none.
  static let searches: [(answers: [(path: String, status: Int, body: String, location: String)], server: String?)] = [
    ([finger(#"https://social.a.example/users/ann"#), here], "social.a.example"),
    (
      [
        ("/.well-known/webfinger", 301, "", "https://social.a.example/w?x"),
        ("/w", 200, jrd("https://m.example/u/1"), ""), here,
      ],
      "m.example"
    ),
    ([absentFinger, meta("https://social.a.example/.well-known/webfinger?resource={uri}"), here], "social.a.example"),
    ([absentFinger, ("/.well-known/host-meta", 404, "", "")], nil),
    ([finger("https://127.0.0.1/users/ann")], nil), ([finger("http://social.a.example/users/ann")], nil),
    ([finger("https://a.example/users/ann")], nil),
    ([("/.well-known/webfinger", 302, "", "https://10.0.0.1/"), ("/.well-known/host-meta", 404, "", "")], nil),
    (
      [
        finger("https://m.example/u/1"), ("/api/v2/instance", 404, "", ""), ("/api/v1/instance", 404, "", ""),
      ], nil
    ),
  ]

  private static let here = (path: "/api/v2/instance", status: 200, body: ConnectorBench.facts, location: "")
  private static let absentFinger = (path: "/.well-known/webfinger", status: 404, body: "", location: "")

  private static func finger(_ actor: String) -> (path: String, status: Int, body: String, location: String) {
    ("/.well-known/webfinger", 200, jrd(actor), "")
  }

  private static func jrd(_ actor: String) -> String {
    #"""
    {"links":[{"rel":"http://webfinger.net/rel/profile-page","type":"text/html","href":"https://x.example/"},
    {"rel":"self","type":"application/activity+json","href":"\#(actor)"}]}
    """#
  }

  private static func meta(_ template: String) -> (path: String, status: Int, body: String, location: String) {
    ("/.well-known/host-meta", 200, "<XRD><Link rel='lrdd' template='\(template)'/></XRD>", "")
  }

  @Test("a name whose host is not its server's is looked up there", arguments: searches.indices)
  func lookedUp(index: Int) {
    let (answers, server) = Self.searches[index]
    var bench = Self.searching()
    bench.answer("/api/v2/instance", 404)
    bench.answer("/api/v1/instance", 200, "<html>")
    #expect(bench.fetches[0].request.url.query == "resource=acct%3Aann%40a.example")
    for (path, status, body, location) in answers {
      bench.answer(path, status, body, fields: location.isEmpty ? [:] : ["location": location])
    }
    if let server {
      #expect(bench.fetches[0].request.url.text == "https://\(server)/.well-known/oauth-authorization-server")
    } else {
      #expect(bench.fetches.isEmpty && bench.lines.last?.contains("not a server of Mastodon's kind") == true)
    }
  }

  static let failureCases: [(steps: [(path: String, status: Int, body: String)], words: String)] = [
    ([("/api/v2/instance", 503, "")], "the server answered 503"),
    (
      [
        ("/api/v2/instance", 200, "<html>"), ("/api/v1/instance", 200, "<html>"), ("/.well-known/host-meta", 404, ""),
      ], "not a server of Mastodon's kind"
    ),
    (
      [
        ("/api/v2/instance", 404, ""), ("/api/v1/instance", 200, ConnectorBench.facts),
        ("/.well-known/oauth-authorization-server", 404, ""), ("/api/v1/apps", 422, #"{"error":"Scopes are invalid"}"#),
      ], "Scopes are invalid"
    ),
  ]

  @Test("what goes wrong is said", arguments: failureCases.indices) func failures(index: Int) {
    var bench = ConnectorBench()
    bench.tell(#"{"tell":"ready","now":1795000000000,"credit":8}"#)
    bench.tell(#"{"want":"sign_in","id":"w1","address":"a.example"}"#)
    for (path, status, body) in Self.failureCases[index].steps { bench.answer(path, status, body) }
    #expect(bench.lines.last?.contains(#"{"id":"w1","ok":false"#) == true)
    #expect(bench.lines.last?.contains(Self.failureCases[index].words) == true, "\(bench.lines.last ?? "")")
  }

  @Test("a code that is wrong, late, empty or for nothing") func wrongCodes() {
    var (bench, _) = Self.begun()
    bench.tell(#"{"want":"finish_sign_in","id":"w2","sign_in":"s1","code":"x"}"#)
    bench.answer("/oauth/token", 400, #"{"error":"invalid_grant","error_description":"The code is invalid"}"#)
    #expect(bench.lines.last?.contains("The code is invalid") == true)
    bench.tell(#"{"want":"finish_sign_in","id":"w3","sign_in":"s1","code":"x"}"#)
    #expect(bench.lines.last?.contains("from the beginning") == true)
    (bench, _) = Self.begun()
    bench.pass(seconds: 600)
    bench.tell(#"{"want":"finish_sign_in","id":"w2","sign_in":"s1","code":"x"}"#)
    #expect(bench.fetches.isEmpty && bench.lines.last?.contains("took too long") == true)
    bench.tell(#"{"want":"sign_in","id":"w4","address":"http://a.example"}"#)
    #expect(bench.lines.last?.contains("not a server") == true)
  }

  /// A connector that has been asked to sign a person in by a command, which runs.
  private static func running() -> ConnectorBench {
    var bench = searching(wish: #","secret_command":"pass show stack/ann""#)
    bench.answer("/api/v2/instance", 200, ConnectorBench.facts)
    #expect(bench.lines.last == #"{"id":"w1","ok":true,"sign_in":"s1"}"# && bench.fetches.isEmpty)
    bench.tell(#"{"want":"finish_sign_in","id":"w2","sign_in":"s1"}"#)
    #expect(bench.commands.map(\.command) == ["pass show stack/ann"])
    return bench
  }

  @Test("a command that prints a token signs a person in, and is kept in place of the token") func command() {
    var bench = Self.running()
    bench.take(.ran(bench.commands[0].number, .success(Array("t0k3n\nlogin: ann\n".utf8))))
    #expect(bench.fetches[0].request.authorization == "Bearer t0k3n")
    bench.answer("/api/v1/accounts/verify_credentials", 200, Self.ann(#","uri":"https://a.example/users/ann""#))
    #expect(bench.lines.last?.hasPrefix(#"{"id":"w2","ok":true,"login":"ann@a.example""#) == true)
    let file = String(decoding: bench.saved?.bytes ?? [], as: UTF8.self)
    #expect(file.contains(#""command":"pass show stack/ann""#) && !file.contains("t0k3n"))
    bench.tell(#"{"tell":"login","login":"ann@a.example","account":"ann","cursors":{}}"#)
    #expect(bench.fetches[0].request.authorization == "Bearer t0k3n")
    bench.tell(#"{"want":"sign_out","id":"w3","login":"ann@a.example"}"#)
    #expect(bench.lines.last == #"{"id":"w3","ok":true,"unconfirmed":true}"#, "the token is the person's own")
  }

  @Test(
    "a command that prints no token signs nobody in",
    arguments: [.success(Array("\nt0k3n".utf8)), .success([]), .failure(CommandFailure(reason: "ended with status 1"))]
      as [Result<[UInt8], CommandFailure>])
  func failingCommand(result: Result<[UInt8], CommandFailure>) {
    var bench = Self.running()
    bench.take(.ran(bench.commands[0].number, result))
    #expect(bench.lines.last?.contains(#""ok":false,"reason":"the command 'pass show stack/ann' "#) == true)
    #expect(bench.saved == nil && bench.fetches.isEmpty)
  }

  @Test(
    "when the program starts the command is run again, and its login waits for the token", arguments: [true, false])
  func startingCommand(isEarly: Bool) {
    for isPrinted in [true, false] {
      var secrets = Secrets()
      secrets.tokens["ann@a.example"] = Secrets.Token(
        server: "https://a.example/", token: "", id: "", secret: "", command: "c")
      var bench = ConnectorBench(secrets)
      let result =
        isPrinted
        ? .success(Array("t0k3n".utf8))
        : .failure(CommandFailure(reason: "ended with status 1"))
          as Result<[UInt8], CommandFailure>
      bench.tell(#"{"tell":"login","login":"ann@a.example","account":"ann","cursors":{"home":"n 5 1794000000000"}}"#)
      if isEarly { bench.take(.ran(bench.commands[0].number, result)) }
      bench.tell(#"{"tell":"ready","now":1795000000000,"credit":8}"#)
      if !isEarly {
        #expect(bench.fetches.isEmpty && bench.lastStatus.contains(#""state":"connecting""#))
        bench.take(.ran(bench.commands[0].number, result))
      }
      guard isPrinted else {
        #expect(bench.fetches.isEmpty && bench.lastStatus.contains("signed_out"))
        #expect(bench.lastStatus.contains("the command 'c' ended with status 1"))
        continue
      }
      #expect(bench.fetches.first?.request.authorization == "Bearer t0k3n")
      bench.answer("/api/v2/instance", 200, ConnectorBench.facts)
      bench.take(.streamOpened(bench.streams[0].number, status: 200))
      bench.answer(ConnectorBench.home, 200, "[\(ServerTests.status("9"))]")
      #expect(bench.batches().joined().contains(#"{"gap":"#), "it goes on where it was")
    }
  }

  /// A connector that has started, and whose logins have commands.
  private static func waiting(for names: [String]) -> ConnectorBench {
    var secrets = Secrets()
    for name in names {
      secrets.tokens["\(name)@a.example"] = Secrets.Token(
        server: "https://a.example/", token: "", id: "", secret: "", command: "c \(name)")
    }
    var bench = ConnectorBench(secrets)
    for name in names {
      bench.tell(#"{"tell":"login","login":"\#(name)@a.example","account":"ann","cursors":{}}"#)
    }
    bench.tell(#"{"tell":"ready","now":1795000000000,"credit":8}"#)
    return bench
  }

  @Test("who signs in again while the command runs is read with the new token", arguments: [true, false])
  func signedInMeanwhile(isByCommand: Bool) {
    var bench = Self.waiting(for: ["ann"])
    let command = isByCommand ? #","secret_command":"pass show ann""# : ""
    bench.tell(#"{"want":"sign_in","id":"w1","address":"ann@a.example","account":"ann"\#(command)}"#)
    bench.answer("/api/v2/instance", 200, ConnectorBench.facts)
    if isByCommand {
      bench.tell(#"{"want":"finish_sign_in","id":"w2","sign_in":"s1"}"#)
      bench.take(.ran(bench.commands[1].number, .success(Array("n3w".utf8))))
    } else {
      bench.answer("/.well-known/oauth-authorization-server", 200, Self.metadata)
      bench.answer("/api/v1/apps", 200, Self.application)
      bench.tell(#"{"want":"finish_sign_in","id":"w2","sign_in":"s1","code":"x"}"#)
      bench.answer("/oauth/token", 200, #"{"access_token":"n3w","token_type":"Bearer"}"#)
    }
    bench.answer("/api/v1/accounts/verify_credentials", 200, Self.ann(#","uri":"https://a.example/users/ann""#))
    bench.tell(#"{"tell":"login","login":"ann@a.example","account":"ann","cursors":{}}"#)
    #expect(bench.stopped == [bench.commands[0].number])
    #expect(bench.fetches.contains { $0.request.authorization == "Bearer n3w" })
  }

  @Test("four commands run at a time; that of a login that is signed out does not go on") func turns() {
    var bench = Self.waiting(for: ["a", "b", "c", "d", "e", "f"])
    #expect(bench.commands.map(\.command) == ["c a", "c b", "c c", "c d"])
    bench.tell(#"{"want":"sign_out","id":"w1","login":"b@a.example"}"#)
    #expect(bench.stopped == [bench.commands[1].number] && bench.commands.last?.command == "c e")
    bench.take(.ran(bench.commands[0].number, .success(Array("t".utf8))))
    #expect(bench.commands.last?.command == "c f")
  }

  @Test("metadata that name another server are not followed") func otherOrigin() {
    var bench = ConnectorBench()
    bench.tell(#"{"tell":"ready","now":1795000000000,"credit":8}"#)
    bench.tell(#"{"want":"sign_in","id":"w1","address":"a.example"}"#)
    bench.answer("/api/v2/instance", 200, ConnectorBench.facts)
    bench.answer(
      "/.well-known/oauth-authorization-server", 200,
      Self.metadata.split(separator: "https://a.example/oauth").joined(separator: "https://evil.example/oauth"))
    bench.answer("/api/v1/apps", 200, Self.application)
    #expect(bench.lines.last?.contains(#""url":"https://a.example/oauth/authorize?"#) == true)
  }

  @Test("signing out revokes the token, and removes it whatever the server says", arguments: [200, 500])
  func signOut(status: Int) {
    var bench = ConnectorBench.live()
    bench.tell(#"{"want":"sign_out","id":"w1","login":"ann@a.example"}"#)
    #expect(bench.saved?.tokens.isEmpty == true && bench.closed.count == 1)
    #expect(FormFields.value("token", in: bench.fetches[0].request.form ?? "") == "t0k3n")
    bench.answer("/oauth/revoke", status, "{}")
    #expect(
      bench.lines.contains(status == 200 ? #"{"id":"w1","ok":true}"# : #"{"id":"w1","ok":true,"unconfirmed":true}"#))
    bench.tell(#"{"want":"sign_out","id":"w2","login":"ann@a.example"}"#)
    #expect(bench.lines.last == #"{"id":"w2","ok":true}"# && bench.fetches.isEmpty)
  }
}

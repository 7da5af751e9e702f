import Dates
import HTTPSupport
import Testing

@testable import Mastodon

@Suite("Signing in")
struct SignInTests {
  private static let metadata = #"""
    {"issuer":"https://a.example/","authorization_endpoint":"https://a.example/oauth/authorize",
    "token_endpoint":"https://a.example/oauth/token","scopes_supported":["read","read:statuses","read:accounts","write"]}
    """#
  private static let application = #"{"client_id":"c1","client_secret":"s3cret"}"#

  /// A connector that has sent a person to the server's page, and the address.
  private static func begun(_ secrets: Secrets = Secrets()) -> (bench: ConnectorBench, url: String) {
    var bench = ConnectorBench(secrets)
    bench.tell(#"{"tell":"ready","now":1795000000000,"credit":8}"#)
    bench.tell(#"{"want":"sign_in","id":"w1","address":"ann@a.example"}"#)
    bench.answer("/api/v2/instance", 200, ConnectorBench.facts)
    bench.answer("/.well-known/oauth-authorization-server", 200, metadata)
    if secrets.applications.isEmpty { bench.answer("/api/v1/apps", 200, application) }
    let url = bench.lines.last?.split(separator: #""url":""#).last?.dropLast(2) ?? ""
    return (bench, String(url))
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
        && Self.query(url, "scope") == "read:accounts read:statuses")
    #expect(Self.query(url, "code_challenge_method") == "S256" && Self.query(url, "state")?.count == 32)
    #expect(bench.saved?.applications["a.example"]?.id == "c1")
    bench.tell(#"{"want":"finish_sign_in","id":"w2","sign_in":"s1","code":" c0de\n"}"#)
    let form = bench.fetches[0].request.form ?? ""
    #expect(FormFields.value("code", in: form) == "c0de" && FormFields.value("client_secret", in: form) == "s3cret")
    #expect(FormFields.value("code_verifier", in: form)?.count == 43)
    bench.answer("/oauth/token", 200, #"{"access_token":"t0k3n","token_type":"Bearer"}"#)
    #expect(bench.fetches[0].request.authorization == "Bearer t0k3n")
    bench.answer("/api/v1/accounts/verify_credentials", 200, #"{"id":"1","username":"ann"}"#)
    #expect(bench.lines.last == #"{"id":"w2","ok":true,"login":"ann@a.example"}"#)
    #expect(bench.saved?.tokens["ann@a.example"] == Secrets.Token(server: "https://a.example/", token: "t0k3n"))
    // What is told to the daemon and its log has no secret in it.
    for secret in ["t0k3n", "s3cret", "c0de"] {
      #expect(!(bench.lines + bench.log).contains { $0.contains(secret) }, "\(secret) is told")
    }
    bench.tell(#"{"tell":"login","login":"ann@a.example","account":"ann","cursors":{}}"#)
    #expect(bench.fetches[0].request.authorization == "Bearer t0k3n")
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

  @Test("a server that is known is not registered at again, unless it has forgotten") func registered() {
    var secrets = Secrets()
    secrets.applications["a.example"] = Secrets.Application(
      id: "c0", secret: "s", scopes: "read:accounts read:statuses")
    let (begun, url) = Self.begun(secrets)
    var bench = begun
    #expect(Self.query(url, "client_id") == "c0" && bench.saved == nil)
    bench.tell(#"{"want":"finish_sign_in","id":"w2","sign_in":"s1","code":"x"}"#)
    bench.answer("/oauth/token", 401, #"{"error":"invalid_client","error_description":"Client authentication failed"}"#)
    #expect(bench.saved?.applications.isEmpty == true && bench.lines.last?.contains("sign in again") == true)
  }

  static let failureCases: [(steps: [(path: String, status: Int, body: String)], words: String)] = [
    ([("/api/v2/instance", 503, "")], "the server answered 503"),
    ([("/api/v2/instance", 200, "<html>"), ("/api/v1/instance", 200, "<html>")], "not a server of Mastodon's kind"),
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

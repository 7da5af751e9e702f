internal import Dates
internal import HTTPSupport
internal import Ingest

/// Signing in at a server (OAuth 2.0, RFC 6749 with PKCE): finds the server out, registers this program there, sends a
/// person to its page, and exchanges the code that they bring back for a token.
struct SignIn {
  /// The next thing to do.
  enum Step {
    case ask(FetchRequest)
    /// Send the person to this address.
    case send(to: String)
    /// The login with this name has this token.
    case done(login: String, Secrets.Token)
    /// The server has forgotten this program, which has to be registered anew.
    case forgotten
    case failed(String)
  }

  private enum Phase: Equatable {
    case facts(version: Int)
    case metadata
    case registering
    case waitingForCode
    case exchanging
    case verifying(token: String)
  }

  /// Where a server shows the code instead of redirecting.
  static let outOfBand = "urn:ietf:wg:oauth:2.0:oob"
  /// The scopes that are asked for, as far as the server offers them; and all that older servers know.
  static let scopes = [
    "read:accounts", "read:statuses", "read:notifications", "read:lists", "read:filters", "read:bookmarks",
    "read:favourites", "read:follows", "read:search",
  ]
  static let broadScopes = "read"
  /// A person has this long to bring the code, in milliseconds.
  static let patience: Int64 = 10 * 60_000

  let server: MastodonServer
  /// This program as the server knows it; nil until it is registered.
  private(set) var application: Secrets.Application?
  /// The time after which nothing more is done.
  let expiry: Instant
  private let proof: ProofKey
  private let state: String
  private let parser: JSONParser
  private var phase = Phase.facts(version: 2)
  private var scopes = broadScopes
  private var authorizationEndpoint: WebURL?
  private var tokenEndpoint: WebURL?

  /// - Parameters:
  ///   - randomBytes: 48 bytes that nobody can guess.
  init(
    at server: MastodonServer, as application: Secrets.Application?, randomBytes: [UInt8], now: Instant,
    parser: JSONParser
  ) {
    (self.server, self.application, self.parser) = (server, application, parser)
    proof = ProofKey(randomBytes: Array(randomBytes.prefix(32)))
    state = String(randomBytes.dropFirst(32).flatMap { [$0 >> 4, $0 & 15] }.map { Character(String($0, radix: 16)) })
    expiry = now.adding(milliseconds: Self.patience)
  }

  /// The first request.
  var begin: FetchRequest { server.get("/api/v2/instance") }

  /// Takes the response to the last request.
  mutating func answered(_ result: Result<FetchResponse, FetchFailure>) -> Step {
    let answer = ServerAnswer(result, parser: parser)
    let response = try? result.get()
    switch phase {
    case .facts(let version):
      guard answer == .done, let response, response.parsed(by: parser, { ServerFacts($0) }) != nil else {
        return triedFacts(version, answer)
      }
      phase = .metadata
      return .ask(server.get("/.well-known/oauth-authorization-server"))
    case .metadata:
      if answer == .done, let response { read(metadata: response) }
      return register()
    case .registering:
      guard answer == .done, let response, let application = response.parsed(by: parser, { readApplication($0) }) else {
        return refused(answer, "the server did not register Stack")
      }
      self.application = application
      return authorize()
    case .waitingForCode: return .failed("no request is open")
    case .exchanging:
      if response?.parsed(by: parser, { $0["error"]?.string }) == "invalid_client" { return .forgotten }
      guard answer == .done, let token = response?.parsed(by: parser, { $0["access_token"]?.string }) else {
        return refused(answer, "the server gave no token")
      }
      phase = .verifying(token: token)
      var signedIn = server
      signedIn.token = token
      return .ask(signedIn.get("/api/v1/accounts/verify_credentials"))
    case .verifying(let token):
      guard answer == .done, let name = response?.parsed(by: parser, { $0["username"]?.string }),
        Self.isName(name)
      else { return refused(answer, "the server does not say who signed in") }
      return .done(login: "\(name)@\(server.host)", Secrets.Token(server: server.url.text, token: token))
    }
  }

  /// Takes what the person brings back: the code, or the address to which the server has sent them.
  mutating func finish(code text: String) -> Step {
    guard phase == .waitingForCode, let application else { return .failed("sign in again from the beginning") }
    let words = String(decoding: text.utf8.filter { $0 > 0x20 }, as: UTF8.self)
    var code = words
    if let url = WebURL(words) {
      guard let query = url.query, let found = FormFields.value("code", in: query) else {
        return .failed("there is no code in this address")
      }
      guard Self.isEqual(FormFields.value("state", in: query) ?? "", state) else {
        return .failed("this address is of another attempt to sign in")
      }
      code = found
    }
    guard !code.isEmpty else { return .failed("the code is empty") }
    phase = .exchanging
    var request = server.post(
      "/oauth/token",
      [
        ("grant_type", "authorization_code"), ("code", code), ("client_id", application.id),
        ("client_secret", application.secret), ("redirect_uri", Self.outOfBand), ("code_verifier", proof.verifier),
        ("scope", application.scopes),
      ])
    if let tokenEndpoint { request.url = tokenEndpoint }
    return .ask(request)
  }

  // MARK: - Steps

  private mutating func triedFacts(_ version: Int, _ answer: ServerAnswer) -> Step {
    guard version == 2 else {
      if case .later(let reason) = answer { return .failed(reason) }
      return .failed("\(server.host) is not a server of Mastodon's kind")
    }
    if case .later(let reason) = answer { return .failed(reason) }
    phase = .facts(version: 1)
    return .ask(server.get("/api/v1/instance"))
  }

  /// Reads the server's endpoints and scopes (RFC 8414). Endpoints elsewhere are not used: the token is this server's.
  private mutating func read(metadata response: FetchResponse) {
    let origin = server.url.origin
    let found = response.parsed(by: parser) { value -> (WebURL?, WebURL?, [String])? in
      (
        value["authorization_endpoint"]?.string.flatMap { WebURL($0) },
        value["token_endpoint"]?.string.flatMap { WebURL($0) },
        (value["scopes_supported"]?.elements ?? JSONValue.Elements.none).compactMap { $0.string }
      )
    }
    guard let (authorization, token, supported) = found else { return }
    authorizationEndpoint = authorization.flatMap { $0.origin == origin ? $0 : nil }
    tokenEndpoint = token.flatMap { $0.origin == origin ? $0 : nil }
    let offered = Self.scopes.filter { supported.contains($0) }
    if !offered.isEmpty { scopes = offered.joined(separator: " ") }
  }

  private mutating func register() -> Step {
    if let application, application.scopes == scopes { return authorize() }
    phase = .registering
    return .ask(
      server.post(
        "/api/v1/apps",
        [("client_name", "Stack"), ("redirect_uris", Self.outOfBand), ("scopes", scopes)]))
  }

  private func readApplication(_ value: JSONValue) -> Secrets.Application? {
    guard let id = value["client_id"]?.string, let secret = value["client_secret"]?.string else { return nil }
    return Secrets.Application(id: id, secret: secret, scopes: scopes)
  }

  private mutating func authorize() -> Step {
    guard let application, let base = authorizationEndpoint ?? server.url.resolving(Array("/oauth/authorize".utf8))
    else {
      return .failed("the server's address is too long")
    }
    phase = .waitingForCode
    let query = FormFields.encode([
      ("response_type", "code"), ("client_id", application.id), ("redirect_uri", Self.outOfBand),
      ("scope", application.scopes), ("state", state), ("code_challenge", proof.challenge),
      ("code_challenge_method", "S256"),
    ])
    return .send(to: "\(base.text)\(base.query == nil ? "?" : "&")\(query)")
  }

  private func refused(_ answer: ServerAnswer, _ otherwise: String) -> Step {
    switch answer {
    case .refused(let words), .signedOut(let words): .failed("the server says: \(words)")
    case .later(let reason): .failed(reason)
    case .limited: .failed("too many requests; try again later")
    case .done, .building, .absent: .failed(otherwise)
    }
  }

  /// A name of an account there; it becomes part of the login's name.
  private static func isName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || "_.-".utf8.contains($0) }
  }

  /// Compares in constant time.
  private static func isEqual(_ left: String, _ right: String) -> Bool {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

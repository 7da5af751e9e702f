internal import ConnectorSupport
internal import Dates
internal import HTTPSupport
internal import Ingest
internal import Posts

/// Signing in at a server (OAuth 2.0, RFC 6749 with PKCE, RFC 7636): finds the server, registers this program there,
/// sends a person to its page, and exchanges the code that they bring back for a token.
struct SignIn {
  /// What a person asks for.
  struct Wish {
    var address: ServerAddress
    /// The port at 127.0.0.1 to which the server is to send their browser (RFC 8252, section 7.3); nil if it is to show
    /// the code.
    var port: Int?
    /// True if the login is only to read.
    var isReadOnly = false
    /// The command that prints a token; empty if the server is to give one.
    var command = ""
  }

  /// The next thing to do.
  enum Step {
    case ask(FetchRequest)
    /// Send the person to this address; nowhere if it is empty.
    case send(to: String)
    /// Run this command, which prints a token.
    case run(String)
    /// The login with this name has this token; it is this author.
    case done(login: String, Secrets.Token, ImportedAuthor)
    case failed(String)
  }

  private enum Phase {
    case searching
    case metadata
    /// Registers, to have the browser sent to an address or, if that is empty, the code shown.
    case registering(redirect: String)
    case waitingForCode
    /// There will be no code: a command has the token.
    case waitingForNothing
    case running
    case exchanging
    case verifying(token: String)
    /// Looks for the author of the person's own posts.
    case identifying(login: String, Secrets.Token, ImportedAuthor)
  }

  /// This program as the server knows it, for this attempt. Servers forget applications that nobody has signed in with,
  /// and compare whole redirect addresses, so one is registered each time.
  private struct Application {
    var id: String
    var secret: String
    /// The address to which the server sends the browser, or ``outOfBand``.
    var redirect: String
  }

  /// Where a server shows the code instead of redirecting.
  static let outOfBand = "urn:ietf:wg:oauth:2.0:oob"
  /// The scopes that are asked for, as far as the server offers them. Of older servers, which list none, `read` and
  /// `write` are.
  static let readingScopes = [
    "read:accounts", "read:statuses", "read:notifications", "read:lists", "read:filters", "read:bookmarks",
    "read:favourites", "read:follows", "read:search",
  ]
  static let writingScopes = [
    "write:statuses", "write:media", "write:favourites", "write:bookmarks", "write:conversations",
  ]
  /// A person has this long to bring the code, in milliseconds.
  static let patience: Int64 = 10 * 60_000

  /// The server; that of the address as it was given until the server is found.
  private(set) var server: MastodonServer
  private var application: Application?
  /// The time after which nothing more is done.
  let expiry: Instant
  private let redirect: String
  private let isReadOnly: Bool
  private let command: String
  /// The addresses of servers at which there is a login.
  private let knownServers: Set<String>
  private let proof: ProofKey
  private let state: String
  private let parser: JSONParser
  private var search: ServerSearch
  private var phase = Phase.searching
  private var scopes: String
  private var authorizationEndpoint: WebURL?
  private var tokenEndpoint: WebURL?

  /// - Parameters:
  ///   - knownServers: the addresses of servers at which there is a login.
  ///   - randomBytes: 48 bytes that nobody can guess.
  init(
    _ wish: Wish, knownServers: Set<String>, randomBytes: [UInt8], now: Instant, parser: JSONParser
  ) {
    (self.knownServers, self.parser) = (knownServers, parser)
    server = MastodonServer(url: wish.address.url)
    search = ServerSearch(wish.address, parser: parser)
    isReadOnly = wish.isReadOnly
    command = wish.command
    scopes = wish.isReadOnly ? "read" : "read write"
    redirect = wish.port.map { "http://127.0.0.1:\($0)/" } ?? ""
    proof = ProofKey(randomBytes: Array(randomBytes.prefix(32)))
    state = String(randomBytes.dropFirst(32).flatMap { [$0 >> 4, $0 & 15] }.map { Character(String($0, radix: 16)) })
    expiry = now.adding(milliseconds: Self.patience)
  }

  /// The first request.
  var begin: FetchRequest { search.begin }

  /// Takes the response to the last request.
  mutating func answered(_ result: Result<FetchResponse, FetchFailure>) -> Step {
    let answer = ServerAnswer(result, parser: parser)
    let response = try? result.get()
    switch phase {
    case .searching: return searched(result)
    case .metadata:
      if answer == .done, let response { read(metadata: response) }
      return register(redirect: redirect)
    case .registering(let redirect): return registered(response, answer, redirect)
    case .waitingForCode, .waitingForNothing, .running: return .failed("no request is open")
    case .exchanging:
      guard answer == .done, let token = response?.parsed(by: parser, { $0["access_token"]?.string }),
        Secrets.Token.isUsable(token)
      else {
        return refused(answer, "the server gave no token")
      }
      return verify(token)
    case .verifying(let token): return verified(response, answer, token: token)
    case .identifying(let login, let token, let author):
      let own = response?.parsed(by: parser) { value -> ImportedAuthor? in
        for status in value.elements { return MastodonStatus.post(status, source: "", host: "")?.author }
        return nil
      }
      return .done(login: login, token, own ?? author)
    }
  }

  /// Takes what the command has printed.
  mutating func printed(_ result: Result<[UInt8], CommandFailure>) -> Step {
    guard case .running = phase else { return .failed("no command is running") }
    switch Secrets.Token.printed(result, by: command) {
    case .success(let token): return verify(token)
    case .failure(let failure): return .failed(failure.reason)
    }
  }

  private mutating func verify(_ token: String) -> Step {
    phase = .verifying(token: token)
    var signedIn = server
    signedIn.token = token
    return .ask(signedIn.get("/api/v1/accounts/verify_credentials"))
  }

  /// Takes what the person brings back: the code, or the address to which the server has sent them.
  mutating func finish(code text: String) -> Step {
    if case .waitingForNothing = phase {
      phase = .running
      return .run(command)
    }
    guard case .waitingForCode = phase, let application else { return .failed("sign in again from the beginning") }
    let words = String(decoding: text.utf8.filter { $0 > 0x20 }, as: UTF8.self)
    var code = words
    if let url = WebURL(words) {
      let query = url.query ?? ""
      guard Self.isEqual(FormFields.value("state", in: query) ?? "", state) else {
        return .failed("this address is of another attempt to sign in")
      }
      guard let found = FormFields.value("code", in: query) else {
        let words = FormFields.value("error_description", in: query) ?? FormFields.value("error", in: query)
        return .failed(words.map { "the server says: \($0.shortened)" } ?? "there is no code in this address")
      }
      code = found
    }
    guard !code.isEmpty else { return .failed("the code is empty") }
    phase = .exchanging
    var request = server.post(
      "/oauth/token",
      [
        ("grant_type", "authorization_code"), ("code", code), ("client_id", application.id),
        ("client_secret", application.secret), ("redirect_uri", application.redirect),
        ("code_verifier", proof.verifier), ("scope", scopes),
      ])
    if let tokenEndpoint { request.url = tokenEndpoint }
    return .ask(request)
  }

  // MARK: - Steps

  private mutating func searched(_ result: Result<FetchResponse, FetchFailure>) -> Step {
    switch search.answered(result) {
    case .ask(let request): return .ask(request)
    case .failed(let reason): return .failed(reason)
    case .found(let server):
      self.server = server
      guard command.isEmpty else {
        phase = .waitingForNothing
        return .send(to: "")
      }
      phase = .metadata
      return .ask(server.get("/.well-known/oauth-authorization-server"))
    }
  }

  /// Reads the server's endpoints and scopes (RFC 8414). Endpoints elsewhere are not used: the token is this server's.
  private mutating func read(metadata response: FetchResponse) {
    let origin = server.url.origin
    let found = response.parsed(by: parser) { value -> (WebURL?, WebURL?, [String])? in
      (
        value["authorization_endpoint"]?.string.flatMap { WebURL($0) },
        value["token_endpoint"]?.string.flatMap { WebURL($0) },
        value.strings("scopes_supported")
      )
    }
    guard let (authorization, token, supported) = found else { return }
    authorizationEndpoint = authorization.flatMap { $0.origin == origin ? $0 : nil }
    tokenEndpoint = token.flatMap { $0.origin == origin ? $0 : nil }
    let wanted = isReadOnly ? Self.readingScopes : Self.readingScopes + Self.writingScopes
    let offered = wanted.filter { supported.contains($0) }
    if !offered.isEmpty { scopes = offered.joined(separator: " ") }
  }

  private mutating func register(redirect: String) -> Step {
    phase = .registering(redirect: redirect)
    let redirects = redirect.isEmpty ? Self.outOfBand : "\(Self.outOfBand)\n\(redirect)"
    return .ask(
      server.post("/api/v1/apps", [("client_name", "Stack"), ("redirect_uris", redirects), ("scopes", scopes)]))
  }

  private mutating func registered(_ response: FetchResponse?, _ answer: ServerAnswer, _ redirect: String) -> Step {
    // A server may refuse several addresses, or one of this machine.
    if case .refused = answer, !redirect.isEmpty { return register(redirect: "") }
    let read = response?.parsed(by: parser) { value -> Application? in
      guard let id = value["client_id"]?.string, let secret = value["client_secret"]?.string else { return nil }
      return Application(id: id, secret: secret, redirect: redirect.isEmpty ? Self.outOfBand : redirect)
    }
    guard answer == .done, let read else { return refused(answer, "the server did not register Stack") }
    application = read
    return authorize(read)
  }

  private mutating func authorize(_ application: Application) -> Step {
    guard let base = authorizationEndpoint ?? server.url.resolving(Array("/oauth/authorize".utf8)) else {
      return .failed("the server's address is too long")
    }
    phase = .waitingForCode
    var fields = [
      ("response_type", "code"), ("client_id", application.id), ("redirect_uri", application.redirect),
      ("scope", scopes), ("state", state), ("code_challenge", proof.challenge), ("code_challenge_method", "S256"),
    ]
    // Who has a login there may want another one, but the browser may be signed in for the first.
    if knownServers.contains(server.url.text) { fields.append(("force_login", "true")) }
    return .send(to: "\(base.text)\(base.query == nil ? "?" : "&")\(FormFields.encode(fields))")
  }

  private mutating func verified(_ response: FetchResponse?, _ answer: ServerAnswer, token: String) -> Step {
    let read = response?.parsed(by: parser) {
      value -> (name: String, id: String, author: ImportedAuthor, hasURI: Bool)? in
      guard let name = value["username"]?.string, let author = MastodonStatus.author(value) else { return nil }
      return (name, TimelineStatus.identifier(value) ?? "", author, MastodonStatus.hasAddress(value))
    }
    guard answer == .done, let read, Self.isName(read.name) else {
      return refused(answer, "the server does not say who signed in")
    }
    let login = "\(read.name)@\(server.host)"
    let secret = Secrets.Token(
      server: server.url.text, token: token, id: application?.id ?? "", secret: application?.secret ?? "",
      command: command)
    guard !read.hasURI, !read.id.isEmpty else { return .done(login: login, secret, read.author) }
    // Older servers name a person only in their posts by the address that others know.
    phase = .identifying(login: login, secret, read.author)
    var signedIn = server
    signedIn.token = token
    let query = [(name: "limit", value: "1"), (name: "exclude_reblogs", value: "true")]
    return .ask(signedIn.get("/api/v1/accounts/\(read.id)/statuses", query))
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

internal import ConnectorSupport
internal import Dates
internal import HTTPSupport
internal import Ingest

/// Signs people in and out, and keeps the tokens of their logins.
///
/// A new token stands beside the one that the login may have until the daemon has told the login: it may belong to
/// another account. Tokens that are not used any more are revoked (RFC 7009).
struct SignInDesk {
  /// What a request is for.
  enum Question: Equatable {
    /// The next step of an attempt to sign in, which a person wants.
    case step(number: String, want: String)
    /// To revoke the token of a login, which a person wants.
    case signOut(login: String, want: String)
    /// To revoke a token of a login that is not used any more.
    case revocation(login: String)
  }

  /// What a command prints a token for.
  enum Command: Equatable {
    /// The next step of an attempt to sign in, which a person wants.
    case step(number: String, want: String)
    /// A login that the daemon has told, and the command that it has.
    case login(String, command: String)
  }

  enum Effect {
    /// Runs a command, which prints a token.
    case run(Command, String)
    /// Ends a command that runs; ``SignInDesk/ran(_:_:)`` is not called.
    case stop(Command)
    case ask(Question, FetchRequest)
    /// Writes a line to the daemon.
    case write([UInt8])
    /// Keeps the secrets, before anything else is done.
    case save(Secrets)
    case log(String)
  }

  private struct Attempt {
    var number: String
    /// The name of the account that wants it.
    var account: String
    /// What the daemon is to be answered next; nil while the person is at the server's page.
    var want: String?
    var signIn: SignIn
  }

  /// The most attempts at a time, and those of an account; of more its oldest is forgotten.
  static let limit = 64
  static let accountLimit = 4
  /// The most commands that run at a time: each may ask for a passphrase.
  static let commandLimit = 4

  private let parser: JSONParser
  private(set) var secrets: Secrets
  /// The commands that are to print the tokens of logins, and why those of others have printed none.
  private var awaited: [String: String] = [:]
  private(set) var commandFailures: [String: String] = [:]
  /// The commands that run, and those that wait for their turn.
  private var running: [Command] = []
  private var queue: [(command: Command, text: String)] = []
  private var attempts: [Attempt] = []
  private var lastNumber = 0
  private var effects: [Effect] = []

  init(secrets: Secrets, parser: JSONParser) { (self.secrets, self.parser) = (secrets, parser) }

  /// Returns the effects since the last call.
  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  /// The time at which ``expire(at:)`` has something to do; nil for none.
  var deadline: Instant? { attempts.map(\.signIn.expiry).min() }

  /// Forgets attempts that took too long.
  mutating func expire(at now: Instant) { attempts.removeAll { $0.signIn.expiry <= now } }

  // MARK: - Signing in

  /// Begins an attempt.
  ///
  /// - Parameters:
  ///   - want: what the daemon is to be answered.
  ///   - account: the name of the account that wants it.
  ///   - generator: numbers that nobody can guess.
  mutating func begin(
    _ wish: SignIn.Wish, for want: String, of account: String, at now: Instant,
    using generator: inout some RandomNumberGenerator
  ) {
    if attempts.count(where: { $0.account == account }) >= Self.accountLimit,
      let oldest = attempts.firstIndex(where: { $0.account == account })
    {
      removeAttempt(at: oldest)
    }
    guard attempts.count < Self.limit else {
      return refuse(want, "too many people are signing in; try again later")
    }
    let bytes = (0..<48).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let servers = Set(secrets.tokens.values.map(\.server))
    let signIn = SignIn(wish, knownServers: servers, randomBytes: bytes, now: now, parser: parser)
    lastNumber += 1
    attempts.append(Attempt(number: "s\(lastNumber)", account: account, want: want, signIn: signIn))
    effects.append(.ask(.step(number: "s\(lastNumber)", want: want), signIn.begin))
  }

  /// Goes on with what a person brings back from the server's page.
  mutating func finish(_ number: String, code: String, for want: String) {
    guard let index = attempts.firstIndex(where: { $0.number == number }) else { return refuse(want, Self.isLate) }
    attempts[index].want = want
    carryOut(attempts[index].signIn.finish(code: code), at: index, for: want)
  }

  /// Drops an attempt whose want is no longer wanted. Returns false if it is not about one.
  mutating func drop(_ want: String) -> Bool {
    guard let index = attempts.firstIndex(where: { $0.want == want }) else { return false }
    removeAttempt(at: index)
    return true
  }

  private mutating func removeAttempt(at index: Int) {
    let attempt = attempts.remove(at: index)
    if let want = attempt.want { stop(.step(number: attempt.number, want: want)) }
  }

  private static let isLate = "it took too long; sign in again from the beginning"

  private mutating func refuse(_ want: String, _ reason: String) {
    effects.append(.write(ConnectorLine.answer(want, refusal: reason)))
  }

  private mutating func carryOut(_ step: SignIn.Step, at index: Int, for want: String) {
    switch step {
    case .ask(let request): effects.append(.ask(.step(number: attempts[index].number, want: want), request))
    case .send(let url):
      attempts[index].want = nil
      effects.append(.write(MastodonLine.answer(want, signIn: attempts[index].number, url: url)))
    case .run(let command):
      // In front of those of logins: a person waits.
      queue.insert((.step(number: attempts[index].number, want: want), command), at: 0)
      runNext()
    case .done(let login, let token, let author):
      attempts.remove(at: index)
      let former = secrets.unconfirmed.updateValue(token, forKey: login)
      effects.append(.save(secrets))
      if let former { revoke(former, of: login) }
      effects.append(.write(MastodonLine.answer(want, login: login, author: author)))
    case .failed(let reason):
      attempts.remove(at: index)
      refuse(want, reason)
    }
  }

  // MARK: - Tokens

  /// The daemon has told a login: a new token of it counts, and the former one is revoked. After a restart, when both
  /// are there, nobody knows whether the daemon has stored the new one; then the former stays.
  mutating func confirm(_ login: String, isStarting: Bool) {
    defer { updateCommand(of: login) }
    guard let token = secrets.unconfirmed.removeValue(forKey: login) else { return }
    let former = secrets.tokens[login]
    let isKept = former == nil || !isStarting
    if isKept { secrets.tokens[login] = token }
    effects.append(.save(secrets))
    if let unused = isKept ? former : token { revoke(unused, of: login) }
  }

  /// True while the command of a login is to print its token.
  func isWaiting(for login: String) -> Bool { awaited[login] != nil }

  /// Runs the command of a login that has no token yet, and ends the one that it had before.
  private mutating func updateCommand(of login: String) {
    let command = secrets.tokens[login].flatMap { $0.usable == nil ? $0.command : nil }
    guard awaited[login] != command else { return }
    if let former = awaited.removeValue(forKey: login) { stop(.login(login, command: former)) }
    guard let command else { return }
    awaited[login] = command
    commandFailures[login] = nil
    queue.append((.login(login, command: command), command))
    runNext()
  }

  private mutating func runNext() {
    guard running.count < Self.commandLimit, !queue.isEmpty else { return }
    let next = queue.removeFirst()
    running.append(next.command)
    effects.append(.run(next.command, next.text))
  }

  private mutating func stop(_ command: Command) {
    queue.removeAll { $0.command == command }
    guard running.contains(command) else { return }
    running.removeAll { $0 == command }
    effects.append(.stop(command))
    runNext()
  }

  /// Takes what a command has printed. Returns the login whose token it is, if it is not for an attempt to sign in.
  mutating func ran(_ command: Command, _ result: Result<[UInt8], CommandFailure>) -> String? {
    running.removeAll { $0 == command }
    defer { runNext() }
    switch command {
    case .step(let number, let want):
      guard let index = attempts.firstIndex(where: { $0.number == number }) else {
        refuse(want, Self.isLate)
        return nil
      }
      carryOut(attempts[index].signIn.printed(result), at: index, for: want)
      return nil
    case .login(let login, let command):
      awaited[login] = nil
      switch Secrets.Token.printed(result, by: command) {
      case .success(let token): secrets.tokens[login]?.token = token
      case .failure(let failure): commandFailures[login] = failure.reason
      }
      return login
    }
  }

  /// The daemon has told all logins at the start: it has not stored those of which there is a new token still.
  mutating func dropUnconfirmed() {
    let unused = secrets.unconfirmed
    guard !unused.isEmpty else { return }
    secrets.unconfirmed = [:]
    effects.append(.save(secrets))
    for (login, token) in unused.sorted(by: { $0.key < $1.key }) { revoke(token, of: login) }
  }

  /// Removes a token at once, and has it revoked: the new one if the daemon has not stored the login. Returns true if
  /// the login has none any more.
  mutating func signOut(_ login: String, for want: String) -> Bool {
    let isNew = secrets.unconfirmed[login] != nil
    guard let token = secrets.unconfirmed.removeValue(forKey: login) ?? secrets.tokens.removeValue(forKey: login)
    else {
      effects.append(.write(ConnectorLine.answer(want)))
      return false
    }
    updateCommand(of: login)
    effects.append(.save(secrets))
    if let request = Self.revocation(of: token) {
      effects.append(.ask(.signOut(login: login, want: want), request))
    } else {
      effects.append(.write(MastodonLine.answer(want, isConfirmed: false)))
    }
    return !isNew
  }

  /// The daemon speaks for a login no longer: its tokens are removed, and revoked.
  mutating func forget(_ login: String) {
    let unused = [secrets.tokens.removeValue(forKey: login), secrets.unconfirmed.removeValue(forKey: login)]
      .compactMap(\.self)
    guard !unused.isEmpty else { return }
    updateCommand(of: login)
    effects.append(.save(secrets))
    for token in unused { revoke(token, of: login) }
  }

  private mutating func revoke(_ token: Secrets.Token, of login: String) {
    if let request = Self.revocation(of: token) { effects.append(.ask(.revocation(login: login), request)) }
  }

  /// The request that revokes a token; nil for one that a command prints, which is the person's own.
  private static func revocation(of token: Secrets.Token) -> FetchRequest? {
    guard token.command.isEmpty else { return nil }
    let form = [("client_id", token.id), ("client_secret", token.secret), ("token", token.token)]
    return WebURL(token.server).map { MastodonServer(url: $0).post("/oauth/revoke", form) }
  }

  // MARK: - Answers

  /// Takes the response to a request.
  mutating func answered(_ question: Question, _ result: Result<FetchResponse, FetchFailure>) {
    switch question {
    case .step(let number, let want):
      guard let index = attempts.firstIndex(where: { $0.number == number }) else { return refuse(want, Self.isLate) }
      carryOut(attempts[index].signIn.answered(result), at: index, for: want)
    case .signOut(let login, let want):
      effects.append(.write(MastodonLine.answer(want, isConfirmed: isRevoked(login, result))))
    case .revocation(let login): _ = isRevoked(login, result)
    }
  }

  private mutating func isRevoked(_ login: String, _ result: Result<FetchResponse, FetchFailure>) -> Bool {
    guard ServerAnswer(result, parser: parser) != .done else { return true }
    effects.append(.log("\(login): the server did not confirm that a token is revoked"))
    return false
  }
}

internal import Engine
internal import HTTPSupport
internal import Messages
internal import Posts
internal import Store

/// Signing in and out. Codes go to the program of the source, and are neither stored nor logged.
extension SourceService {
  /// Maximum length of an address, a code, and the number of an attempt to sign in, in bytes.
  private static let textBytes = 2_000
  /// Maximum length of a command that prints a token, in bytes.
  private static let commandBytes = 1_000

  /// Asks the program of a source for the page on which a person signs in.
  func beginSignIn(
    _ request: BeginSignInRequest, _ caller: Caller,
    _ answer: @escaping (Result<BeginSignInResponse, EngineError>) -> Void
  ) {
    let port = Int(request.redirectPort)
    let command = request.secretCommand
    let want = UpstreamWant.signIn(
      server: request.server, account: caller.account.name, redirectPort: port, isReadOnly: request.isReadOnly,
      secretCommand: command)
    sign(want, at: request.source, of: caller.account.id, answer) { () throws(EngineError) in
      guard port <= UInt16.max else { throw EngineError(.invalidArgument, "no such port", field: "redirect_port") }
      try Self.check(request.server, "server")
      try Self.checkCommand(command, caller)
      guard command.isEmpty || !request.isReadOnly else {
        throw EngineError(
          .invalidArgument, "what may be done with a token of your own is chosen at the server", field: "read_only")
      }
      try Self.checkServer(request.server, caller)
    } _: { [weak self] signIn in
      guard let self, !signIn.number.isEmpty, signIn.url.isEmpty != command.isEmpty else {
        return answer(.failure(.incompleteAnswer))
      }
      attempts.begin(
        signIn.number, at: request.source, by: caller.account.id, keepsBookmarks: request.keepsBookmarks,
        now: driver.loop.monotonicClock)
      var response = BeginSignInResponse()
      (response.signIn, response.url) = (signIn.number, signIn.url.string)
      answer(.success(response))
    }
  }

  /// Passes a code on to the program of a source, and stores the login that it has signed in. Only the account that has
  /// begun may do that.
  func finishSignIn(
    _ request: FinishSignInRequest, _ account: AccountID,
    _ answer: @escaping (Result<FinishSignInResponse, EngineError>) -> Void
  ) {
    sign(.finishSignIn(number: request.signIn, code: request.code), at: request.source, of: account, answer) {
      () throws(EngineError) in
      try Self.check(request.signIn, "sign_in")
      try Self.check(request.code, "code", atLeast: 0)
      guard attempts.isOpen(request.signIn, at: request.source, by: account, now: driver.loop.monotonicClock) else {
        throw EngineError(.notFound, "this sign-in is unknown or has expired; start again", field: "sign_in")
      }
    } _: { [weak self] signIn in
      let keepsBookmarks = self?.attempts.keepsBookmarks(request.signIn, at: request.source) ?? false
      self?.attempts.end(request.signIn, at: request.source)
      guard !signIn.login.isEmpty else { return answer(.failure(.incompleteAnswer)) }
      let login = AccountLogin(
        source: request.source, name: signIn.login, account: account, identity: signIn.identity,
        keepsBookmarks: keepsBookmarks)
      self?.driver.write(.openLogin(login)) { result in
        switch result {
        case .success((.loginOpened(let notice, _), _)):
          self?.runner(request.source)?.tell([notice])
          var response = FinishSignInResponse()
          response.login = signIn.login
          answer(.success(response))
        case .success: answer(.failure(.unexpected))
        case .failure(let error):
          // Nobody here is to have a token for it.
          try? self?.runner(request.source)?.sign(.signOut(login: signIn.login), of: account) { _ in }
          answer(.failure(error))
        }
      }
    }
  }

  /// Signs a login of an account out, also if its program is missing or does not answer: it is told when it starts. The
  /// login's posts stay.
  func signOut(
    _ request: SignOutRequest, _ account: AccountID,
    _ answer: @escaping (Result<SignOutResponse, EngineError>) -> Void
  ) {
    let login = AccountLogin(source: request.source, name: request.login, account: account)
    driver.ask { store throws(EngineError) in
      let logins = try StoreLookup.attempt { () throws(StoreError) in try store.logins() }
      guard logins.contains(where: { $0.source == login.source && $0.name == login.name && $0.account == account })
      else { throw EngineError(Refusal.unknownSubject(.login(login.name))) }
    } _: { [weak self] (result: Result<Void, EngineError>) in
      if case .failure(let error) = result { return answer(.failure(error)) }
      self?.signOut(login) { result in
        switch result {
        case .success(let signIn): self?.close(login, forgets: request.forgets, signIn, answer)
        case .failure(let error) where error.code == .unavailable:
          self?.close(login, forgets: request.forgets, nil, answer)
        case .failure(let error): answer(.failure(error))
        }
      }
    }
  }

  /// Asks the program of a login to sign it out. UNAVAILABLE means that it does not run or does not answer.
  private func signOut(_ login: AccountLogin, _ completion: @escaping (Result<UpstreamReply, EngineError>) -> Void) {
    do throws(EngineError) {
      guard let runner = startedRunner(login.source) else { throw EngineError(.unavailable, "there is no program") }
      try runner.sign(.signOut(login: login.name), of: login.account, completion)
    } catch {
      completion(.failure(error))
    }
  }

  /// Closes a login; without `signIn`, what its program has answered, the program does not know yet.
  private func close(
    _ login: AccountLogin, forgets: Bool, _ signIn: UpstreamReply?,
    _ answer: @escaping (Result<SignOutResponse, EngineError>) -> Void
  ) {
    driver.write(.closeLogin(login, forgets: forgets, isKnown: signIn != nil)) { [weak self] result in
      switch result {
      case .success((.programTold(let notices), _)):
        self?.tellProgram(login.source, notices)
        var response = SignOutResponse()
        response.isUnconfirmed = signIn?.isUnconfirmed ?? true
        answer(.success(response))
      case .success: answer(.failure(.unexpected))
      case .failure(let error): answer(.failure(error))
      }
    }
  }

  /// Asks the program of a source, which is started if need be.
  private func sign<Response>(
    _ want: UpstreamWant, at source: String, of account: AccountID,
    _ answer: @escaping (Result<Response, EngineError>) -> Void,
    checking check: () throws(EngineError) -> Void, _ done: @escaping (UpstreamReply) -> Void
  ) {
    do throws(EngineError) {
      try check()
      guard let runner = startedRunner(source) else {
        throw EngineError(
          .failedPrecondition,
          "\(source.shortened) has no program to sign in with: it is not beside stack-daemon; install it, or name one "
            + "with --upstream \(source.shortened)=COMMAND")
      }
      try runner.sign(want, of: account) { result in
        switch result {
        case .success(let signIn): done(signIn)
        case .failure(let error): answer(.failure(error))
        }
      }
    } catch {
      answer(.failure(error))
    }
  }

  private static func check(_ text: String, _ field: String, atLeast: Int = 1) throws(EngineError) {
    guard (atLeast...textBytes).contains(text.utf8.count) else {
      throw EngineError(
        .invalidArgument, "it must have \(atLeast) to \(textBytes) bytes", field: field, limit: textBytes)
    }
  }

  /// Whoever may have a command run may do all that the user who runs the daemon may.
  private static func checkCommand(_ command: String, _ caller: Caller) throws(EngineError) {
    guard command.utf8.count <= commandBytes else {
      throw EngineError(
        .invalidArgument, "it must have at most \(commandBytes) bytes", field: "secret_command", limit: commandBytes)
    }
    guard command.isEmpty || caller.scopes.contains(.admin) else {
      throw EngineError(.permissionDenied, "only an administrator may have a command run")
    }
  }

  /// Servers of this machine and its network are for administrators alone.
  private static func checkServer(_ text: String, _ caller: Caller) throws(EngineError) {
    let address = WebURL(text) ?? WebURL("https://\(text.split(separator: "@").last ?? "")/")
    guard let host = address?.host else {
      throw EngineError(
        .invalidArgument, "\(text.shortened) is not a server; write it as in ann@social.example", field: "server")
    }
    guard !FeedAddress.isLocal(host) || caller.scopes.contains(.admin) else {
      throw EngineError(
        .permissionDenied, "\(host.shortened) has no domain name; only an administrator may sign in there")
    }
  }
}

extension EngineError {
  /// The answer of a source's program lacks a field that signing in needs.
  fileprivate static let incompleteAnswer = EngineError(
    .unavailable, "the source's program sent an incomplete answer; try again, or update the program")
}

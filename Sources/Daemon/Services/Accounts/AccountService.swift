internal import Codecs
internal import Dates
internal import Engine
internal import Messages
internal import Posts
internal import RPC
internal import Store
internal import ViewState

/// `stack.v1.AccountService`: accounts of the daemon and their tokens.
final class AccountService: Service {
  static let name = "stack.v1.AccountService"
  /// Random bytes in a token.
  private static let tokenBytes = 32
  /// The prefix of every token, by which scanners can find a leaked one.
  private static let tokenPrefix = "stk_"

  let driver: EngineDriver
  let accounts: AccountDirectory
  private let authenticator: Authenticator
  private let system: any SystemFacts
  /// Ends the streams that a token opened.
  var endStreams: (_ token: UInt64, Status) -> Void = { _, _ in }

  init(driver: EngineDriver, accounts: AccountDirectory, authenticator: Authenticator, system: any SystemFacts) {
    self.driver = driver
    self.accounts = accounts
    self.authenticator = authenticator
    self.system = system
  }

  var methods: [String: ServiceMethod] { accountMethods.merging(peopleMethods) { one, _ in one } }

  private var accountMethods: [String: ServiceMethod] {
    [
      Method.whoAmI: .command(EmptyMessage.self, .signedIn) { _, caller, answer in
        answer(.success(WhoAmIResponse(caller)))
      },
      Method.listAccounts: .command(PageRequest.self, .admin, responseBytes: ServiceMethod.longResponseBytes) {
        [unowned self] request, _, answer in
        attempt(answer) { () throws(EngineError) in
          var response = ListAccountsResponse()
          (response.accounts, response.nextPageToken) = try Pager.page(
            request, of: accounts.all, for: Method.listAccounts
          ) {
            PageKey(text: $0.name)
          } _: {
            AccountSummary($0)
          }
          answer(.success(response))
        }
      },
      Method.createAccount: .command(CreateAccountRequest.self, .admin) { [unowned self] request, _, answer in
        make(request, answer)
      },
      Method.setPostLimit: .command(SetPostLimitRequest.self, .signedIn) {
        [unowned self] request, caller, answer in
        attempt(answer) { () throws(EngineError) in try setPostLimit(request, caller, answer) }
      },
      Method.setFollowPolicy: .command(FollowPolicyMessage.self, .admin) { [unowned self] request, _, answer in
        setFollows(request.policy, answer)
      },
      Method.issueToken: .command(IssueTokenRequest.self, .signedIn) {
        [unowned self] request, caller, answer in
        attempt(answer) { () throws(EngineError) in try issue(request, caller, answer) }
      },
      Method.listTokens: .queued(ListTokensRequest.self, .signedIn) {
        [unowned self] request, caller, requester, answer in
        attempt(answer) { () throws(EngineError) in try list(request, caller, requester, answer) }
      },
      Method.revokeToken: .command(RevokeTokenRequest.self, .signedIn) {
        [unowned self] request, caller, answer in
        attempt(answer) { () throws(EngineError) in try revoke(request, caller, answer) }
      },
    ]
  }

  private func attempt<Response>(
    _ answer: (Result<Response, EngineError>) -> Void, _ body: () throws(EngineError) -> Void
  ) {
    do throws(EngineError) {
      try body()
    } catch {
      answer(.failure(error))
    }
  }

  // MARK: Accounts

  private func make(
    _ request: CreateAccountRequest, _ answer: @escaping (Result<CreateAccountResponse, EngineError>) -> Void
  ) {
    change(.makeAccount(name: request.name), about: "name", answer)
  }

  private func setPostLimit(
    _ request: SetPostLimitRequest, _ caller: Caller,
    _ answer: @escaping (Result<CreateAccountResponse, EngineError>) -> Void
  ) throws(EngineError) {
    let account = try account(request.account, for: caller)
    change(
      .setPostLimit(account.id, request.postLimit == 0 ? nil : Int(request.postLimit)), about: "post_limit", answer)
  }

  private func setFollows(
    _ policy: FollowPolicy, _ answer: @escaping (Result<FollowPolicyMessage, EngineError>) -> Void
  ) {
    driver.write(.setFollows(policy)) { [accounts] result in
      answer(
        result.flatMap { done, _ in
          guard case .followsSet(let policy) = done else { return .failure(.unexpected) }
          accounts.follows = policy
          return .success(FollowPolicyMessage(policy))
        })
    }
  }

  /// Has the store create or change an account, and responds with its new state. `field` is the field that an
  /// INVALID_ARGUMENT names.
  private func change(
    _ write: Write, about field: String, _ answer: @escaping (Result<CreateAccountResponse, EngineError>) -> Void
  ) {
    driver.write(write) { [accounts] result in
      answer(
        result.flatMap { done, _ in
          guard case .accountOpened(let account) = done else { return .failure(.unexpected) }
          accounts.add(account)
          var response = CreateAccountResponse()
          response.account = AccountSummary(account)
          return .success(response)
        }.mapError { $0.about(field) })
    }
  }

  // MARK: Tokens

  /// Returns the account that a request names, or the caller's own if the name is empty.
  ///
  /// - Throws: PERMISSION_DENIED if the caller may not manage accounts, or not that one.
  private func account(_ name: String, for caller: Caller) throws(EngineError) -> Account {
    try checkMayManage(caller)
    if name.isEmpty || name == caller.account.name { return caller.account }
    guard caller.scopes.contains(.admin) else { throw Authenticator.missing(.admin, caller.peer) }
    guard let account = accounts.named(name) else {
      throw EngineError(.notFound, "there is no account \(name.shortened); list the accounts to see their names")
    }
    return account
  }

  /// Refuses holders of a token without scope admin: a token that may post must not raise what it is limited by.
  private func checkMayManage(_ caller: Caller) throws(EngineError) {
    guard caller.isLocal || caller.scopes.contains(.admin) else { throw Authenticator.missing(.admin, caller.peer) }
  }

  private func issue(
    _ request: IssueTokenRequest, _ caller: Caller,
    _ answer: @escaping (Result<IssueTokenResponse, EngineError>) -> Void
  ) throws(EngineError) {
    let account = try account(request.account, for: caller)
    let scopes = request.scopes.isEmpty ? .view : Scopes(request.scopes)
    if let missing = scopes.subtracting(caller.scopes).list.first { throw Authenticator.missing(missing, caller.peer) }
    guard let random = system.randomBytes(Self.tokenBytes) else {
      throw EngineError(.unavailable, "the system has no random bytes for a token; try again")
    }
    let digits = Array("0123456789abcdef")
    let text = Self.tokenPrefix + String(random.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    let digest = SHA256.digest(of: Array(text.utf8))
    let new = NewToken(
      account: account.id, name: SafeText(line: request.name), scopes: scopes, hash: digest, createdAt: driver.now)
    driver.write(.issueToken(new)) { [authenticator] result in
      answer(
        result.flatMap { done, _ in
          guard case .tokenIssued(let token) = done else { return .failure(.unexpected) }
          authenticator.add(token, digest: digest)
          return .success(IssueTokenResponse(token: text, tokenID: UInt64(token.id)))
        }.mapError { $0.about("name") })
    }
  }

  private func list(
    _ request: ListTokensRequest, _ caller: Caller, _ requester: Requester,
    _ answer: @escaping (Result<ListTokensResponse, EngineError>) -> Void
  ) throws(EngineError) {
    let account = try account(request.account, for: caller).id
    driver.ask(for: requester) { reader throws(EngineError) in
      let tokens = try StoreLookup.attempt { () throws(StoreError) in try reader.tokens(of: account) }
      var response = ListTokensResponse()
      (response.tokens, response.nextPageToken) = try Pager.page(request.page, of: tokens, for: Method.listTokens) {
        PageKey(number: $0.id)
      } _: {
        TokenSummary($0)
      }
      return response
    } _: { (result: Result<ListTokensResponse, EngineError>) in
      answer(result)
    }
  }

  private func revoke(
    _ request: RevokeTokenRequest, _ caller: Caller, _ answer: @escaping (Result<EmptyMessage, EngineError>) -> Void
  ) throws(EngineError) {
    try checkMayManage(caller)
    let id = request.tokenID
    guard let token = authenticator[id], token.account == caller.account.id || caller.scopes.contains(.admin) else {
      throw EngineError(.notFound, "there is no token \(id); list the tokens to see their IDs")
    }
    driver.write(.revokeToken(token.account, Int64(id))) { [weak self] result in
      if case .success = result {
        self?.authenticator.remove(id)
        self?.endStreams(id, Status(AccountDirectory.revoked))
      }
      answer(result.map { _ in EmptyMessage() })
    }
  }
}

extension AccountSummary {
  /// The summary of a stored account.
  fileprivate init(_ account: Account) {
    self.init()
    accountID = UInt64(account.id.rawValue)
    name = account.name
    userID = account.uid
    postLimit = UInt32(clamping: account.longestPost)
  }
}

extension WhoAmIResponse {
  fileprivate init(_ caller: Caller) {
    self.init()
    account = AccountSummary(caller.account)
    scopes = caller.scopes.list
    tokenID = caller.token ?? 0
  }
}

extension TokenSummary {
  fileprivate init(_ token: Token) {
    self.init()
    tokenID = UInt64(token.id)
    name = token.name.string
    scopes = token.scopes.list
    createdAtMilliseconds = token.createdAt.milliseconds
  }
}

internal import Engine
internal import Posts
internal import RPC
internal import Store
internal import ViewState

/// Maps callers to accounts. On a Unix socket the kernel names the user, whose account is created on first use; over
/// TCP the token names the account.
final class AccountDirectory: CallerDirectory {
  private let driver: EngineDriver
  private let system: any SystemFacts
  private let authenticator: Authenticator
  /// How accounts come to be followed.
  var follows: FollowPolicy
  private var known: [AccountID: Account] = [:]
  private var users: [UInt32: AccountID] = [:]
  private var waiting: [UInt32: [(Result<Account, EngineError>) -> Void]] = [:]

  /// Uses the store of `driver`, the users of `system` and the tokens of `authenticator`. `known` are the accounts that
  /// exist already, `follows` is the setting of the store.
  init(
    driver: EngineDriver, system: any SystemFacts, authenticator: Authenticator, known: [Account], follows: FollowPolicy
  ) {
    self.driver = driver
    self.system = system
    self.authenticator = authenticator
    self.follows = follows
    for account in known { self.known[account.id] = account }
  }

  func find(_ peer: Peer, _ answer: @escaping (Result<Caller, EngineError>) -> Void) {
    let scopes = authenticator.scopes(of: peer)
    switch peer {
    case .localUser(let user, _):
      find(user) { answer($0.map { Caller(account: $0, scopes: scopes, peer: peer) }) }
    case .tokenHolder(Authenticator.ownToken):
      find(system.effectiveUserID) { answer($0.map { Caller(account: $0, scopes: scopes, peer: peer) }) }
    case .tokenHolder(let id):
      guard let token = authenticator[id], let account = known[token.account] else {
        return answer(.failure(Self.revoked))
      }
      answer(.success(Caller(account: account, scopes: scopes, peer: peer)))
    case .unknown: answer(.failure(EngineError(.unauthenticated, Authenticator.noToken.message)))
    }
  }

  func knownAccount(of peer: Peer) -> AccountID? {
    switch peer {
    case .localUser(let user, _): users[user]
    case .tokenHolder(Authenticator.ownToken): users[system.effectiveUserID]
    case .tokenHolder(let id): authenticator[id]?.account
    case .unknown: nil
    }
  }

  /// Sent to a caller whose token was revoked.
  static let revoked = EngineError(.unauthenticated, "the token was revoked; ask for a new one", reason: .badToken)

  /// All accounts, by name.
  var all: [Account] { known.values.sorted { $0.name < $1.name } }

  /// The account called `name`.
  func named(_ name: String) -> Account? { known.values.first { $0.name == name } }

  /// Adds or replaces an account.
  func add(_ account: Account) { known[account.id] = account }

  // MARK: Users

  private func find(_ user: UInt32, _ answer: @escaping (Result<Account, EngineError>) -> Void) {
    if let account = users[user].flatMap({ known[$0] }) { return answer(.success(account)) }
    let isFirst = waiting[user] == nil
    waiting[user, default: []].append(answer)
    if isFirst { open(user) }
  }

  private func open(_ user: UInt32) {
    let names = system.userNames(of: user)
    // An existing account is opened without a write, so that it can still read when the store cannot be written.
    if let account = known.values.first(where: { $0.uid == user }) { return opened(account, user, names?.fullName) }
    driver.write(.openAccount(uid: user, name: names?.name ?? "")) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success((.accountOpened(let account), _)): opened(account, user, names?.fullName)
      case .success: answer(user, .failure(EngineError(.internal, "the store returned no account")))
      case .failure(let error): answer(user, .failure(error))
      }
    }
  }

  private func opened(_ account: Account, _ user: UInt32, _ fullName: String?) {
    known[account.id] = account
    users[user] = account.id
    name(account, fullName: fullName ?? "")
    answer(user, .success(account))
  }

  /// Names the account's author after the user's full name if the system knows one.
  private func name(_ account: Account, fullName: String) {
    let handle = SafeText(line: account.name)
    let displayName = SafeText(line: fullName.isEmpty ? account.name : fullName)
    // If the write fails, the handle stands in for the name until the account is next opened.
    driver.write(.nameAuthor(account.id, handle: handle, displayName: displayName)) { _ in }
  }

  private func answer(_ user: UInt32, _ result: Result<Account, EngineError>) {
    for answer in waiting.removeValue(forKey: user) ?? [] { answer(result) }
  }
}

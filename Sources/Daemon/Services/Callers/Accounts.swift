internal import Engine
internal import Posts
internal import RPC
internal import Store

/// Which account a caller is: on a Unix socket the kernel's word for its user, whose account is made on first use; over
/// TCP the one that its token is of.
final class Accounts: CallerDirectory {
  private let driver: EngineDriver
  private let system: any SystemFacts
  private let admission: Admission
  private var known: [AccountID: Account] = [:]
  private var users: [UInt32: AccountID] = [:]
  private var waiting: [UInt32: [(Result<Account, EngineError>) -> Void]] = [:]

  /// The accounts in the store of `driver`, for users of `system` and the tokens of `admission`; `known` are there
  /// already.
  init(driver: EngineDriver, system: any SystemFacts, admission: Admission, known: [Account]) {
    self.driver = driver
    self.system = system
    self.admission = admission
    for account in known { self.known[account.id] = account }
  }

  func find(_ peer: Peer, _ answer: @escaping (Result<Caller, EngineError>) -> Void) {
    let scopes = admission.scopes(of: peer)
    switch peer {
    case .localUser(let user, _):
      find(user) { answer($0.map { Caller(account: $0, scopes: scopes, peer: peer) }) }
    case .tokenHolder(Admission.ownToken):
      find(system.effectiveUserID) { answer($0.map { Caller(account: $0, scopes: scopes, peer: peer) }) }
    case .tokenHolder(let id):
      guard let token = admission[id], let account = known[token.account] else { return answer(.failure(Self.revoked)) }
      answer(.success(Caller(account: account, scopes: scopes, peer: peer)))
    case .unknown: answer(.failure(EngineError(.unauthenticated, Admission.noToken.message)))
    }
  }

  /// What the holder of a token is told that was taken back.
  static let revoked = EngineError(.unauthenticated, "the token was taken back: ask for another one", reason: .badToken)

  /// All accounts, by name.
  var all: [Account] { known.values.sorted { $0.name < $1.name } }

  /// The account called `name`.
  func named(_ name: String) -> Account? { known.values.first { $0.name == name } }

  /// Notes an account that was made.
  func remember(_ account: Account) { known[account.id] = account }

  // MARK: Users

  private func find(_ user: UInt32, _ answer: @escaping (Result<Account, EngineError>) -> Void) {
    if let account = users[user].flatMap({ known[$0] }) { return answer(.success(account)) }
    let isFirst = waiting[user] == nil
    waiting[user, default: []].append(answer)
    if isFirst { open(user) }
  }

  private func open(_ user: UInt32) {
    let names = system.userNames(of: user)
    // Without a write where it was made before: who may not write may still look.
    if let account = known.values.first(where: { $0.uid == user }) { return opened(account, user, names?.fullName) }
    driver.write(.openAccount(uid: user, name: names?.name ?? "")) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success((.accountOpened(let account), _)): opened(account, user, names?.fullName)
      case .success: answer(user, .failure(EngineError(.internal, "the store gave no account")))
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

  /// What the account writes is shown under the user's full name, where the system knows one.
  private func name(_ account: Account, fullName: String) {
    let handle = SafeText(line: account.name)
    let shown = SafeText(line: fullName.isEmpty ? account.name : fullName)
    // A name that cannot be stored now is stored when the account is next opened; the handle stands in for it.
    driver.write(.nameAuthor(account.id, handle: handle, displayName: shown)) { _ in }
  }

  private func answer(_ user: UInt32, _ result: Result<Account, EngineError>) {
    for answer in waiting.removeValue(forKey: user) ?? [] { answer(result) }
  }
}

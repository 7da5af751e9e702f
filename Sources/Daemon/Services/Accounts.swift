internal import Engine
internal import Posts
internal import RPC
internal import Store

/// Which account a caller is: on a Unix socket the kernel's word for its user, over TCP the daemon's own user, whose token it
/// showed. Accounts are made on first use.
final class Accounts {
  private let driver: EngineDriver
  private let system: any SystemFacts
  private var known: [UInt32: Account] = [:]
  private var waiting: [UInt32: [(Result<Account, EngineError>) -> Void]] = [:]

  /// The accounts in the store of `driver`, for users of `system`.
  init(driver: EngineDriver, system: any SystemFacts) {
    self.driver = driver
    self.system = system
  }

  /// Finds the account of a caller, at once where it is known.
  func find(_ peer: Peer, _ answer: @escaping (Result<Account, EngineError>) -> Void) {
    let uid: UInt32
    switch peer {
    case .localUser(let userID, _): uid = userID
    case .tokenHolder: uid = system.effectiveUserID
    case .unknown: return answer(.failure(EngineError(.permissionDenied, "the caller has not shown who it is")))
    }
    if let account = known[uid] { return answer(.success(account)) }
    waiting[uid, default: []].append(answer)
    if waiting[uid]!.count == 1 { open(uid) }
  }

  private func open(_ uid: UInt32) {
    let user = system.userNames(of: uid)
    driver.write(.openAccount(uid: uid, name: user?.name ?? "user-\(uid)")) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success((.accountOpened(let account), _)):
        known[uid] = account
        name(account, fullName: user?.fullName ?? "")
        answer(uid, .success(account))
      case .success: answer(uid, .failure(EngineError(.internal, "the store gave no account")))
      case .failure(let error): answer(uid, .failure(error))
      }
    }
  }

  /// What the account writes is shown under the user's full name, where the system knows one.
  private func name(_ account: Account, fullName: String) {
    let handle = SafeText(line: account.name)
    let shown = SafeText(line: fullName.isEmpty ? account.name : fullName)
    // A name that cannot be stored now is stored when the account is next opened; the handle stands in for it.
    driver.write(.nameAuthor(account.id, handle: handle, displayName: shown)) { _ in }
  }

  private func answer(_ uid: UInt32, _ result: Result<Account, EngineError>) {
    for answer in waiting.removeValue(forKey: uid) ?? [] { answer(result) }
  }
}

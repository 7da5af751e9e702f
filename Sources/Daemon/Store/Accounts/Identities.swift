internal import Posts

/// Maps authors to accounts, and names in posts to accounts: decides which posts are mentions.
struct Identities {
  /// The accounts that have claimed an author; exactly one for an account's local author.
  private var accounts: [AuthorID: [AccountID]] = [:]
  /// Accounts by source and folded name.
  private var named: [Int64: [[UInt8]: [AccountID]]] = [:]

  init() {}

  /// Adds `author` to the identities of `account`; posts of `source` mention the author by `name`.
  mutating func add(_ account: AccountID, _ author: AuthorID, source: Int64, name: [UInt8]) {
    accounts[author, default: []].append(account)
    if !name.isEmpty { named[source, default: [:]][Self.folded(name), default: []].append(account) }
  }

  /// Returns the accounts that have claimed `author`.
  func accounts(of author: AuthorID) -> [AccountID] { accounts[author] ?? [] }

  /// Returns the accounts that a post of `source` means by `name`.
  func accounts(named name: SafeText, in source: Int64) -> [AccountID] { named[source]?[Self.folded(name.utf8)] ?? [] }

  /// Returns the accounts that a post addresses: those it mentions and those that wrote its parent, except its own
  /// author's.
  func addressed(by author: AuthorID, naming names: [SafeText], source: Int64, replyingTo parent: AuthorID?) -> Set<
    AccountID
  > {
    var found = Set(parent.map(accounts(of:)) ?? [])
    if let known = named[source] {
      for name in names { found.formUnion(known[Self.folded(name.utf8)] ?? []) }
    }
    return found.isEmpty ? found : found.subtracting(accounts(of: author))
  }

  /// Returns the name in lower case.
  private static func folded(_ name: [UInt8]) -> [UInt8] {
    if name.allSatisfy({ $0 < 0x80 }) { return name.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 } }
    return Array(String(decoding: name, as: UTF8.self).lowercased().utf8)
  }
}

extension Identities {
  /// Reads all identities of a store.
  init(of connection: Connection) throws(StoreError) {
    for (account, author, source, name) in try connection.rows(
      IdentityQuery.everyIdentity, LocalSource.name,
      read: { (AccountID($0.integer(0)), AuthorID($0.integer(1)), $0.integer(2), $0.bytes(3)) })
    {
      add(account, author, source: source, name: name)
    }
  }
}

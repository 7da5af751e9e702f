public import Dates
public import Posts

/// A token that authenticates a remote caller, without its secret.
public struct Token: Equatable, Sendable {
  /// The store's ID for the token; never reused.
  public var id: Int64
  /// The account that the token authenticates.
  public var account: AccountID
  /// Its purpose, as its creator described it; 1 to ``StoreLimits/tokenNameBytes`` bytes.
  public var name: SafeText
  public var scopes: TokenScopes
  public var createdAt: Instant

  public init(id: Int64, account: AccountID, name: SafeText, scopes: TokenScopes, createdAt: Instant) {
    self.id = id
    self.account = account
    self.name = name
    self.scopes = scopes
    self.createdAt = createdAt
  }
}

/// The permissions of a token; raw values are stored.
public struct TokenScopes: OptionSet, Sendable, Hashable {
  public let rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// Permission to look.
  public static let view = TokenScopes(rawValue: 1)
  /// Permission to change what others may see.
  public static let post = TokenScopes(rawValue: 2)
  /// Permission to administer the daemon.
  public static let admin = TokenScopes(rawValue: 4)
  /// Permission to change sessions: panes, places and reading positions.
  public static let panes = TokenScopes(rawValue: 8)
}

/// A token about to be stored.
public struct NewToken: Equatable, Sendable {
  public var account: AccountID
  public var name: SafeText
  public var scopes: TokenScopes
  /// SHA-256 of the secret that the caller will present: 32 bytes. The secret itself is not stored.
  public var hash: [UInt8]
  public var createdAt: Instant

  /// - Precondition: `hash` has 32 bytes.
  public init(account: AccountID, name: SafeText, scopes: TokenScopes, hash: [UInt8], createdAt: Instant) {
    precondition(hash.count == 32, "a SHA-256 has 32 bytes")
    self.account = account
    self.name = name
    self.scopes = scopes
    self.hash = hash
    self.createdAt = createdAt
  }
}

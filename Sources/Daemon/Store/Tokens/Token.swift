public import Dates
public import Posts

/// What lets a caller in who is not on the machine, without what is secret.
public struct Token: Equatable, Sendable {
  /// The store's number of it; never given twice.
  public var id: Int64
  /// Whose it is.
  public var account: AccountID
  /// What it is for, in the words of who made it; 1 to ``StoreLimits/tokenNameBytes`` bytes.
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

/// What a token allows; the numbers are the store's.
public struct TokenScopes: OptionSet, Sendable, Hashable {
  public let rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// To look.
  public static let view = TokenScopes(rawValue: 1)
  /// To change what others may see.
  public static let post = TokenScopes(rawValue: 2)
  /// To look after the daemon.
  public static let admin = TokenScopes(rawValue: 4)
}

/// A token about to be stored.
public struct NewToken: Equatable, Sendable {
  public var account: AccountID
  public var name: SafeText
  public var scopes: TokenScopes
  /// SHA-256 of what the caller will show: 32 bytes. The token itself is not stored.
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

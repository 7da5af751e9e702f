public import ViewState

/// The permissions of a token; the numbers are the schema's. In the order in which they are listed.
public enum Scope: UInt8, Sendable, CaseIterable {
  /// Look: views, rows, searches, exports, the names of sessions. Views of sessions change nothing in them.
  case view = 1
  /// Change sessions: their panes and names, and, by what views show, places, reading positions and what counts as seen.
  case panes = 4
  /// Change what others may see: posts, imports, follows, lists.
  case post = 2
  /// Administer the daemon: tokens, accounts, integrity, backups.
  case admin = 3
}

/// An account that may connect; the schema's Account.
public struct AccountSummary: Equatable, DeclaredMessage {
  public var accountID: UInt64 = 0
  public var name = ""
  /// The user of the daemon's machine that owns the account; nil for an account without one.
  public var userID: UInt32?
  /// Maximum length of its posts.
  public var postLimit: UInt32 = 0

  static let schema = MessageSchema("Account")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &accountID)
    try fields.text(2, &name)
    var hasUser = userID != nil
    var number = userID ?? 0
    fields.flag(3, &hasUser)
    fields.number(4, &number)
    userID = hasUser ? number : nil
    fields.number(5, &postLimit)
  }
}

/// Sets the maximum length of an account's posts.
public struct SetPostLimitRequest: Equatable, DeclaredMessage {
  /// 0 for the default.
  public var postLimit: UInt32 = 0
  /// Name of the account; empty for the caller's own.
  public var account = ""

  static let schema = MessageSchema("SetPostLimitRequest")

  /// Sets the caller's own limit.
  public init(_ postLimit: UInt32) { self.postLimit = postLimit }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &postLimit)
    try fields.text(2, &account)
  }
}

/// The identity of a caller.
public struct WhoAmIResponse: Equatable, DeclaredMessage {
  public var account = AccountSummary()
  /// The caller's permissions; unknown scopes are left out.
  public var scopes: [Scope] = []
  /// The token that was sent; 0 if none was.
  public var tokenID: UInt64 = 0

  static let schema = MessageSchema("WhoAmIResponse")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.message(1, &account)
    try fields.choices(2, &scopes, skipsUnknown: true)
    fields.number(3, &tokenID)
  }
}

/// All accounts.
public struct ListAccountsResponse: Equatable, DeclaredMessage, PageResponse {
  /// By name.
  public var accounts: [AccountSummary] = []
  public var nextPageToken = ""

  /// The accounts, for generic readers of pages.
  public var items: [AccountSummary] { accounts }

  static let schema = MessageSchema("ListAccountsResponse")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.messages(1, &accounts)
    try fields.text(2, &nextPageToken)
  }
}

/// Creates an account that belongs to no user of the machine.
public struct CreateAccountRequest: Equatable, DeclaredMessage {
  /// 1 to 64 bytes of letters, digits and "_".
  public var name = ""

  static let schema = MessageSchema("CreateAccountRequest")

  /// Creates an account called `name`.
  public init(name: String) { self.name = name }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.name(1, &name) }
}

/// The result of CreateAccount and SetPostLimit.
public struct CreateAccountResponse: Equatable, DeclaredMessage {
  public var account = AccountSummary()

  static let schema = MessageSchema("CreateAccountResponse", "SetPostLimitResponse")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.message(1, &account) }
}

/// The setting `follows`: the request and the result of SetFollowPolicy.
public struct FollowPolicyMessage: Equatable, DeclaredMessage {
  public var policy: FollowPolicy

  static let schema = MessageSchema("SetFollowPolicyRequest", "SetFollowPolicyResponse")

  public init(_ policy: FollowPolicy) { self.policy = policy }

  init() { policy = .ask }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    var choice = Optional(policy)
    try fields.choice(1, &choice)
    guard let choice else {
      throw fields.failure("follows", "is missing; 1 is open, 2 is ask")
    }
    policy = choice
  }
}

/// Creates a token.
public struct IssueTokenRequest: Equatable, DeclaredMessage {
  /// A label for the token, at most 64 bytes.
  public var name = ""
  /// Empty for `view`.
  public var scopes: [Scope] = []
  /// Name of the token's account; empty for the caller's own.
  public var account = ""

  static let schema = MessageSchema("IssueTokenRequest")

  /// Requests a read-only token labelled `name`.
  public init(name: String) { self.name = name }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &name, limit: SharedLimits.nameBytes)
    try fields.choices(2, &scopes, skipsUnknown: false)
    try fields.text(3, &account)
  }
}

/// The result of IssueToken.
public struct IssueTokenResponse: Equatable, DeclaredMessage {
  /// The secret that clients send. Returned only here.
  public var token = ""
  /// The ID used by ListTokens and RevokeToken.
  public var tokenID: UInt64 = 0

  static let schema = MessageSchema("IssueTokenResponse")

  public init(token: String, tokenID: UInt64) {
    self.token = token
    self.tokenID = tokenID
  }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &token)
    fields.number(2, &tokenID)
  }
}

/// A token without its secret; the schema's Token.
public struct TokenSummary: Equatable, DeclaredMessage {
  public var tokenID: UInt64 = 0
  /// The label of the token.
  public var name = ""
  /// Its permissions; unknown scopes are left out.
  public var scopes: [Scope] = []
  public var createdAtMilliseconds: Int64 = 0

  static let schema = MessageSchema("Token")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &tokenID)
    try fields.text(2, &name)
    try fields.choices(3, &scopes, skipsUnknown: true)
    fields.signed(4, &createdAtMilliseconds)
  }
}

/// The tokens of an account.
public struct ListTokensResponse: Equatable, DeclaredMessage, PageResponse {
  /// Oldest first.
  public var tokens: [TokenSummary] = []
  public var nextPageToken = ""

  /// The tokens, for generic readers of pages.
  public var items: [TokenSummary] { tokens }

  static let schema = MessageSchema("ListTokensResponse")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.messages(1, &tokens)
    try fields.text(2, &nextPageToken)
  }
}

/// Revokes a token.
public struct RevokeTokenRequest: Equatable, DeclaredMessage {
  public var tokenID: UInt64 = 0

  static let schema = MessageSchema("RevokeTokenRequest")

  /// Revokes the token `tokenID`.
  public init(tokenID: UInt64) { self.tokenID = tokenID }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { fields.number(1, &tokenID) }
}

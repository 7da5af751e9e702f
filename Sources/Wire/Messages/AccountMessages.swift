internal import ViewState

/// What a token allows; the numbers are the schema's.
public enum Scope: UInt8, Sendable, CaseIterable {
  /// To look: views, rows, searches, exports, the pane stack and reading positions.
  case view = 1
  /// To change what others may see: posts, imports, follows, lists.
  case post = 2
  /// To look after the daemon: tokens, accounts, integrity, backups.
  case admin = 3
}

/// Somebody who may connect; the schema's Account.
public struct AccountSummary: Equatable, DeclaredMessage {
  public var accountID: UInt64 = 0
  public var name = ""
  /// The user of the daemon's machine whose account it is; nil for an account that no user has.
  public var userID: UInt32?
  /// How long its posts may be.
  public var postLimit: UInt32 = 0

  static let schema = MessageSchema("Account")

  /// Nobody yet.
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

/// Sets how long the posts of an account may be.
public struct SetPostLimitRequest: Equatable, DeclaredMessage {
  /// 0 for what those have who have said nothing.
  public var postLimit: UInt32 = 0
  /// Its name; empty for the caller's own.
  public var account = ""

  static let schema = MessageSchema("SetPostLimitRequest")

  /// The caller's own limit.
  public init(_ postLimit: UInt32) { self.postLimit = postLimit }

  /// None yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &postLimit)
    try fields.text(2, &account)
  }
}

/// Who a caller is.
public struct WhoAmIResponse: Equatable, DeclaredMessage {
  public var account = AccountSummary()
  /// What the caller may do; scopes that this version does not know are left out.
  public var scopes: [Scope] = []
  /// The token that was shown; 0 for none.
  public var tokenID: UInt64 = 0

  static let schema = MessageSchema("WhoAmIResponse")

  /// Nobody yet.
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

  /// The same, for readers of lists of any kind.
  public var items: [AccountSummary] { accounts }

  static let schema = MessageSchema("ListAccountsResponse")

  /// No accounts.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.messages(1, &accounts)
    try fields.text(2, &nextPageToken)
  }
}

/// Makes an account that no user has.
public struct CreateAccountRequest: Equatable, DeclaredMessage {
  /// 1 to 64 bytes of letters, digits and "_".
  public var name = ""

  static let schema = MessageSchema("CreateAccountRequest")

  /// An account called `name`.
  public init(name: String) { self.name = name }

  /// No name yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.name(1, &name) }
}

/// The account is made.
public struct CreateAccountResponse: Equatable, DeclaredMessage {
  public var account = AccountSummary()

  static let schema = MessageSchema("CreateAccountResponse", "SetPostLimitResponse")

  /// Nobody yet.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.message(1, &account) }
}

/// Makes a token.
public struct IssueTokenRequest: Equatable, DeclaredMessage {
  /// What it is for, at most 64 bytes.
  public var name = ""
  /// None: to look.
  public var scopes: [Scope] = []
  /// Name of the account it is of; empty for the caller's own.
  public var account = ""

  static let schema = MessageSchema("IssueTokenRequest")

  /// A token to look by, for what `name` says.
  public init(name: String) { self.name = name }

  /// No name yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &name, limit: SharedLimits.nameBytes)
    try fields.choices(2, &scopes, skipsUnknown: false)
    try fields.text(3, &account)
  }
}

/// The token is made.
public struct IssueTokenResponse: Equatable, DeclaredMessage {
  /// What a caller shows. Told only here.
  public var token = ""
  /// What ListTokens and RevokeToken call it by.
  public var tokenID: UInt64 = 0

  static let schema = MessageSchema("IssueTokenResponse")

  /// Puts the parts together.
  public init(token: String, tokenID: UInt64) {
    self.token = token
    self.tokenID = tokenID
  }

  /// Nothing yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &token)
    fields.number(2, &tokenID)
  }
}

/// A token without what is secret; the schema's Token.
public struct TokenSummary: Equatable, DeclaredMessage {
  public var tokenID: UInt64 = 0
  /// What it is for.
  public var name = ""
  /// What it allows; scopes that this version does not know are left out.
  public var scopes: [Scope] = []
  public var createdAtMilliseconds: Int64 = 0

  static let schema = MessageSchema("Token")

  /// Nothing yet.
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
  /// The older first.
  public var tokens: [TokenSummary] = []
  public var nextPageToken = ""

  /// The same, for readers of lists of any kind.
  public var items: [TokenSummary] { tokens }

  static let schema = MessageSchema("ListTokensResponse")

  /// No tokens.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.messages(1, &tokens)
    try fields.text(2, &nextPageToken)
  }
}

/// Takes a token back.
public struct RevokeTokenRequest: Equatable, DeclaredMessage {
  public var tokenID: UInt64 = 0

  static let schema = MessageSchema("RevokeTokenRequest")

  /// Takes this one back.
  public init(tokenID: UInt64) { self.tokenID = tokenID }

  /// None yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { fields.number(1, &tokenID) }
}

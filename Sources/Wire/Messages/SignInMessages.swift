/// Begins to sign in at a server.
public struct BeginSignInRequest: Equatable, DeclaredMessage {
  /// The source whose program signs in.
  public var source = ""
  /// `name@host`, a host, or an http(s) address.
  public var server = ""
  /// The port on which the client listens for the browser, at 127.0.0.1; 0 for none.
  public var redirectPort: UInt32 = 0
  /// True for a login that only reads.
  public var isReadOnly = false
  /// The command that prints the token; empty to get one from the server.
  public var secretCommand = ""
  /// True if what the account saves is to be kept in the bookmarks of the login.
  public var keepsBookmarks = false

  static let schema = MessageSchema("BeginSignInRequest")

  public init(
    source: String, server: String, redirectPort: UInt32 = 0, isReadOnly: Bool = false, secretCommand: String = "",
    keepsBookmarks: Bool = false
  ) {
    (self.source, self.server, self.redirectPort) = (source, server, redirectPort)
    (self.isReadOnly, self.secretCommand, self.keepsBookmarks) = (isReadOnly, secretCommand, keepsBookmarks)
  }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &source)
    try fields.text(2, &server)
    fields.number(3, &redirectPort)
    fields.flag(4, &isReadOnly)
    try fields.text(5, &secretCommand)
    fields.flag(6, &keepsBookmarks)
  }
}

/// Where a person has to go to sign in.
public struct BeginSignInResponse: Equatable, DeclaredMessage {
  /// The number under which signing in goes on.
  public var signIn = ""
  /// The page to open; empty for none.
  public var url = ""

  static let schema = MessageSchema("BeginSignInResponse")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &signIn)
    try fields.text(2, &url)
  }
}

/// Ends signing in.
public struct FinishSignInRequest: Equatable, DeclaredMessage {
  public var source = ""
  public var signIn = ""
  /// The code that the server has shown, or the address to which it has sent the person.
  public var code = ""

  static let schema = MessageSchema("FinishSignInRequest")

  public init(source: String, signIn: String, code: String) {
    (self.source, self.signIn, self.code) = (source, signIn, code)
  }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &source)
    try fields.text(2, &signIn)
    try fields.text(3, &code)
  }
}

/// The login that was signed in.
public struct FinishSignInResponse: Equatable, DeclaredMessage {
  public var login = ""

  static let schema = MessageSchema("FinishSignInResponse")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.text(1, &login) }
}

/// Signs a login out.
public struct SignOutRequest: Equatable, DeclaredMessage {
  public var source = ""
  public var login = ""
  /// True to forget how far the login has read.
  public var forgets = false

  static let schema = MessageSchema("SignOutRequest")

  public init(source: String, login: String, forgets: Bool = false) {
    (self.source, self.login, self.forgets) = (source, login, forgets)
  }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &source)
    try fields.text(2, &login)
    fields.flag(3, &forgets)
  }
}

/// The login is signed out.
public struct SignOutResponse: Equatable, DeclaredMessage {
  /// True if the server did not confirm that the token is revoked.
  public var isUnconfirmed = false

  static let schema = MessageSchema("SignOutResponse")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { fields.flag(1, &isUnconfirmed) }
}

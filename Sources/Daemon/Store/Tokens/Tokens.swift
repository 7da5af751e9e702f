internal import Dates
internal import Posts

/// Reads tokens.
struct TokenReader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Returns every token of every account with its SHA-256.
  func hashes() throws(StoreError) -> [(token: Token, hash: [UInt8])] {
    let statement = try connection.prepare(TokenQuery.hashes)
    var tokens: [(token: Token, hash: [UInt8])] = []
    while try statement.step() { tokens.append((Token(row: statement), statement.bytes(5))) }
    return tokens
  }

  /// Returns the token with this ID; nil if there is none.
  func token(_ id: Int64) throws(StoreError) -> Token? {
    try connection.first(TokenQuery.byNumber, id, read: Token.init(row:))
  }

  /// Returns all tokens of an account, oldest first.
  func tokens(of account: AccountID) throws(StoreError) -> [Token] {
    try connection.rows(TokenQuery.ofAccount, account, read: Token.init(row:))
  }
}

extension Token {
  /// Reads ID, account, name, scopes and instant from the first five columns.
  fileprivate init(row: Statement) {
    self.init(
      id: row.integer(0), account: AccountID(row.integer(1)), name: SafeText(trusted: row.bytes(2)),
      scopes: TokenScopes(rawValue: row.integer(3)), createdAt: Instant(milliseconds: row.integer(4)))
  }
}

/// Issues and revokes tokens.
struct Tokens {
  private let connection: Connection
  private let transaction: Transaction
  private let reader: TokenReader

  init(_ connection: Connection, _ transaction: Transaction) {
    (self.connection, self.transaction) = (connection, transaction)
    reader = TokenReader(connection)
  }

  /// Stores a new token.
  func issue(_ new: NewToken) throws -> Token {
    _ = try AccountReader(connection).existing(new.account)
    if new.name.isEmpty { throw Refusal.emptyName }
    guard new.name.count <= StoreLimits.tokenNameBytes else {
      throw Refusal.tooLong("the token's name", limit: StoreLimits.tokenNameBytes)
    }
    guard try reader.tokens(of: new.account).count < StoreLimits.tokens else {
      throw Refusal.tooMany("tokens", limit: StoreLimits.tokens)
    }
    let number = try connection.insert(
      TokenQuery.insert, new.account, new.name, new.scopes.rawValue, new.hash, new.createdAt)
    transaction.noteChange()
    return Token(
      id: number, account: new.account, name: new.name, scopes: new.scopes, createdAt: new.createdAt)
  }

  /// Revokes a token of an account: it authenticates nobody from now on.
  func revoke(_ account: AccountID, _ id: Int64) throws -> Token {
    guard let token = try reader.token(id), token.account == account else { throw Refusal.noSuchToken(id) }
    try connection.run(TokenQuery.delete, id)
    transaction.noteChange()
    return token
  }
}

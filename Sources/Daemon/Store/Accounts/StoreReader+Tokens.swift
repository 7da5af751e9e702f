internal import Dates
public import Posts

extension StoreReader {
  /// Every token of every account, each with its SHA-256.
  public func tokenHashes() throws(StoreError) -> [(token: Token, hash: [UInt8])] {
    let statement = try connection.prepare(
      "SELECT id, account_id, name, scopes, created_at, hash FROM tokens ORDER BY id")
    var tokens: [(token: Token, hash: [UInt8])] = []
    while try statement.step() { tokens.append((Token(row: statement), statement.bytes(5))) }
    return tokens
  }

  /// The token with this number, if there is one.
  public func token(_ id: Int64) throws(StoreError) -> Token? {
    let statement = try connection.statement(.token)
    defer { statement.reset() }
    statement.bind(1, id)
    return try statement.step() ? Token(row: statement) : nil
  }

  /// All tokens of an account, the older first.
  public func tokens(of account: AccountID) throws(StoreError) -> [Token] {
    let statement = try connection.statement(.tokens)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    var tokens: [Token] = []
    while try statement.step() { tokens.append(Token(row: statement)) }
    return tokens
  }
}

extension Token {
  /// Reads id, account, name, scopes and instant from the first five columns.
  init(row: Statement) {
    self.init(
      id: row.integer(0), account: AccountID(row.integer(1)), name: SafeText(trusted: row.bytes(2)),
      scopes: TokenScopes(rawValue: row.integer(3)), createdAt: Instant(milliseconds: row.integer(4)))
  }
}

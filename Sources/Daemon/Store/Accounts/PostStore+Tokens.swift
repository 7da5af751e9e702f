internal import Dates
internal import Posts

extension PostStore {
  /// Stores a new token.
  func issue(_ new: NewToken) throws -> Token {
    _ = try existing(new.account)
    if new.name.isEmpty { throw Refusal.emptyName }
    guard new.name.count <= StoreLimits.tokenNameBytes else {
      throw Refusal.tooLong("the token's name", limit: StoreLimits.tokenNameBytes)
    }
    guard try tokens(of: new.account).count < StoreLimits.tokens else {
      throw Refusal.tooMany("tokens", limit: StoreLimits.tokens)
    }
    let statement = try connection.statement(.insertToken)
    defer { statement.reset() }
    statement.bind(1, new.account.rawValue)
    statement.bind(2, text: new.name.utf8)
    statement.bind(3, new.scopes.rawValue)
    statement.bind(4, blob: new.hash)
    statement.bind(5, new.createdAt.milliseconds)
    _ = try statement.step()
    noteChange()
    return Token(row: statement)
  }

  /// Takes a token of an account back: nobody comes in by it from now on.
  func revokeToken(_ account: AccountID, _ id: Int64) throws -> Token {
    guard let token = try token(id), token.account == account else { throw Refusal.noSuchToken(id) }
    let statement = try connection.statement(.deleteToken)
    defer { statement.reset() }
    statement.bind(1, id)
    _ = try statement.step()
    noteChange()
    return token
  }
}

import ClientTransport
import Messages
import RPC
import Testing
import UV
import ViewState

/// A daemon that also listens on TCP, and its user's client on the Unix socket.
struct TokenBench {
  let daemon: TestDaemon
  let owner: TestClient

  init(_ bench: Bench, follows: FollowPolicy? = .open) throws {
    daemon = try bench.daemon(listen: SocketAddress(host: "127.0.0.1", port: 0), follows: follows)
    owner = try daemon.connect()
  }

  /// Issues a new token.
  func issue(_ scopes: [Scope] = [], account: String = "", name: String = "test") throws -> IssueTokenResponse {
    var request = IssueTokenRequest(name: name)
    request.scopes = scopes
    request.account = account
    return try owner.call(Method.issueToken, request)
  }

  /// Connects a client with a new token.
  func client(_ scopes: [Scope] = [], account: String = "") throws -> TestClient {
    try daemon.connectOverTCP(token: try issue(scopes, account: account).token)
  }

  /// Creates an account that belongs to no user.
  @discardableResult
  func make(_ account: String) throws -> AccountSummary {
    try owner.call(Method.createAccount, CreateAccountRequest(name: account), CreateAccountResponse.self).account
  }

  /// The tokens of an account.
  func tokens(of account: String = "") throws -> [TokenSummary] {
    var request = ListTokensRequest()
    request.account = account
    return try owner.call(Method.listTokens, request, ListTokensResponse.self).tokens
  }

  /// Revokes a token.
  func revoke(_ id: UInt64) throws {
    _ = try owner.call(Method.revokeToken, RevokeTokenRequest(tokenID: id), EmptyMessage.self)
  }
}

/// Ann, Bea and Cyd, who follow each other as new accounts of an `open` store do, and their daemon.
struct People {
  let bench: TokenBench
  let ann: TestClient
  let bea: TestClient
  let cyd: TestClient

  init(_ bench: Bench, follows: FollowPolicy? = .open) throws {
    self.bench = try TokenBench(bench, follows: follows)
    for name in ["ann", "bea", "cyd"] { try self.bench.make(name) }
    ann = try self.bench.client([.view, .panes, .post], account: "ann")
    bea = try self.bench.client([.view, .panes, .post], account: "bea")
    cyd = try self.bench.client([.view, .panes, .post], account: "cyd")
  }
}

extension TestClient {
  /// Returns the account and scopes that the daemon gives the client.
  func whoAmI() throws -> WhoAmIResponse { try call(Method.whoAmI, EmptyMessage()) }
}

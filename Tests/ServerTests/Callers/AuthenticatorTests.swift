import Codecs
import Dates
import Messages
import Posts
import RPC
@testable import Services
import Store
import Testing

@Suite("Authentication and scopes")
struct AuthenticatorTests {
  private static let localUser = Peer.localUser(userID: 1001, processID: 2)

  /// A daemon of user 1000 with its own token "own". Account 7 has token 1, "look", and token 2, "all".
  private let authenticator: Authenticator = {
    let authenticator = Authenticator(own: TokenVerifier(token: "own"), daemonUser: 1000)
    for (id, text, scopes) in [(1, "look", .view), (2, "all", .all)] as [(Int64, String, Scopes)] {
      let token = Token(
        id: id, account: AccountID(7), name: SafeText(line: text), scopes: scopes, createdAt: Instant(milliseconds: 0))
      authenticator.add(token, digest: SHA256.digest(of: Array(text.utf8)))
    }
    return authenticator
  }()

  /// Returns the peer that calls with `authorization`; nil if it is refused.
  private func peer(_ authorization: String?, _ peer: Peer = .unknown) -> Peer? {
    var metadata = Metadata()
    if let authorization { try? metadata.add("authorization", authorization) }
    return try? authenticator.authenticate(peer, metadata)
  }

  private func refusal(_ peer: Peer, _ access: MethodAccess) -> Status? {
    do throws(Status) {
      try authenticator.authorize(peer, access)
      return nil
    } catch {
      return error
    }
  }

  @Test("an issued token stands for its ID, the file's token for 0, and invalid ones are refused") func tokens() {
    #expect(peer("Bearer own") == .tokenHolder(0))
    #expect(peer("bearer  look") == .tokenHolder(1))
    #expect(peer("BEARER all") == .tokenHolder(2))
    for wrong in ["Bearer", "own", "Basic own", "Bearer ow", "Bearer owner", "Bearer own own", "Bearer wrong"] {
      #expect(peer(wrong) == nil, "\(wrong)")
    }
    #expect(peer(nil) == .unknown)
  }

  @Test("a local user needs no token, and gains nothing by one") func local() {
    #expect(peer(nil, Self.localUser) == Self.localUser && peer("Bearer all", Self.localUser) == Self.localUser)
    #expect(peer("Bearer wrong", Self.localUser) == Self.localUser)
  }

  @Test("a revoked token is refused") func revoked() {
    authenticator.remove(2)
    authenticator.remove(99)
    #expect(peer("Bearer all") == nil && peer("Bearer look") == .tokenHolder(1))
    #expect(authenticator.scopes(of: .tokenHolder(2)) == [] && authenticator[2] == nil)
  }

  @Test(
    "local users have view, panes and post, root and the daemon's user all scopes, tokens those they were issued with")
  func scopes() {
    #expect(authenticator.scopes(of: Self.localUser) == [.view, .panes, .post])
    for user in [0, 1000] as [UInt32] {
      #expect(authenticator.scopes(of: .localUser(userID: user, processID: 1)) == .all)
    }
    #expect(authenticator.scopes(of: .tokenHolder(0)) == .all)
    #expect(authenticator.scopes(of: .tokenHolder(1)) == .view)
    #expect(authenticator.scopes(of: .unknown) == [])
    #expect(
      Authenticator(own: nil, daemonUser: nil).scopes(of: .localUser(userID: 1000, processID: 1))
        == [.view, .panes, .post])
  }

  @Test("a missing scope is PERMISSION_DENIED and named; no token is UNAUTHENTICATED, except for open methods")
  func checks() throws {
    #expect(refusal(.tokenHolder(1), .view) == nil && refusal(.tokenHolder(1), .signedIn) == nil)
    let post = try #require(refusal(.tokenHolder(1), .post))
    #expect(post.code == .permissionDenied && post.message.contains("post"))
    #expect(try ErrorDetails(decoding: post.details).reason == "MISSING_SCOPE")
    #expect(try #require(refusal(Self.localUser, .admin)).message.contains("admin"))
    #expect(refusal(.tokenHolder(2), .admin) == nil && refusal(.tokenHolder(0), .admin) == nil)
    for access in [MethodAccess.signedIn, .view, .panes, .post, .admin] {
      #expect(refusal(.unknown, access)?.code == .unauthenticated)
    }
    #expect(refusal(.unknown, .viewOrSignedOut) == nil)
    #expect(refusal(.tokenHolder(9), .viewOrSignedOut)?.code == .permissionDenied)
  }

  @Test("scopes are one bit each, in the order of the schema, and listed from looking to administering") func bits() {
    #expect(
      (Scopes.view.rawValue, Scopes.post.rawValue, Scopes.admin.rawValue, Scopes.panes.rawValue) == (1, 2, 4, 8))
    #expect(Scopes([.admin, .panes, .view, .view]).list == [.view, .panes, .admin])
  }
}

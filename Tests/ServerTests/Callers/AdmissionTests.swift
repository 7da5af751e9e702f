import Dates
import Messages
import Posts
import RPC
@testable import Services
import Store
import Testing

@Suite("Who may call what")
struct AdmissionTests {
  private static let looker = Peer.localUser(userID: 1001, processID: 2)

  /// A daemon of user 1000 with its own token "own", and of account 7 the token 1, "look", and the token 2, "all".
  private let admission: Admission = {
    let admission = Admission(own: TokenVerifier(token: "own"), daemonUser: 1000)
    for (id, text, scopes) in [(1, "look", .view), (2, "all", .all)] as [(Int64, String, Scopes)] {
      let token = Token(
        id: id, account: AccountID(7), name: SafeText(line: text), scopes: scopes, createdAt: Instant(milliseconds: 0))
      admission.add(token, digest: SHA256.digest(of: Array(text.utf8)))
    }
    return admission
  }()

  /// Who calls with `authorization`; nil where that is refused.
  private func peer(_ authorization: String?, _ peer: Peer = .unknown) -> Peer? {
    var metadata = Metadata()
    if let authorization { try? metadata.add("authorization", authorization) }
    return try? admission.identify(peer, metadata)
  }

  private func refusal(_ peer: Peer, _ access: Access) -> Status? {
    do throws(Status) {
      try admission.check(peer, access)
      return nil
    } catch {
      return error
    }
  }

  @Test("a token stands for its number, the one of the file for 0, and what is none for nothing") func tokens() {
    #expect(peer("Bearer own") == .tokenHolder(0))
    #expect(peer("bearer  look") == .tokenHolder(1))
    #expect(peer("BEARER all") == .tokenHolder(2))
    for wrong in ["Bearer", "own", "Basic own", "Bearer ow", "Bearer owner", "Bearer own own", "Bearer wrong"] {
      #expect(peer(wrong) == nil, "\(wrong)")
    }
    #expect(peer(nil) == .unknown)
  }

  @Test("whom the kernel vouches for needs no token, and gains nothing by one") func local() {
    #expect(peer(nil, Self.looker) == Self.looker && peer("Bearer all", Self.looker) == Self.looker)
    #expect(peer("Bearer wrong", Self.looker) == Self.looker)
  }

  @Test("a token that was taken back is none") func revoked() {
    admission.remove(2)
    admission.remove(99)
    #expect(peer("Bearer all") == nil && peer("Bearer look") == .tokenHolder(1))
    #expect(admission.scopes(of: .tokenHolder(2)) == [] && admission[2] == nil)
  }

  @Test("users look and post, the daemon's user and root do everything, tokens what they were issued with")
  func scopes() {
    #expect(admission.scopes(of: Self.looker) == [.view, .post])
    for user in [0, 1000] as [UInt32] { #expect(admission.scopes(of: .localUser(userID: user, processID: 1)) == .all) }
    #expect(admission.scopes(of: .tokenHolder(0)) == .all)
    #expect(admission.scopes(of: .tokenHolder(1)) == .view)
    #expect(admission.scopes(of: .unknown) == [])
    #expect(Admission(own: nil, daemonUser: nil).scopes(of: .localUser(userID: 1000, processID: 1)) == [.view, .post])
  }

  @Test("a missing scope is PERMISSION_DENIED and named; nobody is UNAUTHENTICATED, except where that is shown")
  func checks() throws {
    #expect(refusal(.tokenHolder(1), .view) == nil && refusal(.tokenHolder(1), .signedIn) == nil)
    let post = try #require(refusal(.tokenHolder(1), .post))
    #expect(post.code == .permissionDenied && post.message.contains("post"))
    #expect(try ErrorDetails(decoding: post.details).reason == "MISSING_SCOPE")
    #expect(try #require(refusal(Self.looker, .admin)).message.contains("admin"))
    #expect(refusal(.tokenHolder(2), .admin) == nil && refusal(.tokenHolder(0), .admin) == nil)
    for access in [Access.signedIn, .view, .post, .admin] {
      #expect(refusal(.unknown, access)?.code == .unauthenticated)
    }
    #expect(refusal(.unknown, .viewOrSignedOut) == nil)
    #expect(refusal(.tokenHolder(9), .viewOrSignedOut)?.code == .permissionDenied)
  }

  @Test("scopes are one bit each, in the order of the schema") func bits() {
    #expect((Scopes.view.rawValue, Scopes.post.rawValue, Scopes.admin.rawValue) == (1, 2, 4))
    #expect(Scopes([.admin, .view, .view]).list == [.view, .admin])
  }
}

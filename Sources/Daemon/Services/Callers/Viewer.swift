internal import Posts
internal import Store

/// Who opens a view.
enum Viewer {
  /// A client on the network that has shown no token. It may see nothing but that it is signed out.
  case signedOut
  case signedIn(Caller)

  /// The account that opens it; nil for a client that is signed out.
  var account: AccountID? {
    if case .signedIn(let caller) = self { caller.account.id } else { nil }
  }
}

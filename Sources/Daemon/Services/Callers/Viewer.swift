internal import Posts
internal import Store

/// The client that opens a view.
enum Viewer {
  /// A TCP client without a token. It sees only that it is signed out.
  case signedOut
  case signedIn(Caller)

  /// The account that opens the view; nil if the client is signed out.
  var account: AccountID? {
    if case .signedIn(let caller) = self { caller.account.id } else { nil }
  }

  /// True if the view may only look: it changes nothing in its session.
  var mayOnlyLook: Bool {
    if case .signedIn(let caller) = self { !caller.scopes.contains(.panes) } else { true }
  }
}

internal import Messages
internal import Store

/// The scopes of a caller: those that the store keeps for a token.
typealias Scopes = TokenScopes

extension TokenScopes {
  /// Every scope.
  static let all: TokenScopes = [.view, .panes, .post, .admin]

  /// The set of one scope.
  init(_ scope: Scope) {
    self =
      switch scope {
      case .view: .view
      case .panes: .panes
      case .post: .post
      case .admin: .admin
      }
  }

  /// The set of a message's scopes; duplicates count once.
  init(_ scopes: [Scope]) { self = scopes.reduce([]) { $0.union(TokenScopes($1)) } }

  /// The scopes in the form that messages use.
  var list: [Scope] { Scope.allCases.filter { contains(TokenScopes($0)) } }
}

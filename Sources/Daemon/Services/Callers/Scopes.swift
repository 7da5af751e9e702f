internal import Messages
internal import Store

/// What a caller may do: what a token of the store allows.
typealias Scopes = TokenScopes

extension TokenScopes {
  /// All of it.
  static let all: TokenScopes = [.view, .post, .admin]

  /// One of them.
  init(_ scope: Scope) {
    self =
      switch scope {
      case .view: .view
      case .post: .post
      case .admin: .admin
      }
  }

  /// Those of a message; the same one twice counts once.
  init(_ scopes: [Scope]) { self = scopes.reduce([]) { $0.union(TokenScopes($1)) } }

  /// As a message has them.
  var list: [Scope] { Scope.allCases.filter { contains(TokenScopes($0)) } }
}

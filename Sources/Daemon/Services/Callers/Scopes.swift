internal import Messages

/// What a caller may do; the bits are those in the store.
struct Scopes: OptionSet, Sendable, Hashable {
  let rawValue: Int64
  init(rawValue: Int64) { self.rawValue = rawValue }

  /// To look.
  static let view = Scopes(.view)
  /// To change what others may see.
  static let post = Scopes(.post)
  /// To look after the daemon.
  static let admin = Scopes(.admin)
  /// All of it.
  static let all: Scopes = [.view, .post, .admin]

  /// One of them.
  init(_ scope: Scope) { self.init(rawValue: 1 << Int64(scope.rawValue - 1)) }

  /// Those of a message; the same one twice counts once.
  init(_ scopes: [Scope]) { self = scopes.reduce([]) { $0.union(Scopes($1)) } }

  /// As a message has them.
  var list: [Scope] { Scope.allCases.filter { contains(Scopes($0)) } }

  /// By their names, for people.
  var words: String { list.map { "\($0)" }.joined(separator: ", ") }
}

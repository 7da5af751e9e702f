public import Posts

/// An attached client.
public struct ViewID: Hashable, Sendable {
  public let rawValue: UInt64
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// A call that waits for an answer. The shell chooses the token and gets it back with the answer.
public struct RequestToken: Hashable, Sendable {
  public let rawValue: UInt64
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// The session that a view belongs to.
public enum SessionKey: Hashable, Sendable {
  /// A session that commands address by its account and name; it is stored. ``init(account:name:)`` applies the default
  /// name.
  case named(AccountID, String)
  /// An ephemeral session: a section or search that views opened directly, shared by all views of the account that show
  /// the same. It has no name, so no command can address it; it is never stored and ends with its last view.
  case ephemeral(AccountID, PaneContent)
  /// The session of all views without a signed-in account: a launch pane. It is never stored.
  case signedOut

  /// The default session name.
  public static let mainName = "main"

  /// The session `name` of `account`; an empty name means "main".
  public init(account: AccountID, name: String) { self = .named(account, name.isEmpty ? Self.mainName : name) }

  /// The session "main" of an account.
  public static func main(of account: AccountID) -> SessionKey { .named(account, mainName) }

  /// The account that the session belongs to; nil if it is signed out.
  public var account: AccountID? {
    switch self {
    case .named(let account, _), .ephemeral(let account, _): account
    case .signedOut: nil
    }
  }

  /// The name that clients are told; empty for ephemeral sessions.
  public var name: String {
    switch self {
    case .named(_, let name): name
    case .ephemeral: ""
    case .signedOut: Self.mainName
    }
  }

  /// True for a session that is never stored.
  var isEphemeral: Bool { if case .named = self { false } else { true } }
}

/// A load that the engine waits for.
public struct LoadID: Hashable, Sendable {
  public let rawValue: UInt64
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

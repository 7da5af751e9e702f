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

/// A named session of an account, or an ephemeral one.
public struct SessionKey: Hashable, Sendable {
  public var account: AccountID
  /// Empty for ephemeral sessions.
  public var name: String
  /// The content of an ephemeral session: a section or search that views opened directly, shared by all that show the
  /// same. Ephemeral sessions have no name, so no command can address them; they are never stored and end with their
  /// last view. Nil for named sessions.
  public let content: PaneContent?

  /// The default session name.
  static let mainName = "main"

  /// The session `name` of `account`; an empty name means "main".
  public init(account: AccountID, name: String) {
    self.account = account
    self.name = name.isEmpty ? Self.mainName : name
    content = nil
  }

  /// The ephemeral session shared by an account's views of a section or of the results of a search.
  public init(account: AccountID, showing content: PaneContent) {
    self.account = account
    name = ""
    self.content = content
  }

  /// True for a session that is never stored.
  var isEphemeral: Bool { content != nil }
}

/// A load that the engine waits for.
public struct LoadID: Hashable, Sendable {
  public let rawValue: UInt64
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

public import Posts

/// One attached client.
public struct ViewID: Hashable, Sendable {
  public let rawValue: UInt64
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// A call that waits for an answer; chosen by the shell, handed back with the answer.
public struct RequestToken: Hashable, Sendable {
  public let rawValue: UInt64
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// A session of an account, or what stands in for one where views name what they show.
public struct SessionKey: Hashable, Sendable {
  public var account: AccountID
  /// Empty where there is a content.
  public var name: String
  /// What a passing session shows: one that views have among them which show the same and are attached to no other. It
  /// has no name that a command could call it by, is never stored, and goes with the last of the views. Nil for one
  /// that has a name.
  public let content: PaneContent?

  /// What a session is called that is given no name.
  static let mainName = "main"

  /// The session `name` of `account`; an empty name is "main".
  public init(account: AccountID, name: String) {
    self.account = account
    self.name = name.isEmpty ? Self.mainName : name
    content = nil
  }

  /// The passing session of an account's views that show a section, or what a search finds.
  public init(account: AccountID, showing content: PaneContent) {
    self.account = account
    name = ""
    self.content = content
  }

  /// Whether nothing of it is ever stored.
  var isPassing: Bool { content != nil }
}

/// A load the engine waits for.
public struct LoadID: Hashable, Sendable {
  public let rawValue: UInt64
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

public import Posts

/// An account elsewhere that a source's program speaks for.
public struct StoredLogin: Equatable, Sendable {
  public var source: String
  public var name: String
  /// Its account here, and that account's name.
  public var account: AccountID
  public var accountName: String
}

/// A session as the store keeps it.
public struct StoredSession: Equatable, Sendable {
  public var name: String
  /// ``PaneStack/encoded``.
  public var bytes: [UInt8]
  /// Of its last change.
  public var revision: UInt64

  /// Puts the parts together.
  public init(name: String, bytes: [UInt8], revision: UInt64) {
    self.name = name
    self.bytes = bytes
    self.revision = revision
  }
}

/// A session, for a list of them.
public struct SessionSummary: Equatable, Sendable {
  public var name: String
  /// Titles of its panes, bottom first.
  public var panes: [String]
  /// Views that are attached to it.
  public var views: Int
  /// Of its last change.
  public var revision: UInt64

  /// Puts the parts together.
  public init(name: String, panes: [String], views: Int, revision: UInt64) {
    self.name = name
    self.panes = panes
    self.views = views
    self.revision = revision
  }
}

/// A session as stored.
public struct StoredSession: Equatable, Sendable {
  public var name: String
  /// ``PaneStack/encoded``.
  public var bytes: [UInt8]
  /// The revision of its last change.
  public var revision: UInt64

  public init(name: String, bytes: [UInt8], revision: UInt64) {
    self.name = name
    self.bytes = bytes
    self.revision = revision
  }
}

/// An entry in a list of sessions.
public struct SessionListing: Equatable, Sendable {
  public var name: String
  /// Titles of its panes, bottom pane first.
  public var panes: [String]
  /// The views attached to it, by number.
  public var views: [ViewID]
  /// The revision of its last change.
  public var revision: UInt64

  public init(name: String, panes: [String], views: [ViewID], revision: UInt64) {
    self.name = name
    self.panes = panes
    self.views = views
    self.revision = revision
  }
}

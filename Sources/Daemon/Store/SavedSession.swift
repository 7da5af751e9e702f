/// A session as it was saved: its state is the engine's business, to the store it is bytes.
public struct SavedSession: Equatable, Sendable {
  /// Unique among the sessions of one account.
  public var name: String
  /// What ``Write/saveSession(_:name:bytes:)`` was given.
  public var bytes: [UInt8]
  /// The revision of the commit that last changed it.
  public var revision: UInt64

  public init(name: String, bytes: [UInt8], revision: UInt64) {
    self.name = name
    self.bytes = bytes
    self.revision = revision
  }
}

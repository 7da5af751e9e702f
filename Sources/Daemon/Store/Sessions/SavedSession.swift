/// A session as it was saved: its state is the engine's business, to the store it is bytes.
public struct SavedSession: Equatable, Sendable {
  /// Unique among the sessions of one account.
  public var name: String
  /// What ``Write/saveSession(_:name:bytes:)`` was given last; empty before the first time.
  public var bytes: [UInt8]
  /// The revision of the commit that last changed it; 0 before the first time.
  public var revision: UInt64
  /// What ``Write/savePlaces(_:session:bytes:)`` was given last; empty before the first time.
  public var places: [UInt8]
  /// The revision of the commit that last changed them; 0 before the first time.
  public var placesRevision: UInt64

  public init(name: String, bytes: [UInt8], revision: UInt64, places: [UInt8] = [], placesRevision: UInt64 = 0) {
    self.name = name
    self.bytes = bytes
    self.revision = revision
    self.places = places
    self.placesRevision = placesRevision
  }
}

/// A saved session. Its state belongs to the engine; to the store it is bytes.
public struct SavedSession: Equatable, Sendable {
  /// Unique among the sessions of one account.
  public var name: String
  /// The bytes last saved by ``Write/saveSession(_:name:bytes:)``; empty before the first time.
  public var bytes: [UInt8]
  /// The revision of the commit that last changed `bytes`; 0 before the first time.
  public var revision: UInt64
  /// The bytes last saved by ``Write/savePlaces(_:session:bytes:)``; empty before the first time.
  public var places: [UInt8]
  /// The revision of the commit that last changed `places`; 0 before the first time.
  public var placesRevision: UInt64

  public init(name: String, bytes: [UInt8], revision: UInt64, places: [UInt8] = [], placesRevision: UInt64 = 0) {
    self.name = name
    self.bytes = bytes
    self.revision = revision
    self.places = places
    self.placesRevision = placesRevision
  }
}

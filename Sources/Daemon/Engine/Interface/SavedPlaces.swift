public import Posts
public import ViewState

/// Reads the parts of ``Effect/savePlaces(_:_:)``'s bytes that code outside the engine needs.
public enum SavedPlaces {
  /// Returns the row up to which each section has been read. O(bytes).
  public static func readings(in bytes: [UInt8]) -> [Section: OrderKey] {
    Places(decoding: bytes, revision: 0).readings.mapValues(\.anchor.key)
  }
}

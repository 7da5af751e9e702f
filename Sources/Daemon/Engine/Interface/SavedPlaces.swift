public import Posts
public import ViewState

/// What others than the engine read in the bytes of ``Effect/savePlaces(_:_:)``.
public enum SavedPlaces {
  /// Returns the row up to which each section has been read. O(bytes).
  public static func readings(in bytes: [UInt8]) -> [Section: OrderKey] {
    Places(decoding: bytes, revision: 0).readings.mapValues(\.anchor.key)
  }
}

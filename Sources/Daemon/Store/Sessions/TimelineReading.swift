public import Posts

/// How far accounts have read their timelines, in their sessions of one name. What a session saves is the engine's
/// (``SavedSession/places``): the store has to be told how to read it.
public struct TimelineReading: Sendable {
  /// The name of the sessions.
  let session: String
  /// Returns the row up to which a timeline has been read; nil if nothing was.
  let position: @Sendable ([UInt8]) -> OrderKey?

  public init(session: String, position: @escaping @Sendable ([UInt8]) -> OrderKey?) {
    (self.session, self.position) = (session, position)
  }
}

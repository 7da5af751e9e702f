internal import Engine

extension EngineDriver {
  /// The refusal of a call while the store has too much to do.
  static let busy = EngineError(
    .resourceExhausted, "the store has too many requests waiting; try again in a moment", reason: .busy)

  /// The refusal of a call whose account has too much queued.
  static let tooMuchWaits = EngineError(
    .resourceExhausted, "too many requests of this account are waiting; send fewer at a time", reason: .busy)

  /// The end of a view whose client neither reads nor acknowledges.
  static let stalled = EngineError(
    .resourceExhausted, "the view read and acknowledged nothing for a minute; attach again with resume",
    reason: .stalled)
}

public import Posts

/// An output of the engine. The shell carries out effects in order.
public enum Effect: Equatable, Sendable {
  /// Read from the store and answer with `Input.loaded`.
  case load(LoadID, Load)
  /// Save a session and answer with `Input.sessionSaved`. One at a time for each session.
  case saveSession(SessionKey, [UInt8])
  /// Save the newest entry that an account has seen in a section.
  case markSeen(AccountID, SeenSection, OrderKey)
  /// Rename a session and answer with `Input.sessionSaved` under its old name. Fails with ALREADY_EXISTS if the name is
  /// taken.
  case renameSession(SessionKey, to: String)
  /// Delete a session and answer with `Input.sessionSaved`.
  case deleteSession(SessionKey)
  /// Save the scroll and reading positions of a session, even if the session itself has not been saved, and answer with
  /// `Input.placesSaved`. One at a time for each session.
  case savePlaces(SessionKey, [UInt8])
  /// The views have something to send: fetch it with ``StackEngine/nextFrame(of:at:)`` once their streams can carry it.
  case viewsReady([ViewID])
  /// Data has been waiting for the view's client for a while: record how many bytes the client has read so far.
  case viewBlocked(ViewID)
  /// The view has pending data but has neither read nor acknowledged any of it for
  /// `EngineLimits.frames.stallMilliseconds`: end it with RESOURCE_EXHAUSTED, or answer with `Input.progressed` if its
  /// client has read bytes since they were recorded.
  case viewStalled(ViewID)
  /// End the view's stream with an error. The engine has already removed the view.
  case endView(ViewID, EngineError)
  /// Answer a request for rows.
  case answerRows(RequestToken, RowsAnswer)
  /// Answer a command on a stack with the pane that it created or affected and the revision that shows it.
  case answerStack(RequestToken, pane: UInt64, revision: UInt64)
  /// Answer a slide with the position of the stack; `moved` is true if that has changed.
  case answerSlide(RequestToken, position: Int, moved: Bool)
  /// Answer a request for the account's sessions, sorted by name.
  case answerSessions(RequestToken, [SessionListing])
  /// Refuse a request with an error.
  case refuse(RequestToken, EngineError)
}

public import Posts

/// What leaves the engine: things for the shell to do, in order.
public enum Effect: Equatable, Sendable {
  /// Read from the store and answer with `Input.loaded`.
  case load(LoadID, Load)
  /// Save a session and answer with `Input.sessionSaved`. One at a time for each session.
  case saveSession(SessionKey, [UInt8])
  /// Save that an account has seen a section up to an entry.
  case markSeen(AccountID, SeenSection, OrderKey)
  /// Give a session another name and answer with `Input.sessionSaved`, by its old one. ALREADY_EXISTS where the name is
  /// taken.
  case renameSession(SessionKey, to: String)
  /// Forget a session and answer with `Input.sessionSaved`.
  case deleteSession(SessionKey)
  /// Save where a session is looked at, whether or not the session itself has been saved, and answer with
  /// `Input.placesSaved`. One at a time for each session.
  case savePlaces(SessionKey, [UInt8])
  /// The views have something to send: ask for it with ``StackEngine/nextFrame(of:at:)`` when it can be sent.
  case viewsReady([ViewID])
  /// Something has waited for the view's client for a while: note how many bytes it has taken so far.
  case viewBlocked(ViewID)
  /// The view has taken and acknowledged nothing of what waits for it for
  /// `EngineLimits.frames.stallMilliseconds`: end it with RESOURCE_EXHAUSTED, or answer with `Input.progressed` if bytes
  /// of its frames have moved since they were noted.
  case viewStalled(ViewID)
  /// End the view's stream with an error; the view is gone.
  case endView(ViewID, EngineError)
  /// Answer a request for rows.
  case answerRows(RequestToken, RowsAnswer)
  /// Answer a command on a stack: the pane it made or took, and the revision that shows it.
  case answerStack(RequestToken, pane: UInt64, revision: UInt64)
  /// Answer a slide: where the stack is, and whether it was elsewhere before.
  case answerSlide(RequestToken, position: Int, moved: Bool)
  /// Answer the question which sessions there are, by name.
  case answerSessions(RequestToken, [SessionSummary])
  /// Refuse a request.
  case refuse(RequestToken, EngineError)
}

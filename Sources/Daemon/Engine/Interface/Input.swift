public import Dates
public import Posts
public import ViewState

/// An input of the engine.
public enum Input: Sendable {
  case viewOpened(ViewID, ViewOpening)
  case viewportMoved(ViewID, ViewportParameters)
  /// The client has changed its layout `count` times; this is the latest.
  case layoutChanged(ViewID, LayoutParameters, Zone, count: UInt32 = 1)
  /// The client has chosen the post whose conversation its view shows beside the stack; nil for none.
  case previewChosen(ViewID, PostID?)
  /// The client has displayed this frame and all before it.
  case acknowledged(ViewID, frame: UInt64)
  /// The client has read bytes of the view's frames, although it has acknowledged nothing.
  case progressed(ViewID)
  case viewClosed(ViewID)
  /// A client sends a command to a session.
  case stackCommand(RequestToken, SessionKey, StackCommand)
  /// A client slides a view's stack.
  case stackMoved(RequestToken, ViewID, SlideCommand)
  /// A client asks for the account's sessions.
  case sessionsRequested(RequestToken, AccountID)
  /// A client asks for rows.
  case rowsRequested(RequestToken, RowsRequest)
  /// The store has committed posts.
  case committed(CommittedPosts)
  /// The store has saved, renamed or deleted a session, or failed to. A renamed one is identified by its old name.
  case sessionSaved(SessionKey, Result<UInt64, EngineError>)
  /// The store has saved the scroll and reading positions of a session, or failed to.
  case placesSaved(SessionKey, Result<UInt64, EngineError>)
  /// The store failed to save what an account has seen of a section.
  case seenNotSaved(AccountID, SeenSection)
  /// A load has ended.
  case loaded(LoadID, LoadResult)
  /// `nextDeadline` has passed.
  case timePassed
  /// The daemon is about to stop: save now everything that is saved lazily.
  case flush
}

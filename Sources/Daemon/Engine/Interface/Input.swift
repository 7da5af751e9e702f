public import Dates
public import Posts
public import ViewState

/// What enters the engine.
public enum Input: Sendable {
  case viewOpened(ViewID, ViewOpening)
  case viewportMoved(ViewID, ViewportParameters)
  /// The client has said so `count` times; this is the last of them.
  case layoutChanged(ViewID, LayoutParameters, Zone, count: UInt32 = 1)
  /// The client has shown this frame and those before it.
  case acknowledged(ViewID, frame: UInt64)
  /// Bytes of the view's frames have moved though nothing was acknowledged.
  case progressed(ViewID)
  case viewClosed(ViewID)
  /// A client commands a pane stack.
  case stackCommand(RequestToken, SessionKey, StackCommand)
  /// A client slides the stack of a view.
  case stackMoved(RequestToken, ViewID, SlideCommand)
  /// A client asks which sessions there are.
  case sessionsRequested(RequestToken, AccountID)
  /// A client asks for rows.
  case rowsRequested(RequestToken, RowsRequest)
  /// The store has committed posts.
  case committed(CommittedPosts)
  /// The store has saved, renamed or deleted a session, or could not. A renamed one is called by its old name.
  case sessionSaved(SessionKey, Result<UInt64, EngineError>)
  /// The store has saved where a session is looked at, or could not.
  case placesSaved(SessionKey, Result<UInt64, EngineError>)
  /// The store could not save what an account has seen of a section.
  case seenNotSaved(AccountID, SeenSection)
  /// A load has ended.
  case loaded(LoadID, LoadResult)
  /// `nextDeadline` has come.
  case timePassed
  /// The daemon is about to stop: what is saved lazily is to be saved now.
  case flush
}

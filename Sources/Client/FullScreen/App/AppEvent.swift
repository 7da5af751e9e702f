public import Messages
public import Terminal
public import ViewState

/// An event handled by an ``App``.
public enum AppEvent: Sendable {
  /// A connection is open. A view can be opened on it.
  case connected
  /// The connection was lost or failed, with the reason.
  case disconnected(String)
  /// The view received a frame.
  case frame(Frame)
  /// The view received a message that is not a frame, for this reason.
  case invalidFrame(String)
  /// The view's stream has ended.
  case viewEnded(CallEnd)
  /// The sources of the account have changed; nil if they are no longer watched.
  case sources(WatchSourcesResponse?)
  /// A call was answered. The number is that of the call.
  case answered(UInt64, Result<[UInt8], CallEnd>)
  /// A file is at the source of a new post, or cannot be. The number is that of the effect.
  case uploaded(UInt64, Result<UploadedMedia, CallEnd>)
  /// The user typed, pasted or used the mouse.
  case input(InputEvent)
  /// The terminal has a new size.
  case resized(columns: Int, lines: Int)
  /// The last picture is on the screen.
  case painted
  /// The time of ``App/nextTick`` has come.
  case tick
  /// The user's own editor has ended, with a text or the reason why there is none.
  case edited(Result<String, CallEnd>)
  /// A program that was started has a message.
  case notice(String, isWarning: Bool)
  /// A program that a line asked for could not be started, for this reason.
  case notStarted(String)
  /// The files of a folder, in order; folders end with a slash.
  case files(folder: String, names: [String])
}

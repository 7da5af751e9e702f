internal import Messages

/// The purpose of a call. Commands on the stack are shown by frames; of them only what went wrong is told.
enum CallPurpose: Equatable {
  case select(pane: UInt64, row: UInt64)
  /// A command on the stack; what is done when it changes the topmost pane is in ``TypedAhead``.
  case stack
  case slide
  case detail
  case compose
  /// Counts the text that is being written.
  case count
  /// Keeps what is being written, under this name.
  case saveDraft(key: String)
  case throwAway
  case drafts
  case mark(Marked)
  /// Says of posts that they are read, or unread.
  case readMarks([UInt64], isRead: Bool)
  case undo(isRedo: Bool)
  /// Says what is done then.
  case say(String)
  case sessions
  case renamedSession(String)
}

internal import Messages

/// The purpose of a call. The effect of pane commands is shown by frames, so only their failures are reported.
enum CallPurpose: Equatable {
  case select(pane: UInt64, row: UInt64)
  /// A pane command. ``TypedAhead`` tracks those that change the topmost pane.
  case stack
  case slide
  /// Slides to the focused pane, without being asked to.
  case reveal
  /// Hides replies in a conversation, or shows them.
  case collapse(Bool)
  case detail
  /// Chooses the preview.
  case preview
  case compose
  /// Sends the file of a post to its source.
  case upload
  /// Counts the text in the editor.
  case count
  /// Saves the draft in the editor, under this key.
  case saveDraft(key: String)
  case deleteDraft
  case drafts
  /// Finds the next row with words (1), or the previous one (-1).
  case find(Int, pane: UInt64)
  /// Asks who is here, to notice mentions of no one.
  case names
  case mark(Marked)
  /// Marks posts as read or unread.
  case readMarks([UInt64], isRead: Bool)
  case undo(isRedo: Bool)
  /// Follows an author, by the name that was given.
  case follow(String)
  /// Any other call. The notice is shown on success.
  case notice(String)
  case sessions
  /// Lists values that complete what is typed.
  case values(KnownValues.Kind)
  /// Asks for what is known about a post, to show it in a box.
  case details
  /// Asks for a list to show in a menu.
  case listing(Listing)
  case renamedSession(String)

  /// True if the answer opens a box, on which the keys that follow act.
  var opensBox: Bool {
    switch self {
    case .sessions, .details, .listing: true
    default: false
    }
  }
}

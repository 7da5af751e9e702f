/// A group of keys in the list of keys.
enum KeyGroup: String, CaseIterable {
  case move = "Move"
  case read = "Read"
  case open = "Open"
  case panes = "Panes"
  case write = "Write"
  case program = "Program"
}

extension Action {
  /// The group of the action's keys.
  var group: KeyGroup {
    switch self {
    case .nextRow, .previousRow, .firstRow, .lastRow, .pageDown, .pageUp, .halfPageDown, .halfPageUp, .lineDown,
      .lineUp, .nextUnread, .previousUnread, .goToDate, .parent, .nextSibling, .find, .findNext,
      .findPrevious:
      .move
    case .nextDetail, .previousDetail, .followNewest, .refresh, .refreshAll, .refreshFeeds, .reveal, .limit,
      .clearLimit,
      .dismiss, .collapse, .expand, .toggleRead, .markVisibleRead, .copyLink, .copyText, .details, .pipe:
      .read
    case .open, .openThread, .openAuthor, .openUser, .openTag, .openLink, .openInBrowser, .media, .search, .timeline,
      .mentions, .lists, .messages, .profile, .searches, .saved, .favourites, .people, .drafts, .outbox, .muted,
      .follows, .followers, .imports, .sources:
      .open
    case .focusLeft, .focusRight, .focusNext, .focusPrevious, .close, .closeOthers, .back, .forward, .slideLeft,
      .slideRight, .wider, .narrower, .standardWidth, .zoom, .preview, .previewDown, .previewUp, .pane1, .pane2, .pane3,
      .pane4, .pane5, .pane6, .pane7,
      .pane8, .pane9, .sessions:
      .panes
    case .compose, .composeInEditor, .composeDirect, .reply, .edit, .favourite, .repost, .save, .muteConversation,
      .undo, .redo,
      .delete, .retry, .discard, .mute:
      .write
    default: .program
    }
  }

  /// The actions that go to a pane by its number.
  static let numberedPanes: [Action] = [.pane1, .pane2, .pane3, .pane4, .pane5, .pane6, .pane7, .pane8, .pane9]
}

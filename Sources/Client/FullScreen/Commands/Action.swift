/// Everything that can be asked for, with a key or by name. The raw value is the name in key files and on the command
/// line.
///
/// Each action has an entry in the table of commands (``command``) and a line in ``App`` that performs it. Actions of
/// the panes are in the order of the help, actions with arguments in the order of the palette's suggestions.
public enum Action: String, CaseIterable, Sendable {
  // Rows.
  case nextRow = "next-row"
  case previousRow = "previous-row"
  case firstRow = "first-row"
  case lastRow = "last-row"
  case pageDown = "page-down"
  case pageUp = "page-up"
  case halfPageDown = "half-page-down"
  case halfPageUp = "half-page-up"
  case lineDown = "line-down"
  case lineUp = "line-up"
  case nextDetail = "next-detail"
  case previousDetail = "previous-detail"
  case followNewest = "follow-newest"
  case nextUnread = "next-unread"
  case previousUnread = "previous-unread"
  case refresh
  case refreshAll = "refresh-all"
  case refreshFeeds = "feed-refresh"
  case goToDate = "go-to-date"
  case reveal
  case limit
  case clearLimit = "clear-limit"
  case dismiss
  case find
  case findNext = "find-next"
  case findPrevious = "find-previous"

  // Opening what rows lead to.
  case open
  case openThread = "open-thread"
  case openAuthor = "open-author"
  case openUser = "open-user"
  case openTag = "open-tag"
  case openLink = "open-link"
  case openInBrowser = "open-in-browser"
  case media
  case copyLink = "copy-link"
  case copyText = "copy-text"
  case details
  case pipe
  case search

  // Threads.
  case parent
  case nextSibling = "next-sibling"
  case collapse
  case expand

  // Panes.
  case focusLeft = "focus-left"
  case focusRight = "focus-right"
  case focusNext = "focus-next"
  case focusPrevious = "focus-previous"
  case close
  case closeOthers = "close-others"
  case back
  case forward
  case slideLeft = "slide-left"
  case slideRight = "slide-right"
  case wider
  case narrower
  case standardWidth = "standard-width"
  case zoom
  case preview
  case previewDown = "preview-down"
  case previewUp = "preview-up"
  case pane1 = "pane-1"
  case pane2 = "pane-2"
  case pane3 = "pane-3"
  case pane4 = "pane-4"
  case pane5 = "pane-5"
  case pane6 = "pane-6"
  case pane7 = "pane-7"
  case pane8 = "pane-8"
  case pane9 = "pane-9"
  case timeline
  case mentions
  case lists
  case messages
  case profile
  case searches
  case sessions
  case saved
  case favourites
  case people
  case drafts
  case outbox
  case muted
  case follows
  case followers
  case imports
  case sources

  // Writing and actions on posts.
  case compose
  case composeInEditor = "compose-in-editor"
  case composeDirect = "compose-direct"
  case reply
  case edit
  case favourite
  case repost
  case save
  case muteConversation = "mute-conversation"
  case toggleRead = "toggle-read"
  case markVisibleRead = "mark-visible-read"
  case undo
  case redo
  case delete
  case retry
  case discard

  // Commands with arguments, by name.
  case author
  case conversation
  case list
  case tag
  case direct
  case post
  case message
  case follow
  case unfollow
  case approve
  case refuse
  case removeFollower = "remove-follower"
  case mute
  case unmute
  case block
  case unblock
  case muteWord = "mute-word"
  case unmuteWord = "unmute-word"
  case makeList = "list-make"
  case renameList = "list-rename"
  case deleteList = "list-delete"
  case addToList = "list-add"
  case removeFromList = "list-remove"
  case addFeed = "feed-add"
  case removeFeed = "feed-remove"
  case feedHistory = "feed-why"
  case session
  case renameSession = "session-rename"
  case deleteSession = "session-delete"
  case date
  case theme
  case width
  case importFile = "import"
  case accountName = "account-name"
  case accountAbout = "account-about"

  // The program.
  case palette
  case help
  case mouse
  case interrupt
  case quit
  case redraw
  case suspend

  // Inside an overlay.
  case confirm
  case cancel
  case choose
  case next
  case previous
  case complete
  case send
  case toEditor = "to-editor"
  case audience
  case warning
  case language
  case attach = "attach-file"
  case newLine = "new-line"
  case left
  case right
  case up
  case down
  case wordLeft = "word-left"
  case wordRight = "word-right"
  case lineStart = "line-start"
  case lineEnd = "line-end"
  case textStart = "text-start"
  case textEnd = "text-end"
  case deleteBackward = "delete-backward"
  case deleteForward = "delete-forward"
  case deleteWord = "delete-word"
  case deleteToStart = "delete-to-start"
  case deleteToEnd = "delete-to-end"
  case undoTyping = "undo-typing"
  case redoTyping = "redo-typing"
}

internal import ViewState

/// An entry in the table of commands.
struct Command {
  /// A short summary.
  let summary: String
  /// The keys in the panes, by name; nil if the command has no meaning there.
  let keys: [String]?
  /// The arguments it takes on the command line; nil for none.
  let words: Words?
  /// The mark that it sets on the selected post, or removes.
  var mark: MarkKind?

  /// The arguments of a command on the command line.
  struct Words {
    /// The summary of the command with these arguments.
    let summary: String
    /// A placeholder for each argument. The last one takes the rest of the line.
    let needs: [String]
  }

  /// A command of the panes, with its keys.
  static func panes(_ summary: String, _ keys: String..., words: Words? = nil) -> Command {
    Command(summary: summary, keys: keys, words: words)
  }

  /// A command that sets a mark of the selected post, or removes it.
  static func marks(_ mark: MarkKind, _ summary: String, _ keys: String...) -> Command {
    Command(summary: summary, keys: keys, words: nil, mark: mark)
  }

  /// A command that is entered by name, with arguments.
  static func asked(_ summary: String, _ needs: String...) -> Command {
    Command(summary: summary, keys: nil, words: Words(summary: summary, needs: needs))
  }

  /// A command of the overlays, whose keys are in ``StandardKeys``.
  static func over(_ summary: String) -> Command { Command(summary: summary, keys: nil, words: nil) }
}

extension Action {
  /// A short summary.
  public var summary: String { command.summary }

  /// The table of commands.
  var command: Command {
    switch self {
    // Rows.
    case .nextRow: .panes("Next post", "j", "down")
    case .previousRow: .panes("Previous post", "k", "up")
    case .firstRow: .panes("Go to the top", "g", "home")
    case .lastRow: .panes("Go to the bottom", "G", "end")
    case .pageDown: .panes("Scroll down one page", "space", "pgdn")
    case .pageUp: .panes("Scroll up one page", "-", "pgup")
    case .halfPageDown: .panes("Scroll down half a page", "ctrl-d")
    case .halfPageUp: .panes("Scroll up half a page", "ctrl-u")
    case .lineDown: .panes("Scroll down one line", "ctrl-e")
    case .lineUp: .panes("Scroll up one line", "ctrl-y")
    case .nextDetail: .panes("Next post and its conversation", "J")
    case .previousDetail: .panes("Previous post and its conversation", "K")
    case .followNewest: .panes("Turn following new posts on or off", "F")
    case .nextUnread: .panes("Next unread post, in any pane", "n")
    case .previousUnread: .panes("Previous unread post", "p")
    case .refresh: .panes("Show the new posts in this pane", ".")
    case .refreshAll: .panes("Show the new posts in all panes", "R")
    case .refreshFeeds: .panes("Check your feeds now", "U")
    case .goToDate: .panes("Go to a date", "D")
    case .reveal: .panes("Show all of a folded or hidden post", "Z")
    case .limit: .panes("Filter the posts in this pane", "&")
    case .clearLimit: .panes("Clear the filter", "\\")
    case .find: .panes("Find words in this pane", "ctrl-f")
    case .findNext: .panes("Next post with those words", ">")
    case .findPrevious: .panes("Previous post with those words", "<")
    case .dismiss: .panes("Clear found words, or else the filter", "esc")

    // Opening what rows lead to.
    case .open: .panes("Open in a pane to the right", "enter", "l", "right")
    case .openThread: .panes("Open the post's conversation", "t")
    case .openAuthor: .panes("Open the post's author", "a")
    case .openUser: .panes("Open an author by name", "@")
    case .openTag: .panes("Open a hashtag", "#")
    case .openLink: .panes("Open a link in the post", "o")
    case .openInBrowser: .panes("Open the post in the browser", "v")
    case .media: .panes("Show the post's attachments", "m")
    case .copyLink: .panes("Copy the post's address on the web", "y")
    case .copyText: .panes("Copy the post's text", "Y")
    case .details: .panes("Show number, time, source and readers", "I")
    case .pipe: .panes("Pipe the post, as JSON, to a command", "|")
    case .search:
      .panes(
        "Search all posts", "/",
        words: Command.Words(
          summary: "Search posts: words, from:, #tag, has:link", needs: ["QUERY"]))

    // Threads.
    case .parent: .panes("Go to the post this one replies to", "{")
    case .nextSibling: .panes("Go to the next reply to the same post", "}")
    case .collapse: .panes("Hide the replies below the post", "(")
    case .expand: .panes("Show the replies below the post", ")")

    // Panes.
    case .focusLeft: .panes("Go to the pane on the left", "h", "left")
    case .focusRight: .panes("Go to the pane on the right")
    case .focusNext: .panes("Go to the next pane", "tab")
    case .focusPrevious: .panes("Go to the previous pane", "shift-tab")
    case .close: .panes("Close the last pane, or ask to quit", "q", "backspace")
    case .closeOthers: .panes("Close all panes except the first", "X")
    case .back: .panes("Go back to the previous panes", "[")
    case .forward: .panes("Go forward again", "]")
    case .slideLeft: .panes("Slide the panes left, to newer ones", ",")
    case .slideRight: .panes("Slide the panes right, to older ones", ";")
    case .wider: .panes("Make the pane wider", "+")
    case .narrower: .panes("Make the pane narrower", "_")
    case .standardWidth: .panes("Reset the pane's width", "=")
    case .zoom: .panes("Zoom the pane to full width, or back", "z")
    case .preview: .panes("Preview on wide screens on or off", "P")
    case .previewDown: .panes("Scroll the preview down", "shift-down", "alt-j")
    case .previewUp: .panes("Scroll the preview up", "shift-up", "alt-k")
    case .pane1: .panes("Go to pane 1", "1")
    case .pane2: .panes("Go to pane 2", "2")
    case .pane3: .panes("Go to pane 3", "3")
    case .pane4: .panes("Go to pane 4", "4")
    case .pane5: .panes("Go to pane 5", "5")
    case .pane6: .panes("Go to pane 6", "6")
    case .pane7: .panes("Go to pane 7", "7")
    case .pane8: .panes("Go to pane 8", "8")
    case .pane9: .panes("Go to pane 9", "9")
    case .timeline: .panes("Open the timeline", "ctrl-1", "alt-1")
    case .mentions: .panes("Open mentions", "ctrl-2", "alt-2")
    case .lists: .panes("Open lists", "ctrl-3", "alt-3")
    case .messages: .panes("Open messages", "ctrl-4", "alt-4")
    case .profile: .panes("Open your profile", "ctrl-5", "alt-5")
    case .searches: .panes("Open search", "ctrl-6", "alt-6")
    case .sessions: .panes("Switch to another session", "S")
    case .saved: .panes("Open the posts you saved", "'")
    case .favourites: .panes("Open the posts you favourited", "*")
    case .people: .panes("List who is here")
    case .drafts: .panes("List your drafts")
    case .outbox: .panes("List what waits for a source, or was refused")
    case .muted: .panes("List what you have muted and blocked")
    case .follows: .panes("List the authors you follow")
    case .followers: .panes("List your followers")
    case .imports: .panes("List the imports you can take back")
    case .sources: .panes("List your logins and feeds", "E")

    // Writing and actions on posts.
    case .compose: .panes("Write a post, or a direct reply", "c")
    case .composeInEditor: .panes("Write a post in your editor", "C")
    case .composeDirect: .panes("Write a direct message", "W")
    case .reply: .panes("Reply to the post", "r")
    case .edit: .panes("Edit your post", "e")
    case .favourite: .marks(.favourite, "Favourite the post, or undo it", "f")
    case .repost: .marks(.repost, "Repost the post, or undo it", "b")
    case .save: .marks(.save, "Save the post for yourself, or undo it", "s")
    case .muteConversation: .marks(.mute, "Mute or unmute the conversation", "i")
    case .toggleRead: .panes("Mark the post as read or unread", "N")
    case .markVisibleRead: .panes("Mark all posts on screen as read", "A")
    case .undo: .panes("Undo your last action", "u")
    case .redo: .panes("Redo the action you undid last", "ctrl-r")
    case .delete: .panes("Delete your post; asks first", "d")
    case .retry: .panes("Retry what the post's source refused", "!")
    case .discard: .panes("Discard what was refused or waits", "x")

    // Commands with arguments, by name.
    case .author: .asked("Open an author's posts", "AUTHOR")
    case .conversation: .asked("Open the conversation of a post", "ID")
    case .list: .asked("Open a list", "LIST")
    case .tag: .asked("Search for a hashtag", "TAG")
    case .direct: .asked("Open a direct conversation", "ID")
    case .post: .asked("Write a post", "TEXT")
    case .message: .asked("Write a direct message to someone", "AUTHOR")
    case .follow: .asked("Add an author's posts to your timeline", "AUTHOR")
    case .unfollow: .asked("Unfollow an author, or withdraw your request", "AUTHOR")
    case .approve: .asked("Let an author who has asked follow you", "AUTHOR")
    case .refuse: .asked("Refuse an author's request to follow you", "AUTHOR")
    case .removeFollower: .asked("Remove a follower without notifying them", "AUTHOR")
    case .mute:
      .panes(
        "Mute or unmute the author of this pane", "~",
        words: Command.Words(summary: "Hide an author's posts without notifying them", needs: ["AUTHOR"]))
    case .unmute: .asked("Unmute an author", "AUTHOR")
    case .block: .asked("Mute an author, and end following both ways", "AUTHOR")
    case .unblock: .asked("Unblock an author", "AUTHOR")
    case .muteWord: .asked("Hide posts with a word, phrase or #tag", "WORD")
    case .unmuteWord: .asked("Show posts with a muted word again", "WORD")
    case .makeList: .asked("Create a list", "NAME")
    case .renameList: .asked("Rename a list", "LIST", "NAME")
    case .deleteList: .asked("Delete a list but not its posts; asks first", "LIST")
    case .addToList: .asked("Add an author to a list", "LIST", "AUTHOR")
    case .removeFromList: .asked("Remove an author from a list", "LIST", "AUTHOR")
    case .addFeed: .asked("Subscribe to a feed, or to that of a web page", "URL")
    case .removeFeed: .asked("Unsubscribe from a feed; its posts stay", "FEED")
    case .feedHistory: .asked("Show the last checks of a feed", "FEED")
    case .session: .asked("Switch to a session, creating it if needed", "SESSION")
    case .renameSession: .asked("Rename a session", "SESSION", "NAME")
    case .deleteSession: .asked("Delete a session; asks first", "SESSION")
    case .date: .asked("Go to a date: 2015-11, 1 nov or yesterday", "DATE")
    case .theme: .asked("Change the theme", "THEME")
    case .width: .asked("Set the pane's width in columns; 0 resets it", "COLUMNS")
    case .importFile: .asked("Import posts from a file", "FILE")
    case .accountName: .asked("Set the name beside your @handle", "NAME")
    case .accountAbout: .asked("Set the line about yourself in your profile", "TEXT")

    // The program.
    case .palette: .panes("Open the command line", ":", "ctrl-p")
    case .help: .panes("Show the keys available here", "?")
    case .mouse: .panes("Mouse on or off; Shift selects text", "M")
    case .interrupt: .panes("Press twice to quit", "ctrl-c")
    case .quit: .panes("Quit; the daemon keeps running", "Q")
    case .redraw: .panes("Redraw the screen", "ctrl-l")
    case .suspend: .panes("Suspend to the shell; fg returns", "ctrl-z")

    // Inside an overlay.
    case .confirm: .over("Yes")
    case .cancel: .over("Cancel or close")
    case .choose: .over("OK")
    case .next: .over("Next item")
    case .previous: .over("Previous item")
    case .complete: .over("Complete the word")
    case .send: .over("Send the post")
    case .toEditor: .over("Continue in your editor")
    case .audience: .over("Change who can see the post")
    case .warning: .over("Content warning")
    case .language: .over("Language of the post")
    case .attach: .over("Attach a file to the post")
    case .newLine: .over("New line")
    case .left: .over("Move left")
    case .right: .over("Move right")
    case .up: .over("Move up")
    case .down: .over("Move down")
    case .wordLeft: .over("Move one word left")
    case .wordRight: .over("Move one word right")
    case .lineStart: .over("Go to the start of the line")
    case .lineEnd: .over("Go to the end of the line")
    case .textStart: .over("Go to the start of the text")
    case .textEnd: .over("Go to the end of the text")
    case .deleteBackward: .over("Delete the character before the cursor")
    case .deleteForward: .over("Delete the character after the cursor")
    case .deleteWord: .over("Delete the word before the cursor")
    case .deleteToStart: .over("Delete to the start of the line")
    case .deleteToEnd: .over("Delete to the end of the line")
    case .undoTyping: .over("Undo typing")
    case .redoTyping: .over("Redo typing")
    }
  }
}

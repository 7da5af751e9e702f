internal import ViewState

/// An entry of the table of commands.
struct Command {
  /// The summary, in a few words.
  let summary: String
  /// Its keys in the panes, by name; nil where it means nothing there.
  let keys: [String]?
  /// The words that it takes behind its name; nil for none.
  let words: Words?
  /// The mark that it gives the selected post, or takes from it.
  var mark: MarkKind?

  /// The words that a command takes on the command line.
  struct Words {
    /// The summary of the command with them.
    let summary: String
    /// Each of them by what it names; the last takes all that is left.
    let needs: [String]
  }

  /// A command of the panes, with its keys.
  static func panes(_ summary: String, _ keys: String..., words: Words? = nil) -> Command {
    Command(summary: summary, keys: keys, words: words)
  }

  /// A command that marks the selected post, or takes the mark from it.
  static func marks(_ mark: MarkKind, _ summary: String, _ keys: String...) -> Command {
    Command(summary: summary, keys: keys, words: nil, mark: mark)
  }

  /// A command that is asked for by its name, with words behind it.
  static func asked(_ summary: String, _ needs: String...) -> Command {
    Command(summary: summary, keys: nil, words: Words(summary: summary, needs: needs))
  }

  /// A command of what lies over the panes, whose keys are in ``StandardKeys``.
  static func over(_ summary: String) -> Command { Command(summary: summary, keys: nil, words: nil) }
}

extension Action {
  /// The summary, in a few words.
  public var summary: String { command.summary }

  /// The table of commands.
  var command: Command {
    switch self {
    // Rows.
    case .nextRow: .panes("the next post", "j", "down")
    case .previousRow: .panes("the previous post", "k", "up")
    case .firstRow: .panes("the first", "g", "home")
    case .lastRow: .panes("the last", "G", "end")
    case .pageDown: .panes("a page down", "space", "pgdn")
    case .pageUp: .panes("a page up", "-", "pgup")
    case .halfPageDown: .panes("half a page down", "ctrl-d")
    case .halfPageUp: .panes("half a page up", "ctrl-u")
    case .lineDown: .panes("a line down", "ctrl-e")
    case .lineUp: .panes("a line up", "ctrl-y")
    case .nextDetail: .panes("the next post, and its conversation in the pane beside it", "J")
    case .previousDetail: .panes("the previous post, likewise", "K")
    case .followNewest: .panes("stay at the newest post, or stop doing so", "F")
    case .nextUnread: .panes("the next unread post, in this pane or another", "n")
    case .previousUnread: .panes("the unread post before it", "p")
    case .refresh: .panes("show what waits above in this pane", ".")
    case .refreshAll: .panes("show it in all panes", "R")
    case .goToDate: .panes("go to a date", "D")
    case .reveal: .panes("show what a content warning hides, or hide it", "Z")
    case .limit: .panes("limit the pane to some of its posts", "&")
    case .clearLimit: .panes("show all of them again", "\\")

    // What rows lead to.
    case .open: .panes("open it in a pane to the right, or go there", "enter", "l", "right")
    case .openThread: .panes("the conversation around the post", "t")
    case .openAuthor: .panes("its author", "a")
    case .openUser: .panes("an author, by name", "@")
    case .openTag: .panes("a hashtag", "#")
    case .openLink: .panes("a link of the post, by its number", "o")
    case .openInBrowser: .panes("the post in the browser", "v")
    case .media: .panes("its attachments, and what they show", "m")
    case .copyLink: .panes("copy the post's address", "y")
    case .copyText: .panes("copy its text", "Y")
    case .pipe: .panes("give the post, as JSON, to a command", "|")
    case .search:
      .panes(
        "search everything", "/",
        words: Command.Words(
          summary: "find posts: words, \"phrases\", from:, #tag, before:, after:, has:link", needs: ["QUERY"]))

    // Threads.
    case .parent: .panes("what the post answers", "{")
    case .nextSibling: .panes("the next answer to the same post", "}")
    case .collapse: .panes("hide the answers below the post", "(")
    case .expand: .panes("show them", ")")

    // Panes.
    case .focusLeft: .panes("go to the pane on the left", "h", "left")
    case .focusRight: .panes("go to the pane on the right")
    case .focusNext: .panes("go to the next pane", "tab")
    case .focusPrevious: .panes("go to the previous pane", "shift-tab")
    case .close: .panes("close the last pane; at the first, ask whether to leave", "q", "esc", "backspace")
    case .closeOthers: .panes("close all panes but the first", "X")
    case .back: .panes("back to the panes before", "[")
    case .forward: .panes("forward again", "]")
    case .slideLeft: .panes("slide the panes to the left, towards newer ones", ",")
    case .slideRight: .panes("slide them to the right", ";")
    case .wider: .panes("make the pane wider", "+")
    case .narrower: .panes("make it narrower", "_")
    case .standardWidth: .panes("make it as wide as others", "=")
    case .zoom: .panes("make it as wide as the screen, or as it was", "z")
    case .pane1: .panes("go to pane 1", "1")
    case .pane2: .panes("go to pane 2", "2")
    case .pane3: .panes("go to pane 3", "3")
    case .pane4: .panes("go to pane 4", "4")
    case .pane5: .panes("go to pane 5", "5")
    case .pane6: .panes("go to pane 6", "6")
    case .pane7: .panes("go to pane 7", "7")
    case .pane8: .panes("go to pane 8", "8")
    case .pane9: .panes("go to pane 9", "9")
    case .timeline: .panes("the timeline", "ctrl-1", "alt-1")
    case .mentions: .panes("mentions", "ctrl-2", "alt-2")
    case .lists: .panes("lists", "ctrl-3", "alt-3")
    case .messages: .panes("messages", "ctrl-4", "alt-4")
    case .profile: .panes("your profile", "ctrl-5", "alt-5")
    case .searches: .panes("search", "ctrl-6", "alt-6")
    case .sessions: .panes("go to another session", "S")

    // Writing, and what is done to posts.
    case .compose: .panes("write a post", "c")
    case .composeInEditor: .panes("write one in your editor", "C")
    case .reply: .panes("answer the post", "r")
    case .edit: .panes("give a post of yours another text", "e")
    case .favourite: .marks(.favourite, "favourite the post, or take that back", "f")
    case .repost: .marks(.repost, "repost it, or take that back", "b")
    case .save: .marks(.save, "save it for yourself, or take that back", "s")
    case .muteConversation: .marks(.mute, "mute its conversation, or take that back", "i")
    case .toggleRead: .panes("mark the post as read, or as unread", "N")
    case .markVisibleRead: .panes("mark all posts that are seen as read", "A")
    case .undo: .panes("take back what you did last", "u")
    case .redo: .panes("do again what you took back", "ctrl-r")
    case .delete: .panes("delete a post of yours; asks first", "d")
    case .retry: .panes("ask its source again for what it refused", "!")
    case .discard: .panes("forget what its source refused; asks first", "x")

    // What is asked for by its name, with words behind it.
    case .author: .asked("open an author's posts", "AUTHOR")
    case .conversation: .asked("open the conversation around a post", "ID")
    case .list: .asked("open a list", "LIST")
    case .tag: .asked("find a hashtag", "TAG")
    case .direct: .asked("open a direct conversation", "NUMBER")
    case .post: .asked("write a post", "TEXT")
    case .follow: .asked("take an author's posts into your timeline", "AUTHOR")
    case .unfollow: .asked("take them out of it", "AUTHOR")
    case .mute:
      .panes(
        "mute the author whose posts these are, or take that back", "~",
        words: Command.Words(summary: "hide an author's posts; they are not told", needs: ["AUTHOR"]))

    // What is asked for by its name, with words behind it.
    case .unmute: .asked("show them again", "AUTHOR")
    case .block: .asked("mute an author, and neither of you follows the other", "AUTHOR")
    case .unblock: .asked("the end of that", "AUTHOR")
    case .muteWord: .asked("hide posts with a word, a phrase or a #tag", "WORD")
    case .unmuteWord: .asked("show them again", "WORD")
    case .makeList: .asked("make a list", "NAME")
    case .renameList: .asked("give a list another name", "LIST", "NAME")
    case .deleteList: .asked("delete a list, and not its posts; asks first", "LIST")
    case .addToList: .asked("put an author into a list", "LIST", "AUTHOR")
    case .removeFromList: .asked("take an author out of it", "LIST", "AUTHOR")
    case .session: .asked("go to a session, which is made if there is none", "NAME")
    case .renameSession: .asked("give a session another name", "OLD", "NEW")
    case .deleteSession: .asked("forget a session; asks first", "NAME")
    case .date: .asked("go to a date: 2024-03-03, or 2h, 3d, 1w ago", "DATE")
    case .theme: .asked("change how things look", "NAME")
    case .width: .asked("make the pane so many columns wide; 0 is as wide as others", "COLUMNS")
    case .importFile: .asked("bring posts in from a file", "FILE")

    // The program.
    case .palette: .panes("the command line", ":", "ctrl-p")
    case .help: .panes("the keys that are valid here", "?")
    case .mouse: .panes("mouse on or off (Shift and drag selects text while it is on)", "M")
    case .interrupt: .panes("twice: leave", "ctrl-c")
    case .quit: .panes("leave; the daemon stays", "Q")
    case .redraw: .panes("draw the screen again", "ctrl-l")
    case .suspend: .panes("to the shell, until it says fg", "ctrl-z")

    // Inside of what lies over the panes.
    case .confirm: .over("yes")
    case .cancel: .over("leave it")
    case .choose: .over("take it")
    case .next: .over("the next one")
    case .previous: .over("the previous one")
    case .complete: .over("complete the word")
    case .send: .over("send it")
    case .toEditor: .over("go on in your editor")
    case .newLine: .over("a new line")
    case .left: .over("left")
    case .right: .over("right")
    case .up: .over("up")
    case .down: .over("down")
    case .wordLeft: .over("a word to the left")
    case .wordRight: .over("a word to the right")
    case .lineStart: .over("to the beginning of the line")
    case .lineEnd: .over("to its end")
    case .textStart: .over("to the beginning")
    case .textEnd: .over("to the end")
    case .deleteBackward: .over("delete the letter before")
    case .deleteForward: .over("delete the letter behind")
    case .deleteWord: .over("delete the word before")
    case .deleteToStart: .over("delete to the beginning of the line")
    case .deleteToEnd: .over("delete to its end")
    case .undoTyping: .over("undo")
    case .redoTyping: .over("do it again")
    }
  }
}

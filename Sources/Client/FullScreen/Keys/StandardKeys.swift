internal import Terminal

/// The keys of docs/KEYS.md, in the order in which help tells them: the same letters as in other programs of the kind.
enum StandardKeys {
  /// An action, and its keys by name.
  typealias Entry = (action: Action, keys: [String])

  /// What can be bound in a context; what is not here has no meaning there.
  static let table: [KeyContext: [Entry]] = [
    .panes: panes + everywhere,
    .compose: compose + typing + everywhere,
    .palette: [
      (.choose, ["enter"]), (.cancel, ["esc", "ctrl-c"]), (.complete, ["tab"]), (.next, ["down", "ctrl-n"]),
      (.previous, ["up", "ctrl-p"]),
    ] + typing + everywhere,
    .prompt: [(.choose, ["enter"]), (.cancel, ["esc", "ctrl-c"])] + typing + everywhere,
    .confirm: [(.confirm, ["y"]), (.cancel, ["n", "esc", "q", "ctrl-c"])] + everywhere,
    .menu: [
      (.choose, ["enter", "l", "right"]), (.cancel, ["esc", "q", "h", "left", "ctrl-c"]), (.next, ["j", "down"]),
      (.previous, ["k", "up"]), (.pageDown, ["space", "pgdn"]), (.pageUp, ["-", "pgup"]), (.firstRow, ["g", "home"]),
      (.lastRow, ["G", "end"]),
    ] + everywhere,
    .help: [
      (.cancel, ["esc", "enter", "ctrl-c"]), (.next, ["down", "ctrl-n"]), (.previous, ["up", "ctrl-p"]),
      (.pageDown, ["pgdn"]),
      (.pageUp, ["pgup"]),
    ] + typing + everywhere,
    .message: [(.cancel, ["esc", "q", "enter", "space", "ctrl-c"])] + everywhere,
  ]

  private static let everywhere: [Entry] = [(.redraw, ["ctrl-l"]), (.suspend, ["ctrl-z"])]

  private static let panes: [Entry] = [
    (.nextRow, ["j", "down"]), (.previousRow, ["k", "up"]), (.firstRow, ["g", "home"]), (.lastRow, ["G", "end"]),
    (.pageDown, ["space", "pgdn"]), (.pageUp, ["-", "pgup"]), (.halfPageDown, ["ctrl-d"]), (.halfPageUp, ["ctrl-u"]),
    (.lineDown, ["ctrl-e"]), (.lineUp, ["ctrl-y"]), (.nextDetail, ["J"]), (.previousDetail, ["K"]),
    (.followNewest, ["F"]),
    (.nextUnread, ["n"]), (.previousUnread, ["p"]), (.refresh, ["."]), (.refreshAll, ["R"]),
    (.goToDate, ["D"]), (.reveal, ["Z"]), (.limit, ["&"]), (.clearLimit, ["\\"]),
    (.open, ["enter", "l", "right"]), (.openThread, ["t"]), (.openAuthor, ["a"]), (.openUser, ["@"]), (.openTag, ["#"]),
    (.openLink, ["o"]), (.openInBrowser, ["v"]), (.media, ["m"]), (.copyLink, ["y"]), (.copyText, ["Y"]),
    (.pipe, ["|"]),
    (.search, ["/"]),
    (.parent, ["{"]), (.nextSibling, ["}"]), (.collapse, ["("]), (.expand, [")"]),
    (.focusLeft, ["h", "left"]), (.focusRight, []), (.focusNext, ["tab"]), (.focusPrevious, ["shift-tab"]),
    (.close, ["q", "esc", "backspace"]), (.closeOthers, ["X"]), (.back, ["["]), (.forward, ["]"]), (.slideLeft, [","]),
    (.slideRight, [";"]), (.wider, ["+"]), (.narrower, ["_"]), (.standardWidth, ["="]), (.zoom, ["z"]),
    (.pane1, ["1"]), (.pane2, ["2"]), (.pane3, ["3"]), (.pane4, ["4"]), (.pane5, ["5"]), (.pane6, ["6"]),
    (.pane7, ["7"]),
    (.pane8, ["8"]), (.pane9, ["9"]),
    (.timeline, ["ctrl-1", "alt-1"]), (.mentions, ["ctrl-2", "alt-2"]), (.lists, ["ctrl-3", "alt-3"]),
    (.messages, ["ctrl-4", "alt-4"]), (.profile, ["ctrl-5", "alt-5"]), (.searches, ["ctrl-6", "alt-6"]),
    (.sessions, ["S"]),
    (.compose, ["c"]), (.composeInEditor, ["C"]), (.reply, ["r"]), (.edit, ["e"]), (.favourite, ["f"]),
    (.repost, ["b"]), (.save, ["s"]),
    (.toggleRead, ["N"]), (.markVisibleRead, ["A"]),
    (.undo, ["u"]), (.redo, ["ctrl-r"]), (.delete, ["d"]), (.retry, ["!"]), (.discard, ["x"]), (.mute, ["~"]),
    (.palette, [":", "ctrl-p"]), (.help, ["?"]), (.mouse, ["M"]), (.interrupt, ["ctrl-c"]), (.quit, ["Q"]),
  ]

  private static let compose: [Entry] = [
    (.send, ["ctrl-s", "alt-enter"]), (.cancel, ["esc", "ctrl-c"]), (.toEditor, ["alt-e", "ctrl-g"]),
    (.newLine, ["enter"]),
    (.up, ["up", "ctrl-p"]), (.down, ["down", "ctrl-n"]), (.undoTyping, ["alt-u", "ctrl-_"]), (.redoTyping, ["alt-r"]),
  ]

  private static let typing: [Entry] = [
    (.left, ["left", "ctrl-b"]), (.right, ["right", "ctrl-f"]), (.wordLeft, ["alt-b", "ctrl-left", "alt-left"]),
    (.wordRight, ["alt-f", "ctrl-right", "alt-right"]), (.lineStart, ["home", "ctrl-a"]),
    (.lineEnd, ["end", "ctrl-e"]),
    (.textStart, ["ctrl-home", "alt-<"]), (.textEnd, ["ctrl-end", "alt->"]),
    (.deleteBackward, ["backspace", "ctrl-h"]),
    (.deleteForward, ["delete", "ctrl-d"]), (.deleteWord, ["ctrl-w", "alt-backspace"]), (.deleteToStart, ["ctrl-u"]),
    (.deleteToEnd, ["ctrl-k"]),
  ]
}

extension Keymap {
  /// The keys of docs/KEYS.md.
  public static let standard = {
    var keymap = Keymap()
    for (context, entries) in StandardKeys.table {
      for entry in entries { keymap.bind(entry.keys.compactMap(KeyName.key), to: entry.action, in: context) }
    }
    return keymap
  }()
}

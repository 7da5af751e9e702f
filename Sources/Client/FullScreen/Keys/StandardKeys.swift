/// The keys of docs/KEYS.md, in the order of the help. The letters follow other programs of the kind.
enum StandardKeys {
  /// An action and the names of its keys.
  typealias Entry = (action: Action, keys: [String])

  /// Returns the actions that can have keys in a context, in the order of the help. All others have no meaning there.
  static func entries(in context: KeyContext) -> [Entry] { table[context] ?? [] }

  private static let table: [KeyContext: [Entry]] = [
    .panes: panes,
    .compose: compose + typing + everywhere,
    .palette: [
      (.choose, ["enter"]), (.cancel, ["esc", "ctrl-c"]), quit, (.complete, ["tab"]), (.next, ["down", "ctrl-n"]),
      (.previous, ["up", "ctrl-p"]),
    ] + typing + everywhere,
    .prompt: [
      (.choose, ["enter"]), (.cancel, ["esc", "ctrl-c"]), (.previous, ["up", "ctrl-p"]), (.next, ["down", "ctrl-n"]),
    ] + typing + everywhere,
    .confirm: [
      (.confirm, ["y"]), (.choose, ["enter"]), (.cancel, ["n", "esc", "q", "ctrl-c"]), quit,
    ] + everywhere,
    .menu: [
      (.choose, ["enter", "l", "right"]), (.cancel, ["esc", "q", "h", "left", "ctrl-c"]), quit,
      (.next, ["j", "down"]), (.previous, ["k", "up"]), (.pageDown, ["space", "pgdn"]), (.pageUp, ["-", "pgup"]),
      (.firstRow, ["g", "home"]), (.lastRow, ["G", "end"]),
    ] + everywhere,
    .help: [
      (.cancel, ["esc", "enter", "ctrl-c"]), quit, (.next, ["down", "ctrl-n"]), (.previous, ["up", "ctrl-p"]),
      (.pageDown, ["pgdn"]), (.pageUp, ["pgup"]), (.firstRow, ["home"]), (.lastRow, ["end"]),
    ] + searching + everywhere,
    .message: [(.cancel, ["esc", "q", "enter", "space", "ctrl-c"]), quit] + everywhere,
  ]

  /// The only letter that is a key where text is typed: in the list of keys, and on a command line that is empty.
  private static let quit: Entry = (.quit, ["Q"])

  private static let everywhere: [Entry] = [(.redraw, ["ctrl-l"]), (.suspend, ["ctrl-z"])]

  /// The keys of a text field above a list, to whose ends home and end go.
  private static let searching: [Entry] = typing.map { entry in
    (entry.action, entry.keys.filter { $0 != "home" && $0 != "end" })
  }

  /// The keys of the panes are in the table of commands.
  private static let panes: [Entry] = Action.allCases.compactMap { action in
    action.command.keys.map { (action, $0) }
  }

  private static let compose: [Entry] = [
    (.send, ["ctrl-s", "alt-enter"]), (.cancel, ["esc", "ctrl-c"]), (.toEditor, ["alt-e", "ctrl-g"]),
    (.audience, ["ctrl-v"]), (.warning, ["alt-w"]), (.language, ["alt-l"]), (.attach, ["alt-m"]),
    (.complete, ["tab"]), (.newLine, ["enter"]),
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

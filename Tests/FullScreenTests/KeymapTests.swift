import FullScreen
import Terminal
import Testing

@Suite("Key bindings")
struct KeymapTests {
  private func errors(_ text: String) -> [ConfigurationError] {
    do {
      _ = try Keymap(parsing: Array(text.utf8))
      return []
    } catch { return error.errors }
  }

  @Test("the letters follow other programs") func common() {
    let keymap = Keymap.standard
    for (key, action) in [
      ("j", Action.nextRow), ("k", .previousRow), ("g", .firstRow), ("G", .lastRow), ("r", .reply), ("t", .openThread),
      ("c", .compose),
      ("y", .copyLink), ("o", .openLink), ("?", .help), (":", .palette), ("/", .search), ("q", .close), ("Q", .quit),
      ("[", .back),
    ] as [(Character, Action)] { #expect(keymap.action(for: Key(.character(key)), in: .panes) == action, "\(key)") }
    #expect(
      keymap.action(for: Key(.character("L"), .control), in: .panes) == .redraw, "case is ignored after ctrl")
    #expect(keymap.action(for: Key(.tab, .shift), in: .panes) == .focusPrevious)
    #expect(keymap.action(for: Key(.character("j")), in: .compose) == nil, "letters are text there")
    #expect(keymap.action(for: Key(.character("x"), .alt), in: .panes) == nil)
  }

  @Test("every action is reachable and has a summary") func reachable() {
    for action in Action.allCases {
      #expect(!action.summary.isEmpty)
      let isBound = KeyContext.allCases.contains { !Keymap.standard.keys(for: action, in: $0).isEmpty }
      let isAsked = Palette().suggestions.contains { $0.action == action }
      #expect(isBound || isAsked, "\(action.rawValue) has no key and no name on the command line")
    }
    #expect(Set(Action.allCases.map(\.rawValue)).count == Action.allCases.count)
  }

  @Test("no key has two actions in a context") func unique() {
    for context in KeyContext.allCases {
      let keys = Keymap.standard.bindings(in: context).flatMap(\.keys)
      #expect(Set(keys).count == keys.count, "\(context.rawValue)")
    }
  }

  @Test("letters are never keys where text is typed, except Q in the list of keys and on the command line")
  func letters() {
    for context in KeyContext.allCases where context.isTyping {
      let quitKeys = Keymap.standard.keys(for: .quit, in: context)
      #expect(quitKeys == ([.help, .palette].contains(context) ? ["Q"] : []))
      for binding in Keymap.standard.bindings(in: context) where binding.action != .quit {
        #expect(binding.keys.allSatisfy { $0.count > 1 && $0 != "space" })
      }
    }
  }

  @Test("a file rebinds actions, and takes their keys from other actions") func file() throws {
    let text = """
      # mine
      next-row = ["n", "ctrl-n"]   # as in emacs
      close = []

      [compose]
      'send' = "f2"
      """
    let keymap = try Keymap(parsing: Array(text.utf8))
    #expect(keymap.keys(for: .nextRow, in: .panes) == ["n", "ctrl-n"])
    #expect(keymap.action(for: Key(.character("j")), in: .panes) == nil)
    #expect(keymap.action(for: Key(.character("q")), in: .panes) == nil)
    #expect(keymap.keys(for: .send, in: .compose) == ["f2"])
    let taken = try Keymap(parsing: Array("open-author = \"j\"".utf8))
    #expect(taken.action(for: Key(.character("j")), in: .panes) == .openAuthor)
    #expect(taken.keys(for: .nextRow, in: .panes) == ["down"])
    #expect(try Keymap(parsing: []) == .standard)
  }

  @Test("all errors are reported with their lines") func wrong() {
    let text = """
      next-row = "j"
      previous-row = "j"
      next-rwo = "x"
      help = "pgdwn"
      [compose]
      send = "s"
      collapse = "f3"
      [compse]
      reply = "x"
      [panes]
      reply = 3
      close =
      back = "x" "y"
      forward = "x
      next-row = "k"
      """
    let errors = errors(text)
    #expect(errors.map(\.line) == [2, 3, 4, 6, 7, 8, 11, 12, 13, 14, 15])
    let words = Dictionary(uniqueKeysWithValues: errors.map { ($0.line, $0.message) })
    #expect(words[2] == "\"j\" is already bound to next-row on line 1")
    #expect(words[3] == "unknown action \"next-rwo\"; did you mean \"next-row\"?")
    #expect(words[4] == "unknown key \"pgdwn\"; did you mean \"pgdn\"?")
    #expect(words[6]?.contains("types text in [compose]") == true)
    #expect(words[7] == "\"collapse\" is not an action of [compose]")
    #expect(words[15] == "\"next-row\" is already set on line 1")
  }

  @Test("every context keeps a way out") func ways() {
    #expect(errors("[menu]\ncancel = []").map(\.line) == [2])
    #expect(errors("[confirm]\nconfirm = [\"n\", \"esc\", \"q\", \"ctrl-c\"]").count == 1)
    #expect(errors("quit = []\npalette = []").count == 1)
    #expect(errors("quit = []") == [])
  }

  @Test("help searches summaries and key names") func help() {
    var help = Help(.standard, context: .panes)
    #expect(help.matching == help.bindings)
    help.filter.insert("REPLY")
    #expect(help.matching.map(\.action).contains(.reply))
    #expect(!help.matching.map(\.action).contains(.quit))
    help.filter = LineField("G")
    #expect(help.matching.map(\.action).contains(.lastRow))
    help.filter = LineField("nothing like it")
    #expect(help.matching.isEmpty)
    help.perform(.pageDown, viewHeight: 20)
    #expect(help.scroll == 0)
  }

  @Test("docs/KEYS.md lists all keys") func document() {
    let text = Golden.file("docs/KEYS.md")
    for context in KeyContext.allCases {
      #expect(text.contains("### `[\(context.rawValue)]`"))
      let part = text.components(after: "### `[\(context.rawValue)]`")
      for line in Self.table(context) { #expect(part.contains(line), "missing in [\(context.rawValue)]: \(line)") }
      let rows = part.split(separator: "\n").filter { $0.hasPrefix("| `") }
      #expect(
        rows.count == Self.table(context).count,
        "[\(context.rawValue)] has rows that are not so:\n\(Self.table(context).joined(separator: "\n"))")
    }
  }

  /// Returns the rows of a context's table.
  private static func table(_ context: KeyContext) -> [String] {
    Keymap.standard.actions(in: context).map { action in
      let keys = Keymap.standard.keys(for: action, in: context).map { "`\($0)`" }.joined(separator: " ")
      return "| `\(action.rawValue)` | \(keys.isEmpty ? "none" : keys) | \(action.summary) |"
    }
  }
}

extension String {
  /// Returns the text after a heading, up to the next one.
  fileprivate func components(after heading: String) -> String {
    var lines = split(separator: "\n", omittingEmptySubsequences: false).drop { $0 != heading }.dropFirst()
    lines = lines.prefix { !$0.hasPrefix("#") }
    return lines.joined(separator: "\n")
  }
}

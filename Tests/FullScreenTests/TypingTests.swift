import FullScreen
import Testing

@Suite("Typing lines and posts")
struct TypingTests {
  private func typed(_ text: String, _ actions: [Action]) -> ComposeEditor {
    var editor = ComposeEditor(text: text)
    for action in actions {
      let isDone = editor.perform(action)
      #expect(isDone, "\(action)")
    }
    return editor
  }

  @Test("the cursor moves by grapheme clusters") func clusters() {
    var editor = ComposeEditor()
    for character in "añ👩‍👩‍👧किन" { editor.insert(String(character)) }
    #expect(editor.cursor == editor.text.count)
    editor.perform(.left)
    editor.perform(.left)
    editor.perform(.deleteBackward)
    #expect(editor.text == "añकिन")
    editor.perform(.deleteForward)
    #expect(editor.text == "añन")
  }

  @Test("a character that joins the previous one forms one cluster with it") func joining() {
    var editor = ComposeEditor(text: "e")
    editor.insert("\u{301}")
    #expect(editor.text.count == 1 && editor.cursor == 1)
    editor.insert("!")
    #expect(editor.text == "e\u{301}!" && editor.cursor == 2)
  }

  @Test("editing words, lines and the whole text") func moves() {
    #expect(typed("one two", [.deleteWord]).text == "one ")
    #expect(typed("one two, ", [.deleteWord]).text == "one ")
    #expect(typed("one\ntwo three", [.deleteToStart]).text == "one\n")
    #expect(typed("one\ntwo", [.textStart, .deleteToEnd]).text == "\ntwo")
    #expect(typed("one\ntwo", [.lineStart]).cursor == 4)
    #expect(typed("one\ntwo", [.textStart, .lineEnd]).cursor == 3)
    #expect(typed("one two", [.wordLeft, .wordLeft]).cursor == 0)
    #expect(typed("one two", [.textStart, .wordRight]).cursor == 3)
    #expect(typed("", [.left, .deleteBackward, .deleteForward, .deleteWord, .wordRight, .up, .down]).text == "")
  }

  @Test("up and down move by the lines on the screen, keeping the column") func upAndDown() {
    var editor = ComposeEditor(text: "aaaa bbbb cccc dddd")
    editor.width = 10
    editor.perform(.up)
    #expect(editor.cursor == 9)
    editor.perform(.up)
    #expect(editor.cursor == 0, "up from the first line goes to the start")
    editor.perform(.down)
    #expect(editor.cursor == 10)
    editor.perform(.down)
    #expect(editor.cursor == 19)
  }

  @Test("changes are undone word by word, and redone") func undo() {
    var editor = ComposeEditor()
    for character in "one two" { editor.insert(String(character)) }
    editor.insert(" pasted words", isPaste: true)
    editor.perform(.undoTyping)
    #expect(editor.text == "one two")
    editor.perform(.undoTyping)
    #expect(editor.text == "one")
    editor.perform(.redoTyping)
    editor.perform(.redoTyping)
    #expect(editor.text == "one two pasted words")
    editor.replace(with: "from the editor")
    editor.perform(.undoTyping)
    #expect(editor.text == "one two pasted words")
    for number in 0..<500 { editor.insert("\(number)", isPaste: true) }
    for _ in 0..<500 { editor.perform(.undoTyping) }
    #expect(editor.text.hasPrefix("one two pasted words0"), "the number of undo steps is limited")
  }

  @Test("control characters and too much text are rejected") func harmless() {
    var editor = ComposeEditor()
    editor.insert("a\u{1B}[31m\r\nb\tc\u{202E}\u{7}", isPaste: true)
    #expect(editor.text == "a\u{FFFD}[31m\nb c\u{FFFD}\u{FFFD}")
    editor.insert(String(repeating: "漁", count: 20_000), isPaste: true)
    #expect(editor.text.utf8.count <= ComposeEditor.heldLimit)
    #expect(!editor.canSend && editor.counter.bytesLeft < 0)
    var field = LineField()
    field.insert("one\ntwo\u{1B}")
    #expect(field.text == "one two\u{FFFD}")
    let isTaken = field.insert(String(repeating: "x", count: 5_000))
    #expect(!isTaken && field.text.count == 8)
  }

  @Test("a text being sent cannot be changed") func sending() {
    var editor = ComposeEditor(text: "Ahoy")
    #expect(editor.canSend)
    editor.isSending = true
    editor.insert("!")
    let isDone = editor.perform(.deleteBackward)
    #expect(!isDone)
    #expect(editor.text == "Ahoy" && !editor.canSend)
    #expect(!ComposeEditor(text: " \n ").canSend)
    let counter = ComposeEditor(text: "👩‍👩‍👧!").counter
    #expect(counter.clusters == 2 && counter.bytesLeft == 10_000 - 19)
  }
}

@Suite("The command line")
struct PaletteTests {
  private func palette(_ text: String) -> Palette {
    var palette = Palette()
    palette.field.insert(text)
    return palette
  }

  @Test("commands with arguments, actions and short names") func commands() {
    #expect(palette("search otter from:ann").command() == .success(.verb(.search, arguments: ["otter from:ann"])))
    #expect(
      palette("  list-add  friends   @ann ").command() == .success(.verb(.addToList, arguments: ["friends", "@ann "])))
    #expect(palette("q").command() == .success(.action(.quit)))
    #expect(palette("slide-left").command() == .success(.action(.slideLeft)))
    #expect(palette("thread 42").command() == .success(.verb(.conversation, arguments: ["42"])))
  }

  @Test("errors are reported") func failures() {
    #expect(
      palette("list-add friends").command()
        == .failure(PaletteFailure(message: "list-add needs more: type list-add LIST AUTHOR")))
    #expect(palette("quit now").command() == .failure(PaletteFailure(message: "quit takes no arguments")))
    #expect(
      palette("serach x").command()
        == .failure(PaletteFailure(message: "Unknown command: serach; did you mean search?")))
    #expect(palette("").command() == .failure(PaletteFailure(message: "")))
  }

  @Test("suggestions match whole names, prefixes, substrings, letters in order and summaries") func suggestions() {
    #expect(palette("session").suggestions.map(\.name).prefix(2) == ["session", "session-rename"])
    #expect(palette("rename").suggestions.first?.name == "list-rename")
    #expect(palette("sesdel").suggestions.first?.name == "session-delete")
    #expect(palette("hashtag").suggestions.contains { $0.name == "tag" })
    #expect(palette("tag otters").suggestions.map(\.name) == ["tag"])
    #expect(palette("qqqq").suggestions.isEmpty)
    #expect(Palette().suggestions.count > 40)
  }

  @Test("a suggestion is selected, completed and run") func choosing() {
    var palette = palette("sess")
    palette.perform(.next)
    #expect(palette.selected == 1)
    palette.perform(.complete)
    #expect(palette.field.text == "session-rename ")
    #expect(palette.selected == 0)
    var other = self.palette("redr")
    #expect(other.command() == .success(.action(.redraw)))
    other.perform(.previous)
    #expect(other.selected == 0)
  }

  @Test("the history returns earlier lines, and the one being typed") func history() {
    var palette = Palette(history: ["one", "two"])
    palette.perform(.previous)
    #expect(palette.field.text == "two")
    palette.perform(.previous)
    palette.perform(.previous)
    #expect(palette.field.text == "one")
    palette.perform(.next)
    palette.perform(.next)
    #expect(palette.field.text == "")
    palette.field.insert("one")
    palette.remember()
    #expect(palette.history.lines == ["two", "one"])
    #expect(Palette(history: (0..<300).map(String.init)).history.lines.count == LineHistory.limit)
  }

  @Test("docs/KEYS.md lists every command") func document() {
    let text = Golden.file("docs/KEYS.md")
    let verbs = Palette().suggestions.filter { !$0.argument.isEmpty }
    #expect(verbs.count == 36)
    for verb in verbs {
      let line = "| `\(verb.name) \(verb.argument)` | \(verb.summary) |"
      #expect(text.contains(line), "\(line)")
    }
  }
}

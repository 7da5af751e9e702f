import FullScreen
import Terminal
import Testing
import ViewState

@Suite("Linear output")
struct LinearTests {
  private var view: SampleView {
    var view = SampleView(columns: 80, lines: 24)
    view.push(.timeline, "Timeline", Array(SampleView.posts.prefix(4)))
    return view
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test("what is wrong with sources is printed once, and that it is well again") func sources() {
    var state = view.state
    var printer = LinearPrinter(isolatesDirections: false)
    _ = printer.bytes(for: view.snapshot, state)
    state.status.sources = "2 feeds failing"
    #expect(text(printer.bytes(for: view.snapshot, state)) == "2 feeds failing.\n")
    #expect(printer.bytes(for: view.snapshot, state) == [])
    state.status.sources = ""
    #expect(text(printer.bytes(for: view.snapshot, state)) == "All sources work again.\n")
  }

  @Test("the line of a post that is typed is named") func postLines() {
    let view = view
    var state = view.state
    var printer = LinearPrinter(isolatesDirections: false)
    _ = printer.bytes(for: view.snapshot, state)
    var editor = ComposeEditor(text: "so it ends")
    func printed() -> String {
      state.overlay = .compose(editor)
      return text(printer.bytes(for: view.snapshot, state))
    }
    #expect(printed().hasPrefix("New post:\n"))
    editor.perform(.warning)
    #expect(printed() == "Warning:\n")
    editor.insert("the end")
    #expect(printed() == "the end")
    editor.perform(.newLine)
    #expect(printed() == "\nText:\nso it ends")
  }

  @Test("each thing is printed once, without control characters except line feeds") func once() {
    let view = view
    var state = view.state
    var printer = LinearPrinter(isolatesDirections: false)
    let first = printer.bytes(for: view.snapshot, state)
    #expect(
      text(first) == """
        Connected.
        Mentions: 12 new.
        Messages: 3 new.
        Pane 1 of 1: Timeline, 4 rows.
        Today:
        Bertil Öst @bertil · 5m
        Otter at the old quay again, @ann. Pictures: https://example.org/otter #otter
        11 · 2 replies · 25 favourites


        """)
    #expect(printer.bytes(for: view.snapshot, state) == [])
    state.focused.rowID = 10
    let second = text(printer.bytes(for: view.snapshot, state))
    #expect(second == "遥 HARUKA @haruka · 1h\n仕様です。港の時計は二分おくれていますが、船は時間どおりに出ます。\n10 · 7 favourites\n\n")
    #expect(printer.bytes(for: view.snapshot, state) == [])
    state.status.message = "Copied.\u{1B}[2J"
    #expect(text(printer.bytes(for: view.snapshot, state)) == "Copied.\u{FFFD}[2J\n")
    #expect((first + Array(second.utf8)).allSatisfy { $0 >= 0x20 || $0 == 0x0A })
  }

  @Test("the source of an account's namesake is read out") func namesake() {
    var posts = [SampleView.posts[0]]
    posts[0].edit = { ($0.author.source, $0.author.isNamesake) = (Array("twitter".utf8), true) }
    var view = SampleView(columns: 80, lines: 24)
    view.push(.timeline, "Timeline", posts)
    var printer = LinearPrinter(isolatesDirections: false)
    #expect(text(printer.bytes(for: view.snapshot, view.state)).contains("Bertil Öst @bertil (from twitter) · 5m\n"))
  }

  @Test("a move that leads nowhere else repeats the current row") func moves() {
    var user = ScreenUser.reading(2)
    var printer = LinearPrinter(isolatesDirections: false)
    func said() -> String { text(user.app.lines(&printer)) }
    #expect(said().contains("post 2\n"))
    user.type("j")
    #expect(said().contains("post 1\n"))
    for key in ["j", "G", " "] {
      user.type(key)
      #expect(said().contains("post 1\n"), "\(key), at the end")
    }
    user.key(.tab)
    #expect(said().contains("post 1\n"), "there is no other pane")
    user.type("g")
    #expect(said().contains("post 2\n"))
    user.key(.up)
    #expect(said().contains("post 2\n"))
    user.type("y")
    #expect(!said().contains("post 2\n"), "other keys do not repeat the row")
  }

  @Test("a move to rows that have not arrived is reported when they do") func pendingMoves() {
    var user = ScreenUser.reading(2)
    var printer = LinearPrinter(isolatesDirections: false)
    var view = user.shown
    view.panes[0].status.rowCount = 3
    user.show(view)
    user.type("jj")
    _ = user.app.lines(&printer)
    user.type("j")
    #expect(user.app.lines(&printer) == [])
    view.panes[0].rows.append(SampleView.row(ScreenUser.posts(1)[0], view.paneFrames[0], caps: []))
    view.panes[0].rows[2] = SampleView.row(
      SampleView.Post(id: 900, name: "Ann", handle: "ann", text: "older"), view.paneFrames[0], caps: [])
    user.show(view)
    #expect(text(user.app.lines(&printer)).contains("older"))
  }

  @Test("another pane is announced with its title, and an empty one with its note") func panes() {
    var view = view
    var printer = LinearPrinter(isolatesDirections: false)
    _ = printer.bytes(for: view.snapshot, view.state)
    view.push(.search, "Otter fr", [], query: "fr otter")
    #expect(
      text(printer.bytes(for: view.snapshot, view.state)).hasPrefix(
        "Pane 2 of 2: Otter fr, 0 rows.\nNo posts match yet."))
    #expect(printer.bytes(for: view.snapshot, view.state) == [])
  }

  @Test("posts are printed as they arrive, the newest last") func arrivals() {
    var view = view
    var printer = LinearPrinter(isolatesDirections: false)
    var state = view.state
    state.focused.rowID = 11
    _ = printer.bytes(for: view.snapshot, state)
    let frame = view.snapshot.paneFrames[0]
    for id in [31, 32] as [UInt64] {
      let post = SampleView.Post(id: id, name: "Bot", handle: "bot", text: "number \(id)")
      view.snapshot.panes[0].rows.insert(SampleView.row(post, frame, caps: []), at: 0)
    }
    let said = text(printer.bytes(for: view.snapshot, state))
    #expect(said == "Bot @bot · 2h\nnumber 31\n31\n\nBot @bot · 2h\nnumber 32\n32\n\n")
  }

  @Test("typed text is echoed, and the selected item is printed") func overlays() {
    let view = view
    var state = view.state
    var printer = LinearPrinter(isolatesDirections: false)
    _ = printer.bytes(for: view.snapshot, state)
    var editor = ComposeEditor()
    state.overlay = .compose(editor)
    #expect(
      text(printer.bytes(for: view.snapshot, state))
        == "New post:\nctrl-s: post. esc: keep draft.\nEveryone can see this.\n")
    for letter in ["A", "h", "x"] {
      editor.insert(letter)
      state.overlay = .compose(editor)
      #expect(text(printer.bytes(for: view.snapshot, state)) == letter)
    }
    editor.perform(.deleteBackward)
    state.overlay = .compose(editor)
    #expect(text(printer.bytes(for: view.snapshot, state)) == "\nAh")
    state.overlay = nil
    #expect(text(printer.bytes(for: view.snapshot, state)) == "\n")
    var menu = Menu(title: "Links", items: [Menu.Item("one"), Menu.Item("two", detail: "example.org")])
    state.overlay = .menu(menu)
    #expect(text(printer.bytes(for: view.snapshot, state)) == "Links, 2:\n1 one\n")
    menu.move(by: 1)
    state.overlay = .menu(menu)
    #expect(text(printer.bytes(for: view.snapshot, state)) == "2 two, example.org\n")
    state.overlay = .confirm(Confirmation(question: "Delete this post?", verb: "delete"))
    #expect(text(printer.bytes(for: view.snapshot, state)) == "Delete this post?\ny: delete. n: cancel.\n")
    state.overlay = .compose(ComposeEditor(text: "Ahoy", isEdit: true))
    #expect(text(printer.bytes(for: view.snapshot, state)).hasPrefix("Edit post:\n"))
  }

  @Test("a folded text is read up to its fold, and whole once it is unfolded") func folded() {
    var view = SampleView(columns: 80, lines: 24)
    view.push(
      .timeline, "Timeline", [SampleView.Post(id: 7, name: "Ann", handle: "ann", text: "one\ntwo\nthree\nfour")])
    var row = view.snapshot.panes[0].rows[0]
    let whole = row.layout
    row.layout.lineEnds.removeLast(2)
    row.layout.foldedLines = 2
    view.snapshot.panes[0].rows[0] = row
    var printer = LinearPrinter(isolatesDirections: false)
    let folded = text(printer.bytes(for: view.snapshot, view.state))
    #expect(folded.contains("one\ntwo\n… 2 more lines\n") && !folded.contains("three"))
    var fields = row.content.fields
    fields.isUnfolded = true
    row.row = LaidOutRow(content: RowContent(fields), layout: whole)
    view.snapshot.panes[0].rows[0] = row
    #expect(text(printer.bytes(for: view.snapshot, view.state)).contains("two\nthree\nfour\n"))
  }

  @Test("the list of keys ends with how to go on, and Q leaves it and the program") func help() {
    var user = ScreenUser.reading(2)
    var printer = LinearPrinter(isolatesDirections: false)
    _ = user.app.lines(&printer)
    user.type("?")
    let said = text(user.app.lines(&printer))
    #expect(said.hasPrefix("Keys:\n") && said.hasSuffix("Type to find a key. esc: close this list. Q: quit.\n"))
    user.type("Q")
    #expect(user.look().contains(.quit(failure: nil)))
  }

  @Test("the question of quitting says its keys") func quitting() {
    var user = ScreenUser.reading(2)
    var printer = LinearPrinter(isolatesDirections: false)
    _ = user.app.lines(&printer)
    user.type("q")
    #expect(text(user.app.lines(&printer)) == "Quit Stack?\nYour panes stay.\nenter: quit. esc: stay.\n")
  }

  @Test("text behind a content warning is printed when revealed") func warning() {
    var view = SampleView(columns: 80, lines: 24)
    view.push(.timeline, "Timeline", [SampleView.posts[6]])
    var state = view.state
    var printer = LinearPrinter(isolatesDirections: false)
    #expect(!text(printer.bytes(for: view.snapshot, state)).contains("all along"))
    state.revealed = [5]
    #expect(text(printer.bytes(for: view.snapshot, state)).contains("all along"))
  }
}

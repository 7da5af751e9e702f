import FullScreen
import Terminal
import Testing
import ViewState

@Suite("The screen")
struct ScreenTests {
  private let painter = ScreenPainter(theme: .dark, glyphs: .unicode)

  private func grid(_ view: SampleView, _ change: (inout ScreenState) -> Void = { _ in }) -> Grid {
    var state = view.state
    change(&state)
    return Grid(painter.picture(of: view.snapshot, state))
  }

  private func timeline(columns: Int = 80, lines: Int = 24, posts: [SampleView.Post] = SampleView.posts) -> SampleView {
    var view = SampleView(columns: columns, lines: lines)
    view.push(.timeline, "Timeline", posts)
    return view
  }

  @Test("below 20x5 there is only a notice") func tooSmall() {
    #expect(grid(timeline(columns: 19, lines: 24)).lines[0] == "Needs 20x5 or more")
    #expect(grid(timeline(columns: 80, lines: 4)).lines.dropFirst().allSatisfy { $0 == "" })
    #expect(grid(timeline(columns: 20, lines: 5)).lines[0].contains("Timeline"))
  }

  @Test("before the first frame") func empty() {
    var state = ScreenState(columns: 80, lines: 24)
    #expect(Grid(painter.picture(of: ViewSnapshot(), state)).text.contains("Connecting to the daemon."))
    state.status.connection = .offline(since: "14:05")
    #expect(Grid(painter.picture(of: ViewSnapshot(), state)).lines[23].contains("offline since 14:05"))
  }

  @Test("an empty timeline suggests what to do, with the keys for it") func launch() throws {
    let view = timeline(posts: [])
    let text = grid(view).text
    #expect(text.contains("No posts yet.") && text.contains(" c             Write a post."))
    let keymap = try Keymap(parsing: Array("compose = \"w\"".utf8))
    #expect(grid(view) { $0.keymap = keymap }.text.contains(" w             Write a post."))
  }

  @Test("what keys do stands in a column of its own, and goes on there") func hanging() {
    for (columns, first, second) in [
      (80, ":import FILE  Import a Twitter or Mastodon archive, or", "              JSON Lines."),
      (30, ":import FILE  Import", "  a Twitter or"),
    ] {
      var view = SampleView(columns: columns, lines: 24)
      view.push(.timeline, "Timeline", [], position: columns < 80 ? 1 : 0)
      let lines = grid(view).lines
      let line = lines.firstIndex { $0.contains(first) }
      #expect(line.map { lines[$0 + 1].contains(second) } == true, "\(lines)")
    }
  }

  @Test("that not everyone can see a post is the first fact, in the colour of warnings") func narrow() {
    for (visibility, words) in [(3, "followers"), (4, "direct"), (9, "restricted"), (3, "private")]
      as [(UInt32, String)]
    {
      var posts = [SampleView.posts[1]]
      posts[0].edit = {
        ($0.favourites, $0.visibility) = (7, visibility)
        if words == "private" { $0.author.source = Array("feed".utf8) }
      }
      let grid = grid(timeline(posts: posts))
      let line = grid.lines.firstIndex { $0.contains("\(words) · 7 favourites") } ?? 0
      #expect(grid.styles[line][28].foreground == Theme.dark[.warning].foreground, "\(words)")
    }
  }

  @Test("the status line shows the state") func status() {
    let view = timeline()
    #expect(grid(view).lines[23].hasPrefix(" Timeline · 8   "))
    #expect(grid(view).lines[23].contains("j k posts"))
    let offline = grid(view) { $0.status.connection = .offline(since: "14:05") }.lines
    #expect(offline[23].contains("offline since 14:05") && offline[22].contains("offline since 14:05"))
    #expect(!offline.joined().contains("live"))
    let message = grid(view) { state in
      state.status.message = "Copied."
      state.status.session = "work"
      state.status.marks = ["mouse"]
    }.lines[23]
    #expect(message.hasPrefix(" Copied. · ") && message.contains("work") && message.contains("mouse"))
    #expect(!message.contains("j k posts"), "a message replaces the hints")
  }

  @Test("covered panes and those beyond the right edge are counted") func covered() {
    var view = SampleView(columns: 80, lines: 20)
    view.push(.timeline, "Timeline", SampleView.posts)
    for number in 2...6 { view.push(.profile, "Pane \(number)", []) }
    #expect(view.snapshot.position == 10)
    let top = grid(view).lines[0]
    #expect(top.hasPrefix("    ▏▏▏▏ Pane 5"), "\(top)")
    view.place(at: 0)
    #expect(grid(view).lines[0].hasSuffix("     +5 ›"), "\(grid(view).lines[0])")
    view.push(.profile, "Pane 7", [])
    #expect(grid(view).lines[0].hasPrefix("    ▏5 Pane 6"))
  }

  @Test("partly covered panes are dimmed, and others are not") func dimmed() {
    var view = SampleView(columns: 80, lines: 20)
    view.push(.timeline, "Timeline", SampleView.posts)
    view.push(.conversation, "Conversation", SampleView.thread)
    let grid = grid(view)
    #expect(grid.styles[2][10].attributes.contains(.faint))
    #expect(!grid.styles[2][40].attributes.contains(.faint))
  }

  @Test("mentions, hashtags and links have their own styles, and links have targets") func spans() throws {
    let picture = painter.picture(of: timeline().snapshot, timeline().state)
    let pieces = picture.runs.flatMap { $0.flatMap(\.pieces) }
    let link = try #require(pieces.first { String(decoding: $0.text, as: UTF8.self) == "https://example.org/otter" })
    #expect(String(decoding: link.link, as: UTF8.self) == "https://example.org/otter")
    #expect(link.style.attributes.contains(.underline))
    let mention = try #require(
      pieces.first {
        String(decoding: $0.text, as: UTF8.self) == "@ann" && $0.style.foreground == Theme.dark[.mention].foreground
      })
    #expect(mention.link.isEmpty)
    #expect(
      pieces.contains {
        String(decoding: $0.text, as: UTF8.self) == "#otter" && $0.style.foreground == Theme.dark[.hashtag].foreground
      })
  }

  @Test("the selected row is marked by a character, a style and the cursor") func selected() {
    let view = timeline()
    var state = view.state
    state.focused.rowID = 10
    let picture = painter.picture(of: view.snapshot, state)
    let grid = Grid(picture)
    #expect(grid.cells[7][22] == "┃" && grid.cells[2][22] == " ")
    #expect(grid.styles[7][40].background == Theme.dark[.selected].background)
    #expect(picture.cursor == .at(line: 7, column: 28))
    state.showsCursor = false
    #expect(painter.picture(of: view.snapshot, state).cursor == .hidden)
  }

  @Test("the cursor goes to the edge with a selected row that was scrolled away") func pinned() {
    let view = timeline()
    var state = view.state
    state.focused.rowID = 11
    state.anchors[1] = LineAnchor(rowID: 9)
    #expect(painter.picture(of: view.snapshot, state).cursor == .at(line: 1, column: 28))
    state.focused.rowID = 4
    state.anchors[1] = LineAnchor()
    #expect(painter.picture(of: view.snapshot, state).cursor == .at(line: 21, column: 28))
  }

  @Test("too wide a line stays in its place, whatever the daemon says") func tooWide() {
    var view = timeline()
    let long = String(repeating: "x", count: 90)
    var row = view.snapshot.panes[0].rows[0]
    var fields = row.content.fields
    (fields.text, fields.spans) = (Array(long.utf8), [])
    row.row = LaidOutRow(content: RowContent(fields), layout: RowLayout(height: row.layout.height, lineEnds: [90]))
    view.snapshot.panes[0].rows[0] = row
    #expect(grid(view).overflows == [])
  }

  @Test("a content warning hides the text until it is revealed") func warning() {
    let view = timeline(lines: 60)
    #expect(!grid(view).text.contains("all along"))
    #expect(grid(view).text.contains("[warning: end of the film]"))
    #expect(grid(view) { $0.revealed = [5] }.text.contains("the ship was theirs all along"))
  }

  @Test("a folded row says how many lines it has left, in as many lines as it is high") func folded() {
    var view = timeline(lines: 60)
    var row = view.snapshot.panes[0].rows[0]
    row.layout.lineEnds.removeLast()
    row.layout.foldedLines = 260
    view.snapshot.panes[0].rows[0] = row
    let text = grid(view).text
    #expect(text.contains("… 260 more lines · Z shows all") && text.contains("2 replies") && !text.contains("#otter"))
    #expect(grid(view).overflows == [])
  }

  @Test("an author has the same colour everywhere, and different authors have different colours") func colours() {
    let view = timeline(lines: 60)
    let grid = grid(view)
    let colours = Set(SampleView.posts.indices.compactMap { _ in grid.styles[2][24].background })
    #expect(colours.count == 1)
    #expect(Theme.dark.avatars.contains(grid.styles[2][24].background))
    let all = Set((1..<60).map { grid.styles[$0][24].background }.filter { Theme.dark.avatars.contains($0) })
    #expect(all.count >= 4)
  }

  @Test("the number of new posts is in the title and at the reading position") func unread() {
    var view = timeline(lines: 40)
    view.snapshot.panes[0].status.readingRow = 9
    view.snapshot.panes[0].status.newRows = 2
    let grid = grid(view)
    #expect(grid.lines[0].contains("▲ 2 new"))
    #expect(grid.text.contains("─ ▲ 2 new ─"), "the time is unknown")
    view.snapshot.labelsAtMilliseconds = 1_772_460_000_000  // 14:00 UTC
    func since(_ age: Int64) -> String {
      let row = view.snapshot.panes[0].rows[2]
      var fields = row.content.fields
      fields.createdAtMilliseconds = view.snapshot.labelsAtMilliseconds - age
      view.snapshot.panes[0].rows[2] = PlacedRow(
        content: RowContent(fields), layout: row.layout, caps: row.caps, label: row.label, day: row.day)
      var state = view.state
      state.clock.localOffset = 3600
      let lines = Grid(painter.picture(of: view.snapshot, state)).lines.dropFirst()
      let line = lines.first { $0.contains("2 new") } ?? ""
      return line.split(separator: "─").first { $0.contains("2 new") }.map { String($0) } ?? ""
    }
    #expect(since(5 * 60_000) == " ▲ 2 new since 2:55 PM ")
    #expect(since(86_399_000) == " ▲ 2 new since 3:00 PM ")
    #expect(since(86_400_000) == " ▲ 2 new ", "no time of another day")
    #expect(since(-1) == " ▲ 2 new ")
  }

  @Test("a row of an unknown kind shows its text, and a list its name") func kinds() {
    var posts = [SampleView.posts[0]]
    posts[0].edit = { $0.kind = RowContent.Kind(rawValue: 99) }
    #expect(grid(timeline(posts: posts)).text.contains("Otter at the old quay"))
    posts[0].text = "Friends"
    posts[0].edit = { ($0.kind, $0.listAuthors) = (.list, 3) }
    let lines = grid(timeline(posts: posts)).lines
    let name = lines.firstIndex { $0.contains("Friends") } ?? 0
    #expect(lines[name + 1].contains("3 authors"))
    posts[0].edit = { $0.kind = .list }
    #expect(grid(timeline(posts: posts)).text.contains("no authors yet"))
  }

  @Test("the source of an account's namesake is beside the handle, however long the name is") func namesake() {
    for name in ["Bertil", String(repeating: "Bertil ", count: 20)] {
      var posts = [SampleView.posts[0]]
      posts[0].edit = { fields in
        fields.author.displayName = Array(name.utf8)
        (fields.author.source, fields.author.isNamesake) = (Array("twitter".utf8), true)
        fields.repostedBy = fields.author
      }
      let lines = grid(timeline(posts: posts)).lines
      #expect(lines.count { $0.contains(" (from twitter)") } == 2)
    }
  }

  @Test("text from the daemon cannot contain escape sequences") func harmless() {
    var view = timeline()
    view.snapshot.navigation.rows[0].label = "\u{1B}[2J"
    view.snapshot.navigation.rows[1].icon = "\u{1B}"
    view.snapshot.panes[0].clock.day = "\u{1B}[2J"
    view.snapshot.panes[0].header.title = Array("\u{1B}]0;x\u{7}".utf8)
    var posts = SampleView.posts
    posts[0].name = "\u{1B}[31mred"
    posts[0].text = "\u{1B}[31mred\u{202E}"
    view.push(.profile, "\u{1B}c", posts)
    let picture = painter.picture(of: view.snapshot, view.state)
    for piece in picture.runs.flatMap({ $0.flatMap(\.pieces) }) {
      #expect(!piece.text.contains { $0 < 0x20 || $0 == 0x7F })
    }
  }
}

@Suite("Overlays")
struct OverlayTests {
  private func check(_ overlay: Overlay, _ name: String, columns: Int = 80, lines: Int = 24) {
    var view = SampleView(columns: columns, lines: lines)
    view.push(.timeline, "Timeline", SampleView.posts)
    var state = view.state
    state.overlay = overlay
    let picture = ScreenPainter(theme: .dark, glyphs: .unicode).picture(of: view.snapshot, state)
    Golden.expect(Grid(picture).text, is: name)
    if case .within(let line, let column, _) = picture.cursor {
      #expect(picture.runs[line].contains { $0.column == column })
    }
  }

  @Test("help") func help() { check(.help(Help(.standard, context: .panes)), "help-80", lines: 40) }

  @Test("the command line") func palette() {
    var palette = Palette()
    palette.field.insert("list")
    palette.perform(.next)
    check(.palette(palette), "palette-80")
  }

  @Test("a reply, with its parent above it") func compose() {
    var frame = PaneFrame(paneID: 1, x: 0, width: 58)
    frame.textWidth = 50
    var editor = ComposeEditor(
      text: "It is two otters, and they have a plan. 二匹です。",
      parent: SampleView.row(SampleView.posts[0], frame, caps: []))
    editor.perform(.left)
    check(.compose(editor), "compose-80")
  }

  @Test("a question, a menu and a prompt") func others() {
    check(
      .confirm(
        Confirmation(question: "Delete this post?", detail: "Otter at the old quay again, @ann.", verb: "delete")),
      "confirm-80")
    var menu = Menu(
      title: "Links",
      items: [Menu.Item("https://example.org/otter", detail: "example.org"), Menu.Item("https://example.org/b")])
    menu.move(by: 1)
    check(.menu(menu), "menu-80")
    check(
      .prompt(Prompt(title: "Search", field: LineField("otter"), hint: "words, \"phrases\", from:, #tag")), "prompt-40",
      columns: 40, lines: 16)
  }
}

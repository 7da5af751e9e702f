import FullScreen
import Terminal
import Testing
import ViewState

@Suite("The look of the screen")
struct LookTests {
  private func grid(
    _ view: SampleView, _ theme: Theme = .dark, _ change: (inout ScreenState) -> Void = { _ in }
  ) -> Grid {
    var state = view.state
    change(&state)
    return Grid(ScreenPainter(theme: theme, glyphs: .unicode).picture(of: view.snapshot, state))
  }

  private func timeline(columns: Int = 80, lines: Int = 40) -> SampleView {
    var view = SampleView(columns: columns, lines: lines)
    view.push(.timeline, "Timeline", SampleView.posts)
    return view
  }

  @Test("the selected row has one background from its mark to the right edge", arguments: Theme.builtIn)
  func selection(theme: Theme) {
    let grid = grid(timeline(), theme) { $0.focused.rowID = 10 }
    let lines = grid.lines.indices.filter { grid.cells[$0][22] == "┃" }
    #expect(lines.count == 4)
    for line in lines {
      for column in 27..<79 {
        #expect(grid.styles[line][column].background == theme[.selected].background, "line \(line), column \(column)")
      }
    }
  }

  @Test("a post without counts has no empty line below its text, and one with counts has them there") func facts() {
    let lines = grid(timeline()).lines
    func below(_ words: String) -> String { lines.firstIndex { $0.contains(words) }.map { lines[$0 + 1] } ?? "" }
    #expect(below("Bring the atlas back").contains("│") && below("धीरे लौट").contains("───"))
    #expect(below("#otter").contains("2 replies · 25 favourites"))
  }

  @Test("facts that do not fit are left out whole, and no separator is last") func longFacts() {
    func facts(_ alt: String, favourites: UInt32) -> String {
      var view = SampleView(columns: 80, lines: 24)
      var post = SampleView.posts[0]
      post.edit = { fields in
        (fields.replies, fields.reposts, fields.favourites) = (7, 2, favourites)
        fields.media = [RowMedia(kind: .video, url: [], altText: Array(alt.utf8))]
      }
      view.push(.timeline, "Timeline", [post])
      let lines = grid(view).lines
      let line = lines.first { $0.contains("[video]") } ?? ""
      return String(line.drop { $0 != "[" }.prefix { $0 != "│" }.reversed().drop { $0 == " " }.reversed())
    }
    #expect(facts("An otter", favourites: 6).hasSuffix("6 favourites …"))
    #expect(facts("", favourites: 61).hasSuffix("61 favourites"))
    #expect(facts("An otter", favourites: 123_456_789).hasSuffix("2 reposts …"))
  }

  @Test("the line of a day takes the place of the line between rows") func days() throws {
    let grid = grid(timeline())
    let day = try #require(grid.lines.firstIndex { $0.contains(" Yesterday ") })
    #expect(grid.text(day, 22..<80).contains("──── Yesterday ────") && grid.lines[day].hasSuffix("┤"))
    #expect(!grid.text(day - 1, 22..<80).contains("─"))
  }

  @Test("the title names the day only if the line of that day is not the first one visible") func day() {
    let view = timeline(lines: 20)
    #expect(!grid(view).lines[0].contains("Today"))
    let scrolled = grid(view) { $0.anchors[1] = LineAnchor(rowID: 11, line: 1) }
    #expect(scrolled.lines[0].hasSuffix("Today"))
  }

  @Test("a selected row at the edge has the label that the daemon made for it there") func pinned() {
    var view = timeline(lines: 16)
    var row = view.snapshot.panes[0].rows[0]
    row.label = "Nov 5"
    (view.snapshot.panes[0].selection.rowID, view.snapshot.panes[0].selection.pin) = (11, .top)
    view.snapshot.panes[0].selection.row = row
    let lines = grid(view) { $0.anchors[1] = LineAnchor(rowID: 9, line: 1) }.lines
    #expect(lines[1].contains("Bertil Öst") && lines[1].contains("Nov 5"))
    #expect(grid(view).text.contains("5m"), "in its place it has its own")
  }

  @Test("the first row of a list without days is not on the border") func list() {
    var view = SampleView(columns: 80, lines: 24)
    var post = SampleView.posts[0]
    (post.text, post.day) = ("Friends", nil)
    post.edit = { ($0.kind, $0.listAuthors) = (.list, 3) }
    view.push(.lists, "Lists", [post, post])
    let lines = grid(view).lines
    #expect(lines[1].contains("Friends") && !lines[1].contains("╮") && !lines[1].contains("╭"))
    #expect(lines[2].contains("3 authors"))
  }

  @Test("a left edge is drawn only where a pane lies over another") func edges() {
    var view = timeline()
    #expect(grid(view).cells[2][22] == " ")
    view.push(.conversation, "Conversation", SampleView.thread)
    let grid = grid(view)
    #expect(view.snapshot.paneFrames[1].x == 22)
    for line in 1..<38 {
      #expect(["│", "┃", "┊"].contains(grid.cells[line][22]), "line \(line): \(grid.cells[line][22])")
    }
  }

  @Test("the foot of the navigation pane says the account and the connection") func foot() {
    #expect(grid(timeline()).text(38, 0..<22).hasPrefix(" @ann · live"))
    let offline = grid(timeline()) { $0.status.connection = .offline(since: "14:05") }
    #expect(offline.text(38, 0..<22).hasPrefix(" ○ offline since 14:05"))
    #expect(!grid(timeline()).text.contains("Stack"))
  }

  @Test("in the light theme everything has a light ground") func light() {
    var view = timeline(columns: 120)
    view.push(.conversation, "Conversation", SampleView.thread)
    let grid = grid(view, .light)
    for (line, styles) in grid.styles.enumerated() {
      for (column, style) in styles.enumerated() where !Theme.light.avatars.contains(style.background) {
        guard case .rgb(let red, let green, let blue) = style.background else { continue }
        #expect(red > 180 && green > 180 && blue > 180, "line \(line), column \(column): \(style.background)")
      }
    }
  }

  @Test("a profile has counts and who follows whom below its title, unless the pane is low") func profile() {
    var view = SampleView(columns: 80, lines: 24)
    view.push(.profile, "Bertil Öst", Array(SampleView.posts.prefix(2)))
    var profile = ProfileSummary(author: SampleView.author("Bertil Öst", "bertil", id: 4))
    (profile.posts, profile.followers, profile.following, profile.followsMe) = (1200, 1, 3, true)
    view.snapshot.panes[0].status.profile = profile
    let lines = grid(view).lines
    #expect(lines[0].contains("Bertil Öst · @bertil"))
    #expect(lines[1].contains("1,200 posts · 1 follower · follows 3"))
    #expect(lines[2].contains("Follows you. · :follow @bertil"))
    #expect(lines[3].contains("Today"))
    profile.isMuted = true
    view.snapshot.panes[0].status.profile = profile
    #expect(grid(view).lines[2].contains("Follows you, muted.") && !grid(view).text.contains(":follow"))
    profile.isMuted = false
    profile.isFollowed = true
    view.snapshot.panes[0].status.profile = profile
    #expect(grid(view).lines[2].contains("You follow each other.") && !grid(view).text.contains(":follow"))
    profile.isMe = true
    view.snapshot.panes[0].status.profile = profile
    #expect(grid(view).lines[2].contains("This is you. · ' saved posts · * favourites"))
    profile.about = Array("Skipper of the ferry\u{1B}[31m".utf8)
    view.snapshot.panes[0].status.profile = profile
    #expect(grid(view).lines[3].contains("Skipper of the ferry") && !grid(view).text.contains("\u{1B}"))
    #expect(grid(view).lines[4].contains("Today"))
    var low = SampleView(columns: 80, lines: 12)
    low.push(.profile, "Bertil Öst", Array(SampleView.posts.prefix(2)))
    low.snapshot.panes[0].status.profile = profile
    #expect(grid(low).lines[0].contains("Bertil Öst · 1,200 posts · 1 follower"))
    #expect(grid(low).lines[1].contains("Today"))
  }

  @Test("the name of a profile is the last to be cut") func name() {
    var view = SampleView(columns: 40, lines: 12)
    view.push(.profile, "x", SampleView.posts, width: 30)
    view.snapshot.panes[0].status.profile = ProfileSummary(
      author: SampleView.author("Aveline Library of the Harbour", "library", id: 4))
    view.place(at: nil)
    #expect(grid(view).lines[0].contains("Aveline Library of the"))
    #expect(!grid(view).lines[0].contains("posts"))
  }

  @Test("a conversation of one post says that there are no replies, and how to write one") func alone() {
    var view = SampleView(columns: 80, lines: 24)
    view.push(.conversation, "Conversation", [SampleView.thread[0]])
    #expect(grid(view).lines[6].contains("No replies yet · r replies"))
    view = SampleView(columns: 80, lines: 24)
    view.push(.conversation, "Conversation", SampleView.thread)
    #expect(!grid(view).text.contains("No replies yet"))
    view = SampleView(columns: 80, lines: 24)
    view.push(.timeline, "Timeline", [SampleView.thread[0]])
    #expect(!grid(view).text.contains("No replies yet"))
  }

  @Test("hidden replies are counted in the line below the post") func hidden() {
    var view = SampleView(columns: 80, lines: 24)
    view.push(.conversation, "Conversation", SampleView.thread)
    view.snapshot.panes[0].rows[1].tree.collapsedReplies = 2
    #expect(grid(view).text.contains("── 2 replies hidden ──"))
  }

  @Test("the list of keys has groups, one line for the digits, and two columns from 120 on") func help() {
    let narrow = Help(.standard, context: .panes)
    let titles = narrow.rows.flatMap { $0 }.compactMap { line -> String? in
      if case .title(let title) = line { title } else { nil }
    }
    #expect(titles == ["Move", "Read", "Open", "Panes", "Write", "Program"])
    #expect(narrow.rows.allSatisfy { $0.count == 1 })
    #expect(narrow.bindings.contains { $0.keys == ["1-9"] } && !narrow.bindings.contains { $0.keys == ["5"] })
    let wide = Help(.standard, context: .panes, columns: 120)
    #expect(wide.rows.allSatisfy { $0.count == 2 } && wide.rows.count < narrow.rows.count * 6 / 10)
    var view = SampleView(columns: 120, lines: 40)
    view.push(.timeline, "Timeline", SampleView.posts)
    let grid = grid(view) { $0.overlay = .help(wide) }
    #expect(grid.overflows == [] && grid.text.contains("Move") && grid.text.contains("1-9"))
  }

  @Test("what keys do is in one column of the list of keys") func columns() {
    for (columns, context) in [(80, KeyContext.panes), (120, .panes), (200, .panes), (80, .compose)] {
      let help = Help(.standard, context: context, columns: columns)
      var view = SampleView(columns: columns, lines: 140)
      view.push(.timeline, "Timeline", SampleView.posts)
      let grid = grid(view) { $0.overlay = .help(help) }
      let starts = help.rows.enumerated().compactMap { number, row -> Int? in
        guard case .keys(let binding) = row[0] else { return nil }
        let line = grid.lines.firstIndex { $0.contains("Find:") }! + 1 + number
        return grid.cells[line].indices.first { grid.text(line, $0..<columns).hasPrefix(binding.summary) }
      }
      #expect(Set(starts).count == 1 && starts.count > 10, "\(columns): \(starts)")
      #expect(!grid.text.contains("…"), "no summary is cut")
    }
  }

  @Test("a box stands beside the navigation pane if there is room, and fills the screen if not", arguments: 60...140)
  func boxes(columns: Int) {
    var view = SampleView(columns: columns, lines: 24)
    view.push(.timeline, "Timeline", SampleView.posts, position: 0)
    let menu = view.snapshot.navigation.width
    func left(_ overlay: Overlay) -> Int? {
      let grid = grid(view) { $0.overlay = overlay }
      return grid.cells.first { $0.contains("╰") && $0.contains("╯") }?.lastIndex(of: "╰")
    }
    let palette = left(.palette(Palette())) ?? -1
    #expect(columns - menu >= 80 ? palette >= menu : palette == 0)
    let help = left(.help(Help(.standard, context: .panes, columns: columns))) ?? -1
    #expect(columns - menu >= (columns < 120 ? 80 : 116) ? help >= menu : help == 0)
    guard columns >= 80 else { return }
    for box in [Overlay.menu(Menu(title: "Links", items: [])), .confirm(Confirmation(question: "Quit?", verb: "quit"))]
    {
      #expect(left(box) ?? -1 >= menu)
    }
  }

  @Test("an item that is cut ends with an ellipsis, and is whole while it is selected") func longItems() {
    var view = SampleView(columns: 80, lines: 24)
    view.push(.timeline, "Timeline", SampleView.posts)
    let item = Menu.Item("Bea of the harbour @bea", detail: "I count gulls. · 0 posts · 1 follower · you")
    let lines = grid(view) { $0.overlay = .menu(Menu(title: "People", items: [item, item])) }.lines
    #expect(lines.count { $0.contains("Bea of the harbour") && $0.hasSuffix("… │") } == 1)
    let selected = lines.firstIndex { $0.contains("1 Bea of the harbour @bea   ") } ?? 0
    #expect(lines[selected + 1].contains("I count gulls. · 0 posts · 1 follower · you"))
    let long = Menu.Item("f2 · Town Times · polling since 2026-11-28 07:07 UTC · next at 2026-11-28 08:11 UTC")
    let feeds = grid(view) { $0.overlay = .menu(Menu(title: "Sources", items: [long, long])) }.lines
    let first = feeds.firstIndex { $0.contains("▸1 f2 · Town Times") } ?? 0
    #expect(
      feeds[first + 1].contains("08:11 UTC") && feeds[first + 2].contains(" 2 f2") && feeds[first + 2].hasSuffix("… │"))
  }

  @Test("a box stands over the focused pane, as far as there is room") func boxesOverPanes() {
    var view = SampleView(columns: 120, lines: 24)
    view.push(.timeline, "Timeline", SampleView.posts)
    view.push(.conversation, "Conversation", SampleView.thread)
    for (pane, question, palette) in [(1, 4, 4), (2, 62, 40)] {
      for (overlay, left) in [
        (Overlay.confirm(Confirmation(question: "Quit?", verb: "quit")), question), (.palette(Palette()), palette),
      ] {
        let grid = grid(view) {
          $0.overlay = overlay
          $0.focused = FocusedPane(paneID: UInt64(pane))
        }
        #expect(grid.cells.last { $0.contains("╰") }?.firstIndex(of: "╰") == left)
      }
    }
  }

  @Test("home and end go to the ends of the list of keys, and the search stays visible") func ends() {
    var view = SampleView(columns: 80, lines: 24)
    view.push(.timeline, "Timeline", SampleView.posts)
    var help = Help(.standard, context: .panes)
    help.perform(.lastRow, viewHeight: view.state.viewHeight)
    let end = grid(view) { $0.overlay = .help(help) }.text
    #expect(end.contains("Suspend to the shell") && end.contains("Find:"))
    help.perform(.previous, viewHeight: view.state.viewHeight)
    #expect(!grid(view) { $0.overlay = .help(help) }.text.contains("Suspend to the shell"), "every key scrolls")
    help.perform(.firstRow, viewHeight: view.state.viewHeight)
    #expect(grid(view) { $0.overlay = .help(help) }.text.contains("Next post"))
    #expect(Keymap.standard.action(for: Key(.home), in: .help) == .firstRow)
    #expect(Keymap.standard.action(for: Key(.end), in: .help) == .lastRow)
  }
}

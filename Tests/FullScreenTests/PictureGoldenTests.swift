import FullScreen
import Terminal
import Testing
import ViewState

@Suite("Pictures compared with golden files")
struct PictureGoldenTests {
  private func check(
    _ view: SampleView, _ name: String, _ glyphs: Glyphs = .unicode, _ change: (inout ScreenState) -> Void = { _ in }
  ) {
    var state = view.state
    change(&state)
    let grid = Grid(ScreenPainter(theme: .dark, glyphs: glyphs).picture(of: view.snapshot, state))
    #expect(grid.overflows == [])
    Golden.expect(grid.text, is: name)
  }

  @Test("a timeline beside the menu", arguments: [40, 80, 120, 200]) func timeline(columns: Int) {
    var view = SampleView(columns: columns, lines: 40)
    view.push(.timeline, "Timeline", SampleView.posts)
    if columns < 80 { view.place(at: nil) }
    check(view, "timeline-\(columns)") { $0.focused.rowID = 10 }
  }

  @Test("a conversation above the timeline, and the author of one of its posts", arguments: [40, 80, 120, 200])
  func stack(
    columns: Int
  ) {
    var view = SampleView(columns: columns, lines: 36)
    view.push(.timeline, "Timeline", SampleView.posts)
    view.push(.conversation, "Conversation", SampleView.thread)
    check(view, "conversation-\(columns)") { $0.focused.rowID = 22 }
    view.push(.profile, "Bertil Öst", Array(SampleView.posts.prefix(2)))
    check(view, "profile-\(columns)")
  }

  @Test("a conversation in ASCII") func ascii() {
    var view = SampleView(columns: 80, lines: 30)
    view.push(.timeline, "Timeline", SampleView.posts)
    view.push(.conversation, "Conversation", SampleView.thread)
    var clock = view.snapshot.panes[1].clock
    (clock.isVisible, clock.top, clock.hourHand, clock.minuteHand, clock.label) = (true, 4, 245, 30, "4:05 PM")
    view.snapshot.panes[1].clock = clock
    check(view, "ascii-80", .ascii)
  }

  @Test("a pane so narrow that its rows have no borders") func compact() {
    var view = SampleView(columns: 80, lines: 24)
    view.push(.timeline, "Timeline", SampleView.posts, width: 36)
    check(view, "compact-80") { $0.focused.rowID = 11 }
  }

  @Test("the clock beside the scroll bar, at ten past ten") func clock() {
    var view = SampleView(columns: 80, lines: 24)
    view.push(.timeline, "Timeline", SampleView.posts)
    var clock = view.snapshot.panes[0].clock
    (clock.isVisible, clock.top, clock.hourHand, clock.minuteHand, clock.label) = (true, 8, 610, 60, "10:10 AM")
    view.snapshot.panes[0].clock = clock
    check(view, "clock-80")
  }

  @Test("a word while something is wrong with sources", arguments: [60, 120]) func sources(columns: Int) {
    var view = SampleView(columns: columns, lines: 16)
    view.push(.timeline, "Timeline", SampleView.posts)
    check(view, "sources-\(columns)") { $0.status.sources = "2 feeds failing" }
  }

  @Test("a gap among posts", arguments: [30, 80]) func gap(columns: Int) {
    var view = SampleView(columns: columns, lines: 24)
    let gap = SampleView.Post(
      id: 90, name: "Stack", handle: "stack", text: "About 120 posts from elsewhere are missing here.",
      label: "Yesterday 11:50 PM – Today 4:40 AM",
      edit: { fields in
        fields.kind = .gap
        fields.postID = 0
        fields.gapMissing = 120
      })
    view.push(.timeline, "Timeline", [SampleView.posts[0], gap, SampleView.posts[6]])
    if columns < 80 { view.place(at: nil) }
    check(view, "gap-\(columns)") { $0.focused.rowID = 90 }
  }

  @Test("the selected row is pinned to the edge beyond which it was scrolled") func pinned() {
    var view = SampleView(columns: 80, lines: 16)
    view.push(.timeline, "Timeline", SampleView.posts)
    check(view, "pinned-top-80") { state in
      state.focused.rowID = 11
      state.anchors[1] = LineAnchor(rowID: 9, line: 1)
    }
    check(view, "pinned-bottom-80") { $0.focused.rowID = 4 }
  }
}

import Messages
import Terminal
import Testing
import ViewState

@testable import FullScreen

@Suite("Posts that arrive above the selected row do not push it off the screen")
struct KeptSelectionTests {
  /// A user at the third of seven visible posts.
  private static func user() -> ScreenUser {
    var user = ScreenUser.reading()
    user.type("jj")
    user.effects = []
    return user
  }

  /// Returns the timeline with `count` further posts below the first one.
  private static func view(adding count: Int) -> ViewSnapshot {
    let late = (0..<count).map { SampleView.Post(id: UInt64(2_000 - $0), name: "Bo", handle: "bo", text: "late") }
    var view = SampleView(columns: 120, lines: 30)
    let posts = ScreenUser.posts(40)
    view.push(.timeline, "Timeline", Array(posts.prefix(1)) + late + Array(posts.dropFirst()))
    return view.snapshot
  }

  /// Returns the line of the screen in which a row begins.
  private static func line(of row: UInt64, _ user: ScreenUser) -> Int? {
    let pane = user.app.snapshot.panes[0]
    let scroll = PaneScroll(pane)
    let first = scroll.line(of: PaneScroll.anchor(of: pane, known: user.app.state.anchors[1]))
    return scroll.lines(of: row).map { $0.lowerBound - first }
  }

  @Test("a row that would leave the screen keeps its line, and j goes on from it") func keptLine() {
    var user = Self.user()
    let before = Self.line(of: 1038, user)
    user.show(Self.view(adding: 9))
    #expect(user.focus.rowID == 1038 && Self.line(of: 1038, user) == before)
    user.type("j")
    #expect(user.focus.rowID == 1037)
  }

  @Test("as long as it stays visible the view stays at the top") func stayingAtTheTop() {
    var user = Self.user()
    user.show(Self.view(adding: 2))
    #expect(user.anchor() == LineAnchor(rowID: 1040) && user.app.state.anchors[1]?.rowID ?? 0 == 0)
  }

  @Test("a row beyond the end of the frame is asked for, and shown in its line") func beyond() {
    var user = Self.user()
    let before = Self.line(of: 1038, user)
    let all = Self.view(adding: 30)
    var view = all
    let row = view.panes[0].rows.first { $0.rowID == 1038 }
    view.panes[0].selection.rowID = 1038
    view.panes[0].selection.pin = .bottom
    view.panes[0].selection.row = row
    view.panes[0].rows.removeLast(40)
    user.show(view)
    let viewports = user.said().compactMap { if case .viewport(let viewport) = $0 { viewport } else { nil } }
    #expect(viewports.map(\.anchorRow) == [1038])
    // First the rows to show at once, then those around them.
    for first in [32, 20] {
      view = all
      view.panes[0].rows = Array(all.panes[0].rows[first..<50])
      view.panes[0].status.rowsAbove = first
      view.panes[0].status.anchorRow = 1038
      user.show(view, viewports: 1)
    }
    #expect(user.focus.rowID == 1038 && Self.line(of: 1038, user) == before)
  }

  @Test("a row that the user has scrolled away stays away") func scrolledAway() {
    var user = Self.user()
    for _ in 0..<40 { user.key(.character("e"), .control) }
    let anchor = user.anchor()
    user.show(Self.view(adding: 9), viewports: 40)
    #expect(user.anchor() == anchor)
  }
}

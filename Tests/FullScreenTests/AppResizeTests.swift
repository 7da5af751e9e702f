import FullScreen
import Messages
import Testing
import ViewState

@Suite("The focused pane after a resize")
struct AppResizeTests {
  /// Returns a view of several panes on a screen of some width, at a position, by default the greatest.
  private func view(_ panes: Int, columns: Int, position: Int? = nil, generation: UInt32 = 1) -> ViewSnapshot {
    var view = ScreenUser.view(40, columns: columns)
    for number in 1..<panes { view.push(.conversation, "Conversation \(number)", SampleView.thread) }
    view.place(at: position)
    view.snapshot.layoutGeneration = generation
    return view.snapshot
  }

  /// Returns a user of four panes at 200 columns, with the focus in one.
  private func user(focus: UInt64, columns: Int = 200, panes: Int = 4) -> ScreenUser {
    var user = ScreenUser(columns: columns)
    user.happens(.connected)
    user.show(view(panes, columns: columns), isFirst: true)
    user.type(String(focus))
    _ = user.look()
    return user
  }

  private func reveals(_ user: inout ScreenUser) -> [MoveStackRequest.Move] {
    user.calls(Method.moveStack, as: MoveStackRequest.self).map(\.1.move)
  }

  @Test("a smaller screen slides to the focused pane, which keeps the focus", arguments: [1, 2, 3, 4])
  func shrinking(focus: UInt64) {
    var user = user(focus: focus)
    user.happens(.resized(columns: 80, lines: 24))
    user.show(view(4, columns: 80, position: 1, generation: 2))
    #expect(user.focus.paneID == focus)
    // At the strip of 80 columns the first pane is whole.
    #expect(reveals(&user) == (focus == 1 ? [] : [.reveal(focus)]))
  }

  @Test("a pane that is cut at the edge is revealed") func cut() {
    var user = user(focus: 2, columns: 120, panes: 2)
    user.happens(.resized(columns: 80, lines: 24))
    user.show(view(2, columns: 80, position: 1, generation: 2))
    #expect(user.app.snapshot.paneFrames[1].x == 62)
    #expect(reveals(&user) == [.reveal(2)])
  }

  @Test("a slide that was asked for before does not take the focus from a pane chosen since") func chosen() {
    var user = user(focus: 1)
    user.happens(.resized(columns: 80, lines: 24))
    user.show(view(4, columns: 80, position: 1, generation: 2))
    user.type("2")
    #expect(reveals(&user) == [.reveal(2)])
    user.show(view(4, columns: 80, position: 6, generation: 2))
    #expect(user.focus.paneID == 2)
    #expect(reveals(&user) == [.reveal(2)])
    user.show(view(4, columns: 80, position: 2, generation: 2))
    user.type(";")
    user.show(view(4, columns: 80, position: 6, generation: 2))
    #expect(user.focus.paneID == 4, "the focus goes along when the user slides")
  }

  @Test("nothing slides while the screen is resized further, nor for a pane that is whole") func resting() {
    var user = user(focus: 4)
    user.happens(.resized(columns: 100, lines: 24))
    user.happens(.resized(columns: 80, lines: 24))
    user.show(view(4, columns: 100, position: 1, generation: 2))
    #expect(reveals(&user) == [], "the rows are not those of this screen")
    user.show(view(4, columns: 80, position: 1, generation: 3))
    #expect(reveals(&user) == [.reveal(4)])
    user.show(view(4, columns: 80, position: 6, generation: 3))
    #expect(reveals(&user) == [])
  }

  @Test("a slide that was not asked for says nothing") func quiet() throws {
    var user = user(focus: 4)
    user.happens(.resized(columns: 80, lines: 24))
    user.show(view(4, columns: 80, position: 1, generation: 2))
    let slide = try #require(user.calls(Method.moveStack, as: MoveStackRequest.self).first)
    user.answer(slide.number, MoveStackResponse(position: 6, hasMoved: false))
    #expect(user.app.state.status.message == "")
  }

  @Test("a wider pane beside the focused one does not push it off the screen") func widening() {
    var user = user(focus: 2, columns: 120, panes: 2)
    var other = SampleView(columns: 120, lines: 30)
    other.push(.timeline, "Timeline", ScreenUser.posts(40), width: 90)
    other.push(.conversation, "Conversation 1", SampleView.thread, position: 1)
    user.show(other.snapshot)
    #expect(user.focus.paneID == 2)
    #expect(reveals(&user) == [.reveal(2)])
  }

  @Test("a slide by hand may leave the focused pane, and then the focus goes with what is seen") func sliding() {
    var user = user(focus: 4)
    user.type(";")
    #expect(reveals(&user) == [.slide(.right)])
    user.show(view(4, columns: 200, position: 1))
    #expect(reveals(&user) == [] && user.focus.paneID == 4, "a part of it is seen")
    user = self.user(focus: 4, columns: 80)
    user.type(";")
    _ = user.look()
    user.show(view(4, columns: 80, position: 0))
    #expect(reveals(&user) == [] && user.focus.paneID == 1)
  }

  @Test("a session opened where it was left has the focus in a pane that is whole") func opening() {
    var user = ScreenUser(columns: 120)
    user.happens(.connected)
    user.show(view(3, columns: 120, position: 1), isFirst: true)
    #expect(user.focus.paneID == 2)
    #expect(reveals(&user) == [])
  }
}

import FullScreen
import Messages
import Terminal
import Testing
import ViewState

@Suite("Reading a list with details beside it")
struct DetailTests {
  /// The timeline with the conversation of a post beside it, as a pane with this id.
  private func view(_ count: Int = 40, beside post: UInt64, pane: UInt64) -> ViewSnapshot {
    var view = ScreenUser.view(count)
    view.push(.conversation, "Conversation", SampleView.thread)
    view.snapshot.panes[1].header = PaneHeader(paneID: pane, kind: .conversation, subject: post, title: [])
    view.snapshot.paneFrames[1] = Self.renumbered(view.snapshot.paneFrames[1], pane)
    return view.snapshot
  }

  private static func renumbered(_ frame: PaneFrame, _ pane: UInt64) -> PaneFrame {
    var new = PaneFrame(paneID: pane, x: frame.x, width: frame.width)
    (new.columnX, new.columnWidth) = (frame.columnX, frame.columnWidth)
    (new.textX, new.textWidth) = (frame.textX, frame.textWidth)
    return new
  }

  @Test("J shows the next post's conversation to the right, replaces it, and keeps the focus in the list")
  func walking() throws {
    var user = ScreenUser.reading()
    user.type("J")
    let push = try #require(user.calls(Method.push, as: PushRequest.self).first)
    #expect(push.1.subject == .conversation("1039") && push.1.fromPane == 1)
    user.show(view(beside: 1039, pane: 2))
    #expect(user.focus == FocusedPane(paneID: 1, rowID: 1039), "also if the frame comes before the answer")
    user.answer(push.number, PaneResponse(paneID: 2, revision: user.shown.revision))
    user.type("J")
    let second = try #require(user.calls(Method.replace, as: ReplaceRequest.self).first)
    #expect(second.1.push.subject == .conversation("1038") && second.1.push.fromPane == 2)
    user.type("J")
    #expect(user.calls(Method.replace, as: ReplaceRequest.self).isEmpty, "one at a time")
    user.answer(second.number, PaneResponse(paneID: 3, revision: user.shown.revision + 1))
    #expect(user.calls(Method.replace, as: ReplaceRequest.self).isEmpty, "the pane to replace is not shown yet")
    user.show(view(beside: 1038, pane: 3))
    #expect(user.focus == FocusedPane(paneID: 1, rowID: 1037))
    #expect(user.calls(Method.replace, as: ReplaceRequest.self).first?.1.push.fromPane == 3)
    user.type("K")
    #expect(user.focus == FocusedPane(paneID: 1, rowID: 1038))
    #expect(user.shown.panes.count == 2)
  }

  @Test("the frame may come after the answer, and other panes still get the focus") func answerFirst() throws {
    var user = ScreenUser.reading()
    user.type("J")
    let push = try #require(user.calls(Method.push, as: PushRequest.self).first)
    user.answer(push.number, PaneResponse(paneID: 2, revision: user.shown.revision + 1))
    user.show(view(beside: 1039, pane: 2))
    #expect(user.focus.paneID == 1)
    user.show(ScreenUser.view(40).snapshot)
    user.show(view(beside: 1030, pane: 9))
    #expect(user.focus.paneID == 9, "a pane that another screen opens")
  }

  @Test("a detail that is shown already is not asked for again, and Enter goes to it") func shownAlready() throws {
    var user = ScreenUser.reading(2)
    user.type("J")
    let push = try #require(user.calls(Method.push, as: PushRequest.self).first)
    user.answer(push.number, PaneResponse(paneID: 2, revision: user.shown.revision + 1))
    user.show(view(2, beside: 1001, pane: 2))
    user.type("J")
    #expect(user.calls(Method.replace, as: ReplaceRequest.self).isEmpty)
    user.key(.enter)
    #expect(user.focus.paneID == 2)
  }

  @Test("without room for both, J moves and says how to open the conversation, once") func narrow() {
    var user = ScreenUser.reading(40, columns: 80)
    user.type("J")
    #expect(user.focus.rowID == 1039)
    #expect(user.calls(Method.push, as: PushRequest.self).isEmpty)
    #expect(user.app.state.status.message == "No room for a conversation beside this pane; enter opens it.")
    user.type("?")
    user.key(.escape)
    user.now += App.messageTime
    user.happens(.tick)
    user.type("J")
    #expect(user.focus.rowID == 1038 && user.app.state.status.message.isEmpty)
  }
}

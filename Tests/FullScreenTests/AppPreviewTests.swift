import FullScreen
import Messages
import Terminal
import Testing
import ViewState

@Suite("The preview beside the panes")
struct AppPreviewTests {
  private func reading(columns: Int = 160, _ edit: (inout AppOptions) -> Void = { _ in }) -> ScreenUser {
    var user = ScreenUser(columns: columns, lines: 30, edit)
    user.happens(.connected)
    user.show(ScreenUser.view(40, columns: columns).snapshot, isFirst: true)
    return user
  }

  private func asked(_ user: inout ScreenUser) -> [(number: UInt64, SetPreviewRequest)] {
    user.calls(Method.setPreview, as: SetPreviewRequest.self)
  }

  /// Returns a timeline with the preview of a post.
  private func view(of post: UInt64, columns: Int = 160) -> ViewSnapshot {
    var view = ScreenUser.view(40, columns: columns)
    view.preview(post, SampleView.thread)
    return view.snapshot
  }

  @Test("a wide screen asks for the preview of its current row, once") func asking() throws {
    var user = reading()
    let first = try #require(asked(&user).first)
    #expect(first.1 == SetPreviewRequest(viewID: 5, postID: 1040))
    user.answer(first.number, EmptyMessage())
    user.show(view(of: 1040))
    #expect(asked(&user).isEmpty && user.app.nextTick == nil, "there is nothing more to do")
  }

  @Test("a narrow screen, one that speaks and one that wants none ask for nothing") func narrow() {
    for columns in [80, 120, 139] {
      var user = reading(columns: columns)
      user.type("jj")
      #expect(asked(&user).isEmpty, "\(columns)")
    }
    var user = reading { $0.toggles.hasPreview = false }
    user.type("jj")
    #expect(asked(&user).isEmpty)
  }

  @Test("the preview follows the selected row when the user rests, with one call at a time") func resting() throws {
    var user = reading()
    let first = try #require(asked(&user).first)
    user.type("jjj")
    user.now += 200
    user.happens(.tick)
    #expect(asked(&user).isEmpty, "the first call is not answered")
    user.answer(first.number, EmptyMessage())
    let second = try #require(asked(&user).first)
    #expect(second.1.postID == 1037)
    user.answer(second.number, EmptyMessage())
    user.type("j")
    #expect(asked(&user).isEmpty)
    let due = try #require(user.app.nextTick)
    user.now += 60
    user.type("j")
    user.now = due
    user.happens(.tick)
    #expect(asked(&user).isEmpty, "the user has moved on meanwhile")
    user.now += 60
    user.happens(.tick)
    #expect(asked(&user).map(\.1.postID) == [1035])
  }

  @Test("keys do not reach the preview: it has no number, no focus, and is no pane to close") func outside() {
    var user = reading()
    user.show(view(of: 1040))
    _ = user.look()
    #expect(user.focus.paneID == 1 && user.app.snapshot.panes.count == 1)
    user.type("2")
    #expect(user.app.state.status.message == "There is only one pane.")
    user.key(.tab)
    #expect(user.focus.paneID == 1)
    user.type("q")
    #expect(user.app.state.overlay != nil, "the first pane is the last one")
    user.key(.escape)
    user.type("j")
    user.key(.enter)
    let push = user.calls(Method.push, as: PushRequest.self).first
    #expect(push?.1.fromPane == 1)
  }

  @Test("the picture shows it, beside the panes and not focused") func picture() {
    var user = reading()
    user.show(view(of: 1040))
    let text = user.text()
    #expect(text.contains("Conversation · preview") && text.contains("It is two otters."))
  }

  @Test("P turns it off and on, now and for later runs") func toggling() throws {
    var user = reading()
    let first = try #require(asked(&user).first)
    user.answer(first.number, EmptyMessage())
    user.show(view(of: 1040))
    _ = user.look()
    user.type("P")
    let effects = user.look()
    #expect(effects.contains(.remember(hasPreview: false)))
    #expect(user.app.state.status.message == "Preview off.")
    let sent = effects.compactMap { effect -> SetPreviewRequest? in
      guard case .call(_, Method.setPreview, let bytes) = effect else { return nil }
      return try? SetPreviewRequest(decoding: bytes)
    }
    #expect(sent.map(\.postID) == [0])
    user.type("P")
    #expect(user.look().contains(.remember(hasPreview: true)))
    var narrow = reading(columns: 100) { $0.toggles.hasPreview = false }
    narrow.type("P")
    #expect(narrow.app.state.status.message == "Preview on, on screens of 140 columns or more.")
  }

  @Test("the wheel and keys of its own scroll it, and a click opens it") func mouse() throws {
    var user = reading()
    var wide = ScreenUser.view(40, columns: 160)
    wide.preview(1040, ScreenUser.posts(30))
    user.show(wide.snapshot)
    _ = user.look()
    let frame = try #require(wide.snapshot.paneFrames.last)
    let id = frame.paneID
    user.happens(.input(.mouse(Mouse(.wheelDown, line: 9, column: frame.x + 5))))
    let scroll = PaneScroll(try #require(wide.snapshot.panes.last))
    #expect(user.app.state.anchors[id] == scroll.anchor(at: 3))
    user.key(.down, .shift)
    #expect(user.app.state.anchors[id] == scroll.anchor(at: 17), "half of 28 lines further")
    let viewports = user.said().compactMap { if case .viewport(let viewport) = $0 { viewport.paneID } else { nil } }
    #expect(viewports == [id, id])
    user.happens(.input(.mouse(Mouse(.press, line: 9, column: frame.x + 5))))
    let push = user.calls(Method.push, as: PushRequest.self).first
    #expect(push?.1.subject == .conversation("1040") && push?.1.fromPane == 1)
  }

  @Test("what a conversation is about is not previewed beside it") func own() {
    var user = reading(columns: 200)
    var view = ScreenUser.view(40, columns: 200)
    view.push(.conversation, "Conversation", SampleView.thread)
    view.snapshot.panes[1].header = PaneHeader(paneID: 2, kind: .conversation, subject: 21, title: [])
    for call in asked(&user) { user.answer(call.number, EmptyMessage()) }
    user.show(view.snapshot)
    #expect(asked(&user).map(\.1.postID) == [0])
  }

  @Test("a new view is asked again, and told what is held of the old one") func reconnecting() throws {
    var user = reading()
    for call in asked(&user) { user.answer(call.number, EmptyMessage()) }
    user.show(view(of: 1040))
    user.happens(.disconnected("gone"))
    user.happens(.connected)
    let hello = user.look().compactMap { if case .attach(let hello) = $0 { hello } else { nil } }.last
    #expect(hello?.resume?.panes.map(\.paneID) == [1, UInt64(1) << 63 | 1040])
    user.show(ScreenUser.view(40, columns: 160).snapshot, isFirst: true)
    #expect(asked(&user).map(\.1.postID) == [1040])
  }
}

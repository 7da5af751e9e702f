import ClientCore
import FullScreen
import Messages
import Terminal
import Testing
import ViewState

@Suite("The full-screen program")
struct AppTests {
  // MARK: The view

  @Test("it connects, opens a view of its size, shows the first frame and acknowledges it once painted")
  func beginning() throws {
    var user = ScreenUser()
    #expect(user.look() == [.connect(after: 0)])
    user.happens(.connected)
    guard case .attach(let hello)? = user.look().first else { throw Missing() }
    #expect((hello.layout.width, hello.layout.height, hello.layout.clockSize) == (120, 28, 3))
    #expect(hello.layout.hasDayLines && hello.resume == nil && hello.viewport == nil)
    user.show(ScreenUser.view(40).snapshot, isFirst: true)
    #expect(user.focus.paneID == 1)
    #expect(user.app.state.status.connection == .live)
    #expect(user.text().contains("post 40"))
    #expect(user.said() == [])
    user.happens(.painted)
    #expect(user.said() == [.ack(1)])
    user.happens(.painted)
    #expect(user.said() == [], "once is enough")
  }

  @Test("a frame that does not match restarts the view from nothing") func parted() throws {
    var user = ScreenUser.reading()
    var frame = Frame()
    frame.number = 2
    frame.epoch = 7
    frame.baseRevision = 999
    user.happens(.frame(frame))
    guard case .attach(let hello)? = user.look().first else { throw Missing() }
    #expect(hello.resume == nil)
    #expect(user.text().contains("post 40"), "the old picture stays until then")
    user.show(ScreenUser.view(3).snapshot, isFirst: true)
    #expect(user.text().contains("post 3"))
  }

  @Test("after losing the daemon it reconnects with growing pauses, and resumes the view in place") func reconnecting()
    throws
  {
    var user = ScreenUser.reading()
    for _ in 0..<11 { user.type("j") }
    let place = user.anchor()
    _ = user.look()
    var pauses: [Int64] = []
    for _ in 0..<9 {
      user.happens(.disconnected("gone"))
      for case .connect(let pause) in user.look() { pauses.append(pause) }
    }
    #expect(pauses == [50, 100, 200, 400, 800, 1600, 3200, 5000, 5000])
    #expect(user.app.state.status.connection == .offline(since: "12:16 AM"))
    user.type("k")
    #expect(user.focus.rowID == 1030, "rows held can still be read")
    user.happens(.connected)
    guard case .attach(let hello)? = user.look().first else { throw Missing() }
    #expect(hello.resume?.panes.first?.rows.count == 40)
    #expect(hello.viewport?.anchorRow == place.rowID && hello.viewport?.line == place.line)
    user.show(user.shown, isFirst: true)
    #expect(user.anchor() == place)
    #expect(user.app.state.status.connection == .live)
    #expect(
      user.calls(Method.select, as: SelectRequest.self).last?.1.rowID == 1030,
      "the selection made offline is sent")
  }

  @Test("a deleted session leads to main, and a fatal error quits") func endings() throws {
    var user = ScreenUser.reading { $0.session = "work" }
    user.happens(.viewEnded(CallEnd(code: 5, message: "no such session")))
    #expect(user.look().contains { if case .attach(let hello) = $0 { hello.session.isEmpty } else { false } })
    var other = ScreenUser.reading()
    other.happens(.viewEnded(CallEnd(code: 16, message: "the token was revoked")))
    #expect(other.look() == [.quit(failure: ClientFailure(.refused, "the token was revoked"))])
    other.happens(.invalidFrame("panes"))
    guard case .quit(let failure?)? = other.look().last else { throw Missing() }
    #expect(failure.exitCode == .versionMismatch && failure.message.contains("invalid response (panes)"))
    for code in [0, 1, 4, 8, 13, 14] {
      var third = ScreenUser.reading()
      third.happens(.viewEnded(CallEnd(code: code, message: "stopping")))
      #expect(third.look() == [.connect(after: 50)], "\(code)")
    }
  }

  @Test("of many size changes the first and the last are sent") func resizing() {
    var user = ScreenUser.reading()
    for columns in [100, 90, 80, 70] { user.happens(.resized(columns: columns, lines: 30)) }
    let layouts = user.said().compactMap { if case .layout(let layout) = $0 { layout.width } else { nil } }
    #expect(layouts == [100])
    var view = ScreenUser.view(40, columns: 100).snapshot
    view.layoutGeneration = 2
    user.show(view)
    #expect(user.said().compactMap { if case .layout(let layout) = $0 { layout.width } else { nil } } == [70])
    view.layoutGeneration = 3
    user.show(view)
    #expect(user.said() == [])
    #expect(user.app.picture(at: 0).columns == 70)
  }

  // MARK: Rows

  @Test("the first row is marked from the start, and stays so when posts arrive above it") func marked() {
    var user = ScreenUser.reading(40)
    #expect(user.focus.rowID == 1040 && user.calls(Method.select, as: SelectRequest.self).isEmpty)
    user.show(ScreenUser.view(42).snapshot)
    #expect(user.focus.rowID == 1040)
    user.show(ScreenUser.view(60).snapshot)
    #expect(user.focus.rowID == 1060, "it was pushed off the screen")
    user.type("j")
    #expect(user.focus.rowID == 1059)
    user = ScreenUser.reading(40)
    for _ in 0..<4 { user.key(.character("e"), .control) }
    #expect(user.focus.rowID == 1039, "the first visible row")
  }

  @Test("the newest message of a direct conversation is marked") func newestMessage() {
    var user = ScreenUser()
    user.happens(.connected)
    var view = SampleView(columns: 120, lines: 30)
    view.push(.direct, "@bertil", Array(ScreenUser.posts(3).reversed()))
    user.show(view.snapshot, isFirst: true)
    #expect(user.focus.rowID == 1003)
  }

  @Test("keys move on from the first row, and selections are sent one at a time") func selecting() throws {
    var user = ScreenUser.reading()
    user.type("j")
    #expect(user.focus.rowID == 1039)
    let first = try #require(user.calls(Method.select, as: SelectRequest.self).first)
    #expect((first.1.paneID, first.1.rowID) == (1, 1039))
    user.type("jj")
    #expect(user.focus.rowID == 1037, "at once on this side")
    #expect(user.calls(Method.select, as: SelectRequest.self).isEmpty, "the first is unanswered")
    user.answer(first.number, PaneResponse(paneID: 1, revision: 2))
    let second = try #require(user.calls(Method.select, as: SelectRequest.self).first)
    #expect(second.1.rowID == 1037, "selections in between are skipped")
    var view = user.shown
    view.panes[0].selection.rowID = 1039
    user.show(view)
    #expect(user.focus.rowID == 1037, "an older frame changes nothing")
    user.answer(second.number, PaneResponse(paneID: 1, revision: user.shown.revision + 1))
    view.panes[0].selection.rowID = 1037
    user.show(view)
    view.panes[0].selection.rowID = 1035
    user.show(view)
    #expect(user.focus.rowID == 1035, "the selection of another view applies here too")
  }

  @Test("scrolling is immediate, and the daemon receives few positions including the last") func scrolling() {
    var user = ScreenUser.reading()
    user.key(.character("e"), .control)
    #expect(user.anchor() == LineAnchor(rowID: 1040, line: 1))
    for _ in 0..<9 { user.key(.character("e"), .control) }
    #expect(user.anchor() == LineAnchor(rowID: 1038, line: 2))
    func places(_ frames: [ClientFrame]) -> [ViewportParameters] {
      frames.compactMap { if case .viewport(let viewport) = $0 { viewport } else { nil } }
    }
    let first = places(user.said())
    #expect(first.map(\.generation) == [1, 2, 3])
    user.show(user.shown, viewports: 2)
    let second = places(user.said())
    #expect(
      second.map(\.generation) == [4] && second[0].anchorRow == 1038 && second[0].line == 2 && second[0].paneID == 1)
    // To the top: not to a row, but to whatever is the top.
    user.type("g")
    #expect(places(user.said()).last?.anchorRow == 0)
    #expect(user.anchor() == LineAnchor(rowID: 1040))
  }

  @Test("new rows above move nothing, and the next row replaces one that goes") func place() {
    var user = ScreenUser.reading()
    for _ in 0..<10 { user.key(.character("e"), .control) }
    let before = user.anchor()
    var view = user.shown
    view.panes[0].rows.insert(contentsOf: ScreenUser.view(43).snapshot.panes[0].rows[..<3], at: 0)
    user.show(view)
    #expect(user.anchor() == before)
    view = user.shown
    view.panes[0].rows.removeAll { $0.rowID == before.rowID }
    user.show(view)
    #expect(user.anchor() == LineAnchor(rowID: before.rowID - 1))
  }

  @Test("the daemon's anchor counts after a new width, unless it is behind") func toldPlaces() {
    var user = ScreenUser.reading()
    for _ in 0..<6 { user.key(.character("e"), .control) }
    var view = user.shown
    (view.panes[0].status.anchorRow, view.panes[0].status.anchorLine) = (1030, 1)
    user.show(view, viewports: 1)
    #expect(user.anchor() != LineAnchor(rowID: 1030, line: 1), "the daemon does not know the last positions yet")
    user.show(view, viewports: 6)
    (view.panes[0].status.anchorRow, view.panes[0].status.anchorLine) = (1029, 2)
    user.show(view)
    #expect(user.anchor() == LineAnchor(rowID: 1029, line: 2))
  }

  @Test("keys are not lost when rows arrive late") func pendingMoves() {
    var user = ScreenUser.reading(4)
    var view = user.shown
    view.panes[0].status.rowCount = 40
    user.show(view)
    user.type("jjjjjj")
    #expect(user.focus.rowID == 1001)
    view.panes[0].rows += (0..<10).map { index in
      SampleView.row(
        SampleView.Post(id: 900 - index, name: "Ann", handle: "ann", text: "older"), view.paneFrames[0], caps: [])
    }
    user.show(view)
    #expect(user.focus.rowID == 898)
  }

  @Test("a page scrolls its full height, through rows that arrive later") func pendingScroll() {
    var user = ScreenUser.reading(40)
    var view = user.shown
    let all = view.panes[0].rows
    view.panes[0].rows = Array(all[10..<20])
    (view.panes[0].status.rowsAbove, view.panes[0].status.rowCount) = (10, 40)
    (view.panes[0].status.anchorRow, view.panes[0].status.anchorLine) = (all[12].rowID, 0)
    user.show(view)
    #expect(user.anchor() == LineAnchor(rowID: all[12].rowID))
    // 27 lines up: 8 are held.
    user.type("-")
    #expect(user.anchor() == LineAnchor(rowID: all[10].rowID))
    view.panes[0].rows = Array(all[0..<20])
    view.panes[0].status.rowsAbove = 0
    user.show(view, viewports: 9)
    #expect(user.anchor() == LineAnchor(rowID: all[5].rowID, line: 1))
    user.show(view)
    #expect(user.anchor() == LineAnchor(rowID: all[5].rowID, line: 1), "once")
    user.type("----")
    #expect(user.focus.rowID == all[0].rowID, "at the end the selection moves on")
  }

  @Test("jumps to rows not held finish when the rows arrive") func jumps() {
    var user = ScreenUser.reading()
    var view = user.shown
    view.panes[0].status.rowCount = 1000
    user.show(view)
    user.type("G")
    let sent = user.said().compactMap { if case .viewport(let viewport) = $0 { viewport } else { nil } }
    #expect(sent.count == 1 && sent[0].atMilliseconds < 0)
    #expect(user.anchor() == LineAnchor(rowID: 1040), "nothing moves until then")
    view.panes[0].rows = (0..<20).map { index in
      SampleView.row(
        SampleView.Post(id: 500 - index, name: "Ann", handle: "ann", text: "old"), view.paneFrames[0], caps: [])
    }
    view.panes[0].status.rowsAbove = 980
    view.panes[0].status.anchorRow = 481
    user.show(view, viewports: sent[0].generation)
    #expect(user.focus.rowID == 481)
    let scroll = PaneScroll(user.app.snapshot.panes[0])
    #expect(scroll.line(of: user.anchor()) == scroll.height - 28, "the last rows fill the screen")
  }

  @Test("a jump beyond the last row shows the end of the list, and nothing below it") func jumpToTheEnd() {
    var user = ScreenUser.reading()
    user.type("D2015")
    user.key(.enter)
    let sent = user.said().compactMap { if case .viewport(let viewport) = $0 { viewport } else { nil } }
    var view = user.shown
    view.panes[0].status.anchorRow = 1001
    user.show(view, viewports: sent[0].generation)
    let scroll = PaneScroll(user.app.snapshot.panes[0])
    #expect(user.focus.rowID == 1001 && scroll.line(of: user.anchor()) == scroll.height - 28)
  }

  @Test("a pane that opens at its newest row is at the top: posts that arrive are shown") func opensAtTheTop() {
    var user = ScreenUser()
    user.happens(.connected)
    var view = ScreenUser.view(40).snapshot
    view.panes[0].status.anchorRow = 1040
    user.show(view, isFirst: true)
    let sent = user.said().compactMap { if case .viewport(let viewport) = $0 { viewport } else { nil } }
    #expect(sent.map(\.anchorRow) == [0])
    view = ScreenUser.view(41).snapshot
    view.panes[0].status.anchorRow = 1040
    user.show(view, viewports: 1)
    #expect(user.anchor() == LineAnchor(rowID: 1041) && user.focus.rowID == 1040)
  }

  // MARK: Panes

  @Test("Enter opens a pane with the focus, q closes it, and asks at the root") func panes() throws {
    var user = ScreenUser.reading()
    user.type("j")
    user.key(.enter)
    let push = try #require(user.calls(Method.push, as: PushRequest.self).first)
    #expect(push.1.subject == .conversation("1039") && push.1.fromPane == 1 && !push.1.command.requestID.isEmpty)
    user.answer(push.number, PaneResponse(paneID: 2, revision: 9))
    var view = ScreenUser.view(40)
    view.push(.conversation, "Conversation", SampleView.thread)
    user.show(view.snapshot)
    #expect(user.focus.paneID == 2)
    user.type("q")
    #expect(user.look().contains { if case .call(_, Method.pop, _) = $0 { true } else { false } })
    user.show(ScreenUser.view(40).snapshot)
    #expect(user.focus.paneID == 1)
    user.type("q")
    #expect(user.app.state.overlay != nil)
    user.type("n")
    #expect(user.app.state.overlay == nil && user.look() == [])
    user.type("q")
    user.type("y")
    #expect(user.look() == [.send(.bye), .quit(failure: nil)])
  }

  @Test("a pane already open for a row gets the focus instead of a second one") func openAlready() {
    var user = ScreenUser.reading(40, columns: 160)
    var view = ScreenUser.view(40, columns: 160)
    view.push(.conversation, "Conversation", SampleView.thread)
    view.snapshot.panes[1].header = PaneHeader(paneID: 2, kind: .conversation, subject: 1040, title: [])
    user.show(view.snapshot)
    user.type("h")
    #expect(user.focus.paneID == 1)
    _ = user.look()
    user.type("g")
    user.key(.enter)
    #expect(user.calls(Method.push, as: PushRequest.self).isEmpty)
    #expect(user.focus.paneID == 2)
  }

  @Test("keys typed ahead wait for their pane, but not for long") func typedAhead() throws {
    var user = ScreenUser.reading()
    user.type("j")
    user.key(.enter)
    let push = try #require(user.calls(Method.push, as: PushRequest.self).first)
    user.type("ja")
    #expect(user.look() == [] && user.focus.rowID == 1039)
    user.answer(push.number, PaneResponse(paneID: 2, revision: user.shown.revision + 1))
    var view = ScreenUser.view(40)
    view.push(.conversation, "Conversation", SampleView.thread)
    user.show(view.snapshot)
    let author = try #require(user.calls(Method.push, as: PushRequest.self).first)
    #expect(author.1.fromPane == 2, "in the new pane, for the row that the key selected")
    #expect(user.focus == FocusedPane(paneID: 2, rowID: 21))
    user.type("j")
    #expect(user.focus.rowID == 21)
    user.now += App.holdTime
    user.happens(.tick)
    #expect(user.focus.rowID == 22, "no pane opened")
    user.type("j")
    user.refuse(author.number, code: 5, "no such author")
    user.type("j")
    #expect(user.focus.rowID == 23, "keys for a pane that never opens are dropped")
  }

  @Test("a conversation begins at its subject") func subject() {
    var user = ScreenUser.reading()
    var view = ScreenUser.view(40)
    view.push(.conversation, "Conversation", SampleView.thread)
    view.snapshot.panes[1].header = PaneHeader(paneID: 2, kind: .conversation, subject: 23, title: [])
    user.show(view.snapshot)
    _ = user.look()
    user.type("(")
    #expect(user.calls(Method.collapse, as: CollapseRequest.self).first?.1.rowID == 23)
    #expect(user.focus.rowID == 23)
    user.type("j")
    #expect(user.focus.rowID == 24)
  }

  @Test("focusing a covered pane slides to it") func covered() throws {
    var user = ScreenUser.reading(40, columns: 80)
    var view = ScreenUser.view(40, columns: 80)
    view.push(.conversation, "Conversation", SampleView.thread)
    user.show(view.snapshot)
    _ = user.look()
    user.type("h")
    let slide = try #require(user.calls(Method.moveStack, as: MoveStackRequest.self).first)
    #expect(slide.1.move == .reveal(1) && slide.1.viewID == 5)
    user.answer(slide.number, MoveStackResponse(position: 0, hasMoved: false))
    #expect(user.app.state.status.message == "No more panes in this direction.")
  }

  @Test(
    "sections, sessions, widths and history are commands",
    arguments: [
      ("ctrl-2", Method.open), ("[", Method.back), ("]", Method.forward),
      ("+", Method.resizePane),
      ("z", Method.resizePane), (",", Method.moveStack), (";", Method.moveStack), ("S", Method.listSessions),
      ("a", Method.push),
      ("t", Method.push),
    ]) func commands(key: String, method: String)
  {
    var user = ScreenUser.reading()
    if key == "ctrl-2" { user.key(.character("2"), .control) } else { user.type(key) }
    #expect(user.look().contains { if case .call(_, method, _) = $0 { true } else { false } })
  }

  @Test("refusals are shown in the daemon's words") func refusals() throws {
    var user = ScreenUser.reading()
    user.type("[")
    let back = try #require(user.calls(Method.back, as: SessionRequest.self).first)
    user.refuse(back.number, code: 9, "there is nothing to go back to")
    #expect(user.app.state.status.message == "There is nothing to go back to.")
    user.now += App.messageTime
    #expect(user.app.nextTick != nil)
    user.happens(.tick)
    #expect(user.app.state.status.message == "")
    #expect(user.app.nextTick == nil, "there are no ticks when nothing is due")
  }

  @Test("animations ask for ticks until they end, and for none if animations are off") func animations() {
    for animates in [true, false] {
      var user = ScreenUser.reading { $0.animates = animates }
      var view = ScreenUser.view(40)
      view.push(.conversation, "Conversation", SampleView.thread)
      user.show(view.snapshot)
      #expect((user.app.nextTick != nil) == animates)
      for _ in 0..<20 {
        user.now += Animation.interval
        user.happens(.tick)
      }
      #expect(user.app.nextTick == nil)
    }
  }
}

/// Thrown if something that a test needs is missing.
struct Missing: Error {}

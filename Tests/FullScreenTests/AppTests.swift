import FullScreen
import Messages
import Terminal
import Testing
import ViewState

@Suite("The program that runs full screen")
struct AppTests {
  // MARK: The view

  @Test("it connects, opens a view of its size, shows the first frame and says so when it is on the screen")
  func beginning() throws {
    var somebody = Somebody()
    #expect(somebody.look() == [.connect(after: 0)])
    somebody.happens(.connected)
    guard case .attach(let hello)? = somebody.look().first else { throw Missing() }
    #expect((hello.layout.width, hello.layout.height, hello.layout.clockSize) == (120, 28, 3))
    #expect(hello.layout.hasDayLines && hello.resume == nil && hello.viewport == nil)
    somebody.show(Somebody.view(40).snapshot, isFirst: true)
    #expect(somebody.focus.paneID == 1)
    #expect(somebody.app.state.status.connection == .live)
    #expect(somebody.text().contains("post 40"))
    #expect(somebody.said() == [])
    somebody.happens(.painted)
    #expect(somebody.said() == [.ack(1)])
    somebody.happens(.painted)
    #expect(somebody.said() == [], "once is enough")
  }

  @Test("a frame that does not fit begins anew, with nothing") func parted() throws {
    var somebody = Somebody.reading()
    var frame = Frame()
    frame.number = 2
    frame.epoch = 7
    frame.baseRevision = 999
    somebody.happens(.frame(frame))
    guard case .attach(let hello)? = somebody.look().first else { throw Missing() }
    #expect(hello.resume == nil)
    #expect(somebody.text().contains("post 40"), "the old picture stays meanwhile")
    somebody.show(Somebody.view(3).snapshot, isFirst: true)
    #expect(somebody.text().contains("post 3"))
  }

  @Test("a lost daemon is waited for with growing pauses, and the view resumed where it was") func reconnecting() throws
  {
    var somebody = Somebody.reading()
    for _ in 0..<12 { somebody.type("j") }
    let place = somebody.anchor()
    _ = somebody.look()
    var pauses: [Int64] = []
    for _ in 0..<9 {
      somebody.happens(.disconnected("gone"))
      for case .connect(let pause) in somebody.look() { pauses.append(pause) }
    }
    #expect(pauses == [50, 100, 200, 400, 800, 1600, 3200, 5000, 5000])
    #expect(somebody.app.state.status.connection == .offline(since: "00:16"))
    somebody.type("k")
    #expect(somebody.focus.rowID == 1030, "what is held can be read")
    somebody.happens(.connected)
    guard case .attach(let hello)? = somebody.look().first else { throw Missing() }
    #expect(hello.resume?.panes.first?.rows.count == 40)
    #expect(hello.viewport?.anchorRow == place.rowID && hello.viewport?.line == place.line)
    somebody.show(somebody.shown, isFirst: true)
    #expect(somebody.anchor() == place)
    #expect(somebody.app.state.status.connection == .live)
    #expect(
      somebody.calls(Method.select, as: SelectRequest.self).last?.1.rowID == 1030,
      "it is told what was selected meanwhile")
  }

  @Test("a session that goes leads to main, and anything worse to the end") func endings() {
    var somebody = Somebody.reading { $0.session = "work" }
    somebody.happens(.viewEnded(CallEnd(code: 5, message: "no such session")))
    #expect(somebody.look().contains { if case .attach(let hello) = $0 { hello.session.isEmpty } else { false } })
    var other = Somebody.reading()
    other.happens(.viewEnded(CallEnd(code: 16, message: "the token was revoked")))
    #expect(other.look() == [.quit(failure: "the token was revoked")])
    var third = Somebody.reading()
    third.happens(.viewEnded(CallEnd(code: 14, message: "stopping")))
    #expect(third.look() == [.connect(after: 50)])
  }

  @Test("of many sizes the first and the last are told") func resizing() {
    var somebody = Somebody.reading()
    for columns in [100, 90, 80, 70] { somebody.happens(.resized(columns: columns, lines: 30)) }
    let layouts = somebody.said().compactMap { if case .layout(let layout) = $0 { layout.width } else { nil } }
    #expect(layouts == [100])
    var view = Somebody.view(40, columns: 100).snapshot
    view.layoutGeneration = 2
    somebody.show(view)
    #expect(somebody.said().compactMap { if case .layout(let layout) = $0 { layout.width } else { nil } } == [70])
    view.layoutGeneration = 3
    somebody.show(view)
    #expect(somebody.said() == [])
    #expect(somebody.app.picture(at: 0).columns == 70)
  }

  // MARK: Rows

  @Test("the first key selects what is first seen, the next ones go on, and the daemon is told one at a time")
  func selecting() throws {
    var somebody = Somebody.reading()
    somebody.type("j")
    #expect(somebody.focus.rowID == 1040)
    let first = try #require(somebody.calls(Method.select, as: SelectRequest.self).first)
    #expect((first.1.paneID, first.1.rowID) == (1, 1040))
    somebody.type("jjj")
    #expect(somebody.focus.rowID == 1037, "here at once")
    #expect(somebody.calls(Method.select, as: SelectRequest.self).isEmpty, "the first has no answer yet")
    somebody.answer(first.number, PaneResponse(paneID: 1, revision: 2))
    let second = try #require(somebody.calls(Method.select, as: SelectRequest.self).first)
    #expect(second.1.rowID == 1037, "those between are left out")
    var view = somebody.shown
    view.panes[0].selection.rowID = 1040
    somebody.show(view)
    #expect(somebody.focus.rowID == 1037, "a frame that is behind takes nothing back")
    somebody.answer(second.number, PaneResponse(paneID: 1, revision: somebody.shown.revision + 1))
    view.panes[0].selection.rowID = 1037
    somebody.show(view)
    view.panes[0].selection.rowID = 1035
    somebody.show(view)
    #expect(somebody.focus.rowID == 1035, "another view selects for this one too")
  }

  @Test("scrolling is seen at once; the daemon hears of few places, and of the last") func scrolling() {
    var somebody = Somebody.reading()
    somebody.key(.character("e"), .control)
    #expect(somebody.anchor() == RowAnchor(rowID: 1040, line: 1))
    for _ in 0..<9 { somebody.key(.character("e"), .control) }
    #expect(somebody.anchor() == RowAnchor(rowID: 1038, line: 2))
    func places(_ frames: [ClientFrame]) -> [ViewportParameters] {
      frames.compactMap { if case .viewport(let viewport) = $0 { viewport } else { nil } }
    }
    let first = places(somebody.said())
    #expect(first.map(\.generation) == [1, 2, 3])
    somebody.show(somebody.shown, viewports: 2)
    let second = places(somebody.said())
    #expect(
      second.map(\.generation) == [4] && second[0].anchorRow == 1038 && second[0].line == 2 && second[0].paneID == 1)
    // To the top: that is no row, but wherever the top is.
    somebody.type("g")
    #expect(places(somebody.said()).last?.anchorRow == 0)
    #expect(somebody.anchor() == RowAnchor(rowID: 1040))
  }

  @Test("rows that come above move nothing; a row that goes is followed by the next") func place() {
    var somebody = Somebody.reading()
    for _ in 0..<10 { somebody.key(.character("e"), .control) }
    let before = somebody.anchor()
    var view = somebody.shown
    view.panes[0].rows.insert(contentsOf: Somebody.view(43).snapshot.panes[0].rows[..<3], at: 0)
    somebody.show(view)
    #expect(somebody.anchor() == before)
    view = somebody.shown
    view.panes[0].rows.removeAll { $0.rowID == before.rowID }
    somebody.show(view)
    #expect(somebody.anchor() == RowAnchor(rowID: before.rowID - 1))
  }

  @Test("the daemon says where a new width leads, but not where it knows less") func toldPlaces() {
    var somebody = Somebody.reading()
    for _ in 0..<6 { somebody.key(.character("e"), .control) }
    var view = somebody.shown
    (view.panes[0].status.anchorRow, view.panes[0].status.anchorLine) = (1030, 1)
    somebody.show(view, viewports: 1)
    #expect(somebody.anchor() != RowAnchor(rowID: 1030, line: 1), "it does not know of the last places yet")
    somebody.show(view, viewports: 6)
    (view.panes[0].status.anchorRow, view.panes[0].status.anchorLine) = (1029, 2)
    somebody.show(view)
    #expect(somebody.anchor() == RowAnchor(rowID: 1029, line: 2))
  }

  @Test("keys that are faster than rows come are not lost") func owed() {
    var somebody = Somebody.reading(4)
    var view = somebody.shown
    view.panes[0].status.rowCount = 40
    somebody.show(view)
    somebody.type("jjjjjjj")
    #expect(somebody.focus.rowID == 1001)
    view.panes[0].rows += (0..<10).map { index in
      SampleView.row(
        SampleView.Post(id: 900 - index, name: "Ann", handle: "ann", text: "older"), view.paneFrames[0], caps: [])
    }
    somebody.show(view)
    #expect(somebody.focus.rowID == 898)
  }

  @Test("a page goes all of its way, through rows that are on theirs") func owedLines() {
    var somebody = Somebody.reading(40)
    var view = somebody.shown
    let all = view.panes[0].rows
    view.panes[0].rows = Array(all[10..<20])
    (view.panes[0].status.rowsAbove, view.panes[0].status.rowCount) = (10, 40)
    (view.panes[0].status.anchorRow, view.panes[0].status.anchorLine) = (all[12].rowID, 0)
    somebody.show(view)
    #expect(somebody.anchor() == RowAnchor(rowID: all[12].rowID))
    // 27 lines up: 8 are held.
    somebody.type("-")
    #expect(somebody.anchor() == RowAnchor(rowID: all[10].rowID))
    view.panes[0].rows = Array(all[0..<20])
    view.panes[0].status.rowsAbove = 0
    somebody.show(view, viewports: 9)
    #expect(somebody.anchor() == RowAnchor(rowID: all[5].rowID, line: 1))
    somebody.show(view)
    #expect(somebody.anchor() == RowAnchor(rowID: all[5].rowID, line: 1), "once")
    somebody.type("----")
    #expect(somebody.focus.rowID == all[0].rowID, "at the end the selection goes on")
  }

  @Test("jumps to rows that are not held are shown when they have come") func jumps() {
    var somebody = Somebody.reading()
    var view = somebody.shown
    view.panes[0].status.rowCount = 1000
    somebody.show(view)
    somebody.type("G")
    let sent = somebody.said().compactMap { if case .viewport(let viewport) = $0 { viewport } else { nil } }
    #expect(sent.count == 1 && sent[0].atMilliseconds < 0)
    #expect(somebody.anchor() == RowAnchor(rowID: 1040), "nothing moves before")
    view.panes[0].rows = (0..<20).map { index in
      SampleView.row(
        SampleView.Post(id: 500 - index, name: "Ann", handle: "ann", text: "old"), view.paneFrames[0], caps: [])
    }
    view.panes[0].status.rowsAbove = 980
    view.panes[0].status.anchorRow = 481
    somebody.show(view, viewports: sent[0].generation)
    #expect(somebody.focus.rowID == 481)
    let scroll = PaneScroll(somebody.app.snapshot.panes[0])
    #expect(scroll.line(of: somebody.anchor()) == scroll.height - 28, "the last rows fill the screen")
  }

  // MARK: Panes

  @Test("Enter opens, the new pane gets the keys, q closes, and at the root it is asked first") func panes() throws {
    var somebody = Somebody.reading()
    somebody.type("jj")
    somebody.key(.enter)
    let push = try #require(somebody.calls(Method.push, as: PushRequest.self).first)
    #expect(push.1.subject == .conversation("1039") && push.1.fromPane == 1 && !push.1.command.requestID.isEmpty)
    somebody.answer(push.number, PaneResponse(paneID: 2, revision: 9))
    var view = Somebody.view(40)
    view.push(.conversation, "Conversation", SampleView.thread)
    somebody.show(view.snapshot)
    #expect(somebody.focus.paneID == 2)
    somebody.type("q")
    #expect(somebody.look().contains { if case .call(_, Method.pop, _) = $0 { true } else { false } })
    somebody.show(Somebody.view(40).snapshot)
    #expect(somebody.focus.paneID == 1)
    somebody.type("q")
    #expect(somebody.app.state.overlay != nil)
    somebody.type("n")
    #expect(somebody.app.state.overlay == nil && somebody.look() == [])
    somebody.type("q")
    somebody.type("y")
    #expect(somebody.look() == [.send(.bye), .quit(failure: nil)])
  }

  @Test("what a row opens already gets the keys instead of a second pane") func openAlready() {
    var somebody = Somebody.reading(40, columns: 160)
    var view = Somebody.view(40, columns: 160)
    view.push(.conversation, "Conversation", SampleView.thread)
    view.snapshot.panes[1].header = PaneHeader(paneID: 2, kind: .conversation, subject: 1040, title: [])
    somebody.show(view.snapshot)
    somebody.type("h")
    #expect(somebody.focus.paneID == 1)
    _ = somebody.look()
    somebody.type("j")
    somebody.key(.enter)
    #expect(somebody.calls(Method.push, as: PushRequest.self).isEmpty)
    #expect(somebody.focus.paneID == 2)
  }

  @Test("what is typed ahead waits for the pane that it is meant for, but not for long") func typedAhead() throws {
    var somebody = Somebody.reading()
    somebody.type("jj")
    somebody.key(.enter)
    let push = try #require(somebody.calls(Method.push, as: PushRequest.self).first)
    somebody.type("ja")
    #expect(somebody.look() == [] && somebody.focus.rowID == 1039)
    somebody.answer(push.number, PaneResponse(paneID: 2, revision: somebody.shown.revision + 1))
    var view = Somebody.view(40)
    view.push(.conversation, "Conversation", SampleView.thread)
    somebody.show(view.snapshot)
    let author = try #require(somebody.calls(Method.push, as: PushRequest.self).first)
    #expect(author.1.fromPane == 2, "in the new pane, of the row that the key selected")
    #expect(somebody.focus == FocusedPane(paneID: 2, rowID: 21))
    somebody.type("j")
    #expect(somebody.focus.rowID == 21)
    somebody.now += App.holdTime
    somebody.happens(.tick)
    #expect(somebody.focus.rowID == 22, "no pane came")
    somebody.type("j")
    somebody.refuse(author.number, code: 5, "no such author")
    somebody.type("j")
    #expect(somebody.focus.rowID == 23, "keys for a pane that never comes go with it")
  }

  @Test("in a conversation one begins at the post that it is about") func subject() {
    var somebody = Somebody.reading()
    var view = Somebody.view(40)
    view.push(.conversation, "Conversation", SampleView.thread)
    view.snapshot.panes[1].header = PaneHeader(paneID: 2, kind: .conversation, subject: 23, title: [])
    somebody.show(view.snapshot)
    _ = somebody.look()
    somebody.type("(")
    #expect(somebody.calls(Method.collapse, as: CollapseRequest.self).first?.1.rowID == 23)
    somebody.type("j")
    #expect(somebody.focus.rowID == 23)
  }

  @Test("a covered pane is slid to") func covered() throws {
    var somebody = Somebody.reading(40, columns: 80)
    var view = Somebody.view(40, columns: 80)
    view.push(.conversation, "Conversation", SampleView.thread)
    somebody.show(view.snapshot)
    _ = somebody.look()
    somebody.type("h")
    let slide = try #require(somebody.calls(Method.moveStack, as: MoveStackRequest.self).first)
    #expect(slide.1.move == .reveal(1) && slide.1.viewID == 5)
    somebody.answer(slide.number, MoveStackResponse(position: 0, hasMoved: false))
    #expect(somebody.app.state.status.message == "The panes end here.")
  }

  @Test(
    "sections, sessions, widths and history are commands",
    arguments: [
      ("ctrl-2", Method.open), ("[", Method.back), ("]", Method.forward), ("X", Method.dropAll),
      ("+", Method.resizePane),
      ("z", Method.resizePane), (",", Method.moveStack), (";", Method.moveStack), ("S", Method.listSessions),
      ("a", Method.push),
      ("t", Method.push),
    ]) func commands(key: String, method: String)
  {
    var somebody = Somebody.reading()
    if key == "ctrl-2" { somebody.key(.character("2"), .control) } else { somebody.type(key) }
    #expect(somebody.look().contains { if case .call(_, method, _) = $0 { true } else { false } })
  }

  @Test("what the daemon refuses is told in its words") func refusals() throws {
    var somebody = Somebody.reading()
    somebody.type("[")
    let back = try #require(somebody.calls(Method.back, as: SessionRequest.self).first)
    somebody.refuse(back.number, code: 9, "there is nothing to go back to")
    #expect(somebody.app.state.status.message == "There is nothing to go back to.")
    somebody.now += App.messageTime
    #expect(somebody.app.nextTick != nil)
    somebody.happens(.tick)
    #expect(somebody.app.state.status.message == "")
    #expect(somebody.app.nextTick == nil, "nothing ticks when nothing is to come")
  }

  @Test("what moves asks for time until it has come to rest, and does not where nothing should move") func animations()
  {
    for animates in [true, false] {
      var somebody = Somebody.reading { $0.animates = animates }
      var view = Somebody.view(40)
      view.push(.conversation, "Conversation", SampleView.thread)
      somebody.show(view.snapshot)
      #expect((somebody.app.nextTick != nil) == animates)
      for _ in 0..<20 {
        somebody.now += Animation.interval
        somebody.happens(.tick)
      }
      #expect(somebody.app.nextTick == nil)
    }
  }
}

/// Something that a test needs is not there.
struct Missing: Error {}

import FullScreen
import Messages
import Terminal
import TestSupport
import Testing
import ViewState

@Suite("Keys that are faster than the daemon")
struct AppOrderTests {
  private static let conversation: ViewSnapshot = {
    var view = Somebody.view(40)
    view.push(.conversation, "Conversation", SampleView.thread)
    return view.snapshot
  }()

  private static func stackOfThree() -> Somebody {
    var somebody = Somebody.reading()
    var view = Somebody.view(40)
    view.push(.conversation, "Conversation", SampleView.thread)
    view.push(.profile, "Bertil", SampleView.posts)
    somebody.show(view.snapshot)
    _ = somebody.look()
    return somebody
  }

  private func isAsking(_ somebody: Somebody) -> Bool { somebody.app.state.overlay != nil }

  // MARK: Panes

  @Test("q behind Enter closes the pane that Enter opens, however long that takes") func enterClose() throws {
    var somebody = Somebody.reading()
    somebody.type("jj")
    somebody.key(.enter)
    let push = try #require(somebody.calls(Method.push, as: PushRequest.self).first)
    somebody.type("q")
    somebody.now += 10 * App.holdTime
    somebody.happens(.tick)
    #expect(!isAsking(somebody) && somebody.look() == [], "nobody knows yet whether the pane comes")
    somebody.answer(push.number, PaneResponse(paneID: 2, revision: somebody.shown.revision + 1))
    #expect(!isAsking(somebody) && somebody.look() == [])
    somebody.show(Self.conversation)
    #expect(somebody.calls(Method.pop, as: SessionRequest.self).count == 1)
    #expect(!isAsking(somebody))
  }

  @Test("a pane that is shown before its command is answered is here") func frameFirst() throws {
    var somebody = Somebody.reading()
    somebody.type("j")
    somebody.key(.enter)
    let push = try #require(somebody.calls(Method.push, as: PushRequest.self).first)
    somebody.type("q")
    somebody.show(Self.conversation)
    let pop = try #require(somebody.calls(Method.pop, as: SessionRequest.self).first)
    somebody.answer(push.number, PaneResponse(paneID: 2, revision: somebody.shown.revision))
    somebody.type("q")
    #expect(!isAsking(somebody), "the first q is not done yet: an answer to something else says nothing of it")
    somebody.answer(pop.number, PaneResponse(paneID: 1, revision: somebody.shown.revision + 1))
    somebody.show(Somebody.view(40).snapshot)
    #expect(isAsking(somebody))
  }

  @Test("q for a pane that is refused closes no other, and asks nothing") func refused() throws {
    var somebody = Self.stackOfThree()
    somebody.type("a")
    let push = try #require(somebody.calls(Method.push, as: PushRequest.self).first)
    somebody.type("qq")
    somebody.refuse(push.number, code: 5, "no such author")
    #expect(somebody.look() == [] && !isAsking(somebody))
    somebody.type("q")
    #expect(somebody.calls(Method.pop, as: SessionRequest.self).count == 1)
  }

  @Test("a refusal of something else takes no key away") func otherRefused() throws {
    var somebody = Self.stackOfThree()
    somebody.type("+")
    let resize = try #require(somebody.calls(Method.resizePane, as: ResizePaneRequest.self).first)
    somebody.type("a")
    let push = try #require(somebody.calls(Method.push, as: PushRequest.self).first)
    somebody.type("q")
    somebody.refuse(resize.number, code: 9)
    var view = Somebody.view(40)
    view.push(.conversation, "Conversation", SampleView.thread)
    view.push(.profile, "Bertil", SampleView.posts)
    view.push(.profile, "Haruka", SampleView.posts)
    somebody.answer(push.number, PaneResponse(paneID: 4, revision: somebody.shown.revision + 1))
    somebody.show(view.snapshot)
    #expect(somebody.calls(Method.pop, as: SessionRequest.self).count == 1)
  }

  @Test("q q closes two panes, and the third one asks") func closeClose() throws {
    var somebody = Self.stackOfThree()
    somebody.type("qqq")
    for target in [Self.conversation, Somebody.view(40).snapshot] {
      let pop = try #require(somebody.calls(Method.pop, as: SessionRequest.self).first)
      #expect(!isAsking(somebody))
      somebody.answer(pop.number, PaneResponse(paneID: 1, revision: somebody.shown.revision + 1))
      somebody.show(target)
    }
    #expect(somebody.look() == [] && isAsking(somebody))
  }

  @Test("the second Enter opens what is chosen in the pane of the first") func enterEnter() throws {
    var somebody = Somebody.reading()
    somebody.type("j")
    somebody.key(.enter)
    somebody.type("j")
    somebody.key(.enter)
    let first = somebody.calls(Method.push, as: PushRequest.self)
    #expect(first.count == 1)
    somebody.show(Self.conversation)
    let second = try #require(somebody.calls(Method.push, as: PushRequest.self).first)
    #expect(second.1.fromPane == 2 && second.1.subject == .conversation("21"))
  }

  @Test("what is typed into a line that a waiting key opens is text there") func textBehind() throws {
    var somebody = Somebody.reading()
    somebody.type("j")
    somebody.key(.enter)
    somebody.type("c")
    somebody.type("quick")
    somebody.show(Self.conversation)
    guard case .compose(let editor)? = somebody.app.state.overlay else { throw Missing() }
    #expect(editor.text == "quick")
  }

  @Test("leaving never waits") func leaving() {
    var somebody = Somebody.reading()
    somebody.type("j")
    somebody.key(.enter)
    _ = somebody.look()
    somebody.type("qQ")
    #expect(somebody.look().contains(.quit(failure: nil)))
  }

  @Test("no more keys wait than can be told") func limit() {
    var somebody = Somebody.reading()
    somebody.type("j")
    somebody.key(.enter)
    _ = somebody.look()
    somebody.type(String(repeating: "q", count: 65))
    #expect(somebody.look() == [] && somebody.app.state.status.message.hasSuffix("came too soon."))
  }

  // MARK: Sessions

  @Test("keys behind S are meant for the list of sessions, and keys behind a session for its panes") func sessions()
    throws
  {
    var somebody = Somebody.reading()
    somebody.type("S")
    let list = try #require(somebody.calls(Method.listSessions, as: EmptyMessage.self).first)
    somebody.type("2q")
    #expect(
      somebody.look() == [] && somebody.app.state.status.message == "", "there is no pane 2, and nobody asked for it")
    var response = ListSessionsResponse()
    response.sessions = ["main", "work"].map { name in
      var summary = SessionSummary()
      summary.name = name
      return summary
    }
    somebody.answer(list.number, response)
    #expect(somebody.look().contains { if case .attach(let hello) = $0 { hello.session == "work" } else { false } })
    #expect(!isAsking(somebody), "nothing of it is here")
    somebody.now += 10 * App.holdTime
    somebody.happens(.tick)
    #expect(!isAsking(somebody))
    somebody.show(Self.conversation, isFirst: true)
    #expect(somebody.calls(Method.pop, as: SessionRequest.self).count == 1)
  }

  @Test("keys for a list of sessions that does not come go with it") func noSessions() throws {
    var somebody = Somebody.reading()
    somebody.type("S")
    let list = try #require(somebody.calls(Method.listSessions, as: EmptyMessage.self).first)
    somebody.type("2")
    somebody.refuse(list.number, code: 7, "not for you")
    #expect(somebody.app.state.status.message == "Not for you.")
  }

  // MARK: Rows

  /// A daemon's window of a long timeline: what is near the place that it was last told of.
  private struct Window {
    let view: ViewSnapshot
    var anchor: UInt64 = 0
    var generation: UInt32 = 0

    mutating func take(_ frames: [ClientFrame]) {
      for case .viewport(let viewport) in frames { (anchor, generation) = (viewport.anchorRow, viewport.generation) }
    }

    /// As many rows around the place as are said.
    func shown(_ reach: Int) -> ViewSnapshot {
      var result = view
      let rows = view.panes[0].rows
      let index = rows.firstIndex { $0.rowID == anchor } ?? 0
      let range = max(0, index - reach)..<min(rows.count, index + 8 + reach)
      result.panes[0].rows = Array(rows[range])
      result.panes[0].status.rowsAbove = range.lowerBound
      return result
    }
  }

  @Test("any moves lead to where they lead when all rows are held", arguments: 0..<40 as Range<UInt64>) func moves(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let all = Somebody.view(150).snapshot
    var whole = Somebody.reading(150)
    var somebody = Somebody.reading(150)
    var window = Window(view: all)
    let reach = Int.random(in: 1...12, using: &random)
    somebody.show(window.shown(reach))
    let keys: [Key] = [
      Key(.character(" ")), Key(.character("-")), Key(.character("d"), .control), Key(.character("u"), .control),
      Key(.pageDown), Key(.pageUp),
      Key(.character("j")), Key(.character("k")), Key(.character("e"), .control), Key(.character("y"), .control),
    ]
    for _ in 0..<12 {
      let (before, focus) = (whole.anchor(), whole.focus.rowID)
      var typed: [Key] = []
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let key = keys.randomElement(using: &random)!
        typed.append(key)
        whole.key(key.code, key.modifiers)
        somebody.key(key.code, key.modifiers)
      }
      // Frames come until nothing is on its way.
      for _ in 0..<400 {
        let said = somebody.said()
        guard !said.isEmpty else { break }
        window.take(said)
        somebody.show(window.shown(reach), viewports: window.generation)
      }
      guard somebody.focus == whole.focus, somebody.anchor() == whole.anchor() else {
        Issue.record(
          "seed \(seed): at \(somebody.anchor()) and \(somebody.focus.rowID), not at \(whole.anchor()) and \(whole.focus.rowID), from \(before) and \(focus) by \(typed)"
        )
        return
      }
    }
  }

  @Test("PageUp behind PageDown comes back, over rows that are on their way") func pageBack() {
    var somebody = Somebody.reading(40)
    var window = Window(view: somebody.shown)
    somebody.show(window.shown(1))
    somebody.key(.pageDown)
    somebody.key(.pageUp)
    somebody.key(.character("d"), .control)
    for _ in 0..<20 {
      window.take(somebody.said())
      somebody.show(window.shown(1), viewports: window.generation)
    }
    #expect(somebody.anchor() == RowAnchor(rowID: 1037, line: 1), "13 lines down")
  }

  @Test("a key behind a page acts on where the page leads, and does not wait for ever") func actBehindPage() throws {
    var somebody = Somebody.reading(40)
    var window = Window(view: somebody.shown)
    window.generation = 1
    somebody.show(window.shown(1))
    somebody.key(.pageDown)
    somebody.key(.enter)
    #expect(somebody.calls(Method.push, as: PushRequest.self).isEmpty)
    somebody.now += App.holdTime
    somebody.happens(.tick)
    let push = try #require(somebody.calls(Method.push, as: PushRequest.self).first)
    #expect(push.1.subject == .conversation("1038"), "the first that is seen")
  }
}

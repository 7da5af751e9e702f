import FullScreen
import Messages
import Terminal
import TestSupport
import Testing
import ViewState

@Suite("Keys that are faster than the daemon")
struct AppOrderTests {
  private static let conversation: ViewSnapshot = {
    var view = ScreenUser.view(40)
    view.push(.conversation, "Conversation", SampleView.thread)
    return view.snapshot
  }()

  private static func stackOfThree() -> ScreenUser {
    var user = ScreenUser.reading()
    var view = ScreenUser.view(40)
    view.push(.conversation, "Conversation", SampleView.thread)
    view.push(.profile, "Bertil", SampleView.posts)
    user.show(view.snapshot)
    _ = user.look()
    return user
  }

  private func isAsking(_ user: ScreenUser) -> Bool { user.app.state.overlay != nil }

  // MARK: Panes

  @Test("q after Enter closes the pane that Enter opens, however long that takes") func enterClose() throws {
    var user = ScreenUser.reading()
    user.type("jj")
    user.key(.enter)
    let push = try #require(user.calls(Method.push, as: PushRequest.self).first)
    user.type("q")
    user.now += 10 * App.holdTime
    user.happens(.tick)
    #expect(!isAsking(user) && user.look() == [], "the pane may still open")
    user.answer(push.number, PaneResponse(paneID: 2, revision: user.shown.revision + 1))
    #expect(!isAsking(user) && user.look() == [])
    user.show(Self.conversation)
    #expect(user.calls(Method.pop, as: SessionRequest.self).count == 1)
    #expect(!isAsking(user))
  }

  @Test("a pane may be shown before its command is answered") func frameFirst() throws {
    var user = ScreenUser.reading()
    user.type("j")
    user.key(.enter)
    let push = try #require(user.calls(Method.push, as: PushRequest.self).first)
    user.type("q")
    user.show(Self.conversation)
    let pop = try #require(user.calls(Method.pop, as: SessionRequest.self).first)
    user.answer(push.number, PaneResponse(paneID: 2, revision: user.shown.revision))
    user.type("q")
    #expect(!isAsking(user), "the first q is not done yet, whatever else was answered")
    user.answer(pop.number, PaneResponse(paneID: 1, revision: user.shown.revision + 1))
    user.show(ScreenUser.view(40).snapshot)
    #expect(isAsking(user))
  }

  @Test("q for a refused pane closes no other pane, and asks nothing") func refused() throws {
    var user = Self.stackOfThree()
    user.type("a")
    let push = try #require(user.calls(Method.push, as: PushRequest.self).first)
    user.type("qq")
    user.refuse(push.number, code: 5, "no such author")
    #expect(user.look() == [] && !isAsking(user))
    user.type("q")
    #expect(user.calls(Method.pop, as: SessionRequest.self).count == 1)
  }

  @Test("another refusal drops no queued key") func otherRefused() throws {
    var user = Self.stackOfThree()
    user.type("+")
    let resize = try #require(user.calls(Method.resizePane, as: ResizePaneRequest.self).first)
    user.type("a")
    let push = try #require(user.calls(Method.push, as: PushRequest.self).first)
    user.type("q")
    user.refuse(resize.number, code: 9)
    var view = ScreenUser.view(40)
    view.push(.conversation, "Conversation", SampleView.thread)
    view.push(.profile, "Bertil", SampleView.posts)
    view.push(.profile, "Haruka", SampleView.posts)
    user.answer(push.number, PaneResponse(paneID: 4, revision: user.shown.revision + 1))
    user.show(view.snapshot)
    #expect(user.calls(Method.pop, as: SessionRequest.self).count == 1)
  }

  @Test("q q closes two panes, and the third q asks") func closeClose() throws {
    var user = Self.stackOfThree()
    user.type("qqq")
    for target in [Self.conversation, ScreenUser.view(40).snapshot] {
      let pop = try #require(user.calls(Method.pop, as: SessionRequest.self).first)
      #expect(!isAsking(user))
      user.answer(pop.number, PaneResponse(paneID: 1, revision: user.shown.revision + 1))
      user.show(target)
    }
    #expect(user.look() == [] && isAsking(user))
  }

  @Test("the second Enter acts in the pane that the first one opens") func enterEnter() throws {
    var user = ScreenUser.reading()
    user.type("j")
    user.key(.enter)
    user.type("j")
    user.key(.enter)
    let first = user.calls(Method.push, as: PushRequest.self)
    #expect(first.count == 1)
    user.show(Self.conversation)
    let second = try #require(user.calls(Method.push, as: PushRequest.self).first)
    #expect(second.1.fromPane == 2 && second.1.subject == .conversation("21"))
  }

  @Test("keys after one that opens an editor are text in it") func textBehind() throws {
    var user = ScreenUser.reading()
    user.type("j")
    user.key(.enter)
    user.type("c")
    user.type("quick")
    user.show(Self.conversation)
    guard case .compose(let editor)? = user.app.state.overlay else { throw Missing() }
    #expect(editor.text == "quick")
  }

  @Test("quitting never waits") func leaving() {
    var user = ScreenUser.reading()
    user.type("j")
    user.key(.enter)
    _ = user.look()
    user.type("qQ")
    #expect(user.look().contains(.quit(failure: nil)))
  }

  @Test("the number of queued keys is limited") func limit() {
    var user = ScreenUser.reading()
    user.type("j")
    user.key(.enter)
    _ = user.look()
    user.type(String(repeating: "q", count: 65))
    #expect(user.look() == [] && user.app.state.status.message.hasSuffix("key ignored."))
  }

  // MARK: Sessions

  @Test("keys after S act on the list of sessions, and keys after a session on its panes") func sessions()
    throws
  {
    var user = ScreenUser.reading()
    user.type("S")
    let list = try #require(user.calls(Method.listSessions, as: EmptyMessage.self).first)
    user.type("2q")
    #expect(
      user.look() == [] && user.app.state.status.message == "", "the keys are not for pane 2")
    var response = ListSessionsResponse()
    response.sessions = ["main", "work"].map { name in
      var summary = SessionSummary()
      summary.name = name
      return summary
    }
    user.answer(list.number, response)
    #expect(user.look().contains { if case .attach(let hello) = $0 { hello.session == "work" } else { false } })
    #expect(!isAsking(user), "nothing of the session has arrived")
    user.now += 10 * App.holdTime
    user.happens(.tick)
    #expect(!isAsking(user))
    user.show(Self.conversation, isFirst: true)
    #expect(user.calls(Method.pop, as: SessionRequest.self).count == 1)
  }

  @Test("keys for a refused list of sessions are dropped") func noSessions() throws {
    var user = ScreenUser.reading()
    user.type("S")
    let list = try #require(user.calls(Method.listSessions, as: EmptyMessage.self).first)
    user.type("2")
    user.refuse(list.number, code: 7, "not for you")
    #expect(user.app.state.status.message == "Not for you.")
  }

  // MARK: Rows

  /// The daemon's window of a long timeline, around the position it received last.
  private struct Window {
    let view: ViewSnapshot
    var anchor: UInt64 = 0
    var generation: UInt32 = 0

    mutating func take(_ frames: [ClientFrame]) {
      for case .viewport(let viewport) in frames { (anchor, generation) = (viewport.anchorRow, viewport.generation) }
    }

    /// Returns the view with `reach` rows around the position.
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

  @Test("moves lead to the same place as with all rows held", arguments: seeds(0..<40 as Range<UInt64>)) func moves(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let all = ScreenUser.view(150).snapshot
    var whole = ScreenUser.reading(150)
    var user = ScreenUser.reading(150)
    var window = Window(view: all)
    let reach = Int.random(in: 1...12, using: &random)
    user.show(window.shown(reach))
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
        user.key(key.code, key.modifiers)
      }
      // Sends frames until nothing is in flight.
      for _ in 0..<400 {
        let said = user.said()
        guard !said.isEmpty else { break }
        window.take(said)
        user.show(window.shown(reach), viewports: window.generation)
      }
      guard user.focus == whole.focus, user.anchor() == whole.anchor() else {
        Issue.record(
          "seed \(seed): at \(user.anchor()) and \(user.focus.rowID), not at \(whole.anchor()) and \(whole.focus.rowID), from \(before) and \(focus) by \(typed)"
        )
        return
      }
    }
  }

  @Test("PageUp after PageDown returns, across rows that have not arrived") func pageBack() {
    var user = ScreenUser.reading(40)
    var window = Window(view: user.shown)
    user.show(window.shown(1))
    user.key(.pageDown)
    user.key(.pageUp)
    user.key(.character("d"), .control)
    for _ in 0..<20 {
      window.take(user.said())
      user.show(window.shown(1), viewports: window.generation)
    }
    #expect(user.anchor() == LineAnchor(rowID: 1037, line: 1), "13 lines down")
  }

  @Test("a key after a page acts where the page leads, and does not wait for ever") func actBehindPage() throws {
    var user = ScreenUser.reading(40)
    var window = Window(view: user.shown)
    window.generation = 1
    user.show(window.shown(1))
    user.key(.pageDown)
    user.key(.enter)
    #expect(user.calls(Method.push, as: PushRequest.self).isEmpty)
    user.now += App.holdTime
    user.happens(.tick)
    let push = try #require(user.calls(Method.push, as: PushRequest.self).first)
    #expect(push.1.subject == .conversation("1038"), "the first visible row")
  }
}

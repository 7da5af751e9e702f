import FullScreen
import Messages
import Terminal
import ViewState

/// A user of an ``App``, and the daemon at its other end. Input and frames go in, and all effects are collected.
struct ScreenUser {
  var app: App
  var now: Int64 = 1_000_000
  /// The effects since the last look.
  var effects: [AppEffect] = []
  /// The view that the daemon has sent.
  var shown = ViewSnapshot()
  private var number: UInt64 = 0

  init(columns: Int = 120, lines: Int = 30, _ edit: (inout AppOptions) -> Void = { _ in }) {
    var options = AppOptions(layout: LayoutParameters(width: 1, height: 1))
    options.animates = false
    options.program.requestPrefix = "id"
    edit(&options)
    app = App(options, columns: columns, lines: lines)
    effects = app.start(at: now)
  }

  /// Returns a user who looks at a timeline of `count` posts.
  static func reading(
    _ count: Int = 40, columns: Int = 120, lines: Int = 30, _ edit: (inout AppOptions) -> Void = { _ in }
  ) -> ScreenUser {
    var user = ScreenUser(columns: columns, lines: lines, edit)
    user.happens(.connected)
    user.show(view(count, columns: columns, lines: lines).snapshot, isFirst: true)
    user.effects = []
    return user
  }

  /// Returns a timeline of posts of four lines each, the newest first: 1000 + count down to 1001.
  static func view(_ count: Int, columns: Int = 120, lines: Int = 30) -> SampleView {
    var view = SampleView(columns: columns, lines: lines)
    view.push(.timeline, "Timeline", posts(count))
    return view
  }

  static func posts(_ count: Int) -> [SampleView.Post] {
    (0..<count).map {
      SampleView.Post(
        id: UInt64(1000 + count - $0), name: "Ann", handle: "ann", text: "post \(count - $0)",
        edit: { $0.favourites = 1 })
    }
  }

  mutating func happens(_ event: AppEvent) { effects += app.handle(event, at: now) }

  /// Sends a frame that leads to `target`.
  mutating func show(_ target: ViewSnapshot, isFirst: Bool = false, viewports: UInt32? = nil) {
    if isFirst { (number, shown) = (0, ViewSnapshot()) }
    var target = target
    target.epoch = 7
    target.revision = max(target.revision, shown.revision + 1)
    target.layoutKey = 9
    target.layoutGeneration = max(1, target.layoutGeneration)
    target.viewportGeneration = viewports ?? shown.viewportGeneration
    number += 1
    var frame = Frame(
      number: number, baseRevision: isFirst ? 0 : shown.revision, to: target, reset: isFirst ? .first : nil,
      operations: target.operations(from: shown))
    if isFirst { frame.welcome = Welcome(viewID: 5, session: "main", daemonVersion: "1", limits: Welcome.Limits()) }
    shown = target
    happens(.frame(frame))
  }

  mutating func type(_ keys: String) { for character in keys { key(.character(character)) } }

  mutating func key(_ code: Key.Code, _ modifiers: Key.Modifiers = []) { happens(.input(.key(Key(code, modifiers)))) }

  /// Returns all effects since the last look.
  mutating func look() -> [AppEffect] {
    defer { effects = [] }
    return effects
  }

  /// Returns the effects since the last look without calls.
  mutating func lookBesideCalls() -> [AppEffect] {
    look().filter { if case .call = $0 { false } else { true } }
  }

  /// Returns the calls of a method since the last look, with their numbers.
  mutating func calls<Request: WireMessage>(_ method: String, as request: Request.Type = Request.self) -> [(
    number: UInt64, Request
  )] {
    look().compactMap { effect in
      guard case .call(let number, method, let bytes) = effect, let request = try? Request(decoding: bytes) else {
        return nil
      }
      return (number, request)
    }
  }

  /// Returns the frames sent on the view's stream since the last look.
  mutating func said() -> [ClientFrame] {
    look().compactMap { if case .send(let frame) = $0 { frame } else { nil } }
  }

  mutating func answer(_ number: UInt64, _ message: some WireMessage) {
    happens(.answered(number, .success(message.encoded())))
  }

  mutating func refuse(_ number: UInt64, code: Int, _ words: String = "no") {
    happens(.answered(number, .failure(CallEnd(code: code, message: words))))
  }

  var focus: FocusedPane { app.state.focused }

  /// Returns the first visible line, as a row and a line of it.
  func anchor(of pane: UInt64 = 1) -> LineAnchor {
    let pane = app.snapshot.panes.first { $0.header.paneID == pane }!
    let scroll = PaneScroll(pane)
    return scroll.anchor(at: scroll.line(of: PaneScroll.anchor(of: pane, known: app.state.anchors[pane.header.paneID])))
  }

  /// Returns the text of the screen, run by run: enough to search for words.
  mutating func text() -> String {
    app.picture(at: now).runs.map { runs in
      runs.flatMap { $0.pieces.map { String(decoding: $0.text, as: UTF8.self) } }.joined()
    }.joined(separator: "\n")
  }
}

internal import Engine
internal import Posts
internal import Store

/// Has the posts of conversations brought by the programs of their sources when they are opened in a pane, and again
/// some times while they stay open.
final class OpenConversations {
  /// The times after opening at which a conversation that is open is asked for again.
  static let times: [Duration] = [.seconds(60), .seconds(120), .seconds(300)]
  /// Maximum number of panes that are asked for again; more are asked for once.
  static let limit = 256

  private struct Pane: Hashable {
    var session: SessionKey
    var id: UInt64
  }

  private let driver: EngineDriver
  /// The panes with conversations, with the time at which they were opened and the number of questions since.
  private var panes: [Pane: (opened: Duration, count: Int)] = [:]
  /// Made when a conversation is opened whose program can be asked.
  private var timer: (any ServiceTimer)?
  private let relay = Relay<OpenConversations>()
  /// Returns true if any source has a program.
  var hasPrograms: () -> Bool = { false }
  /// Returns the program of a source, if it has one.
  var runner: (String) -> UpstreamRunner? = { _ in nil }

  init(driver: EngineDriver) {
    self.driver = driver
    relay.target = self
    driver.reading.onPush = { [relay] in relay.target?.opened(Pane(session: $0, id: $1)) }
  }

  deinit { relay.target = nil }

  /// Releases the timer.
  func close() {
    relay.target = nil
    timer?.close()
    timer = nil
  }

  private func opened(_ pane: Pane) {
    panes[pane] = nil
    ask(pane) { [relay] in relay.target?.askAgainLater(pane) }
  }

  private func askAgainLater(_ pane: Pane) {
    guard panes.count < Self.limit else { return }
    panes[pane] = (driver.loop.monotonicClock, 0)
    if timer == nil { timer = try? driver.loop.makeTimer { [relay] in relay.target?.timerFired() } }
    arm()
  }

  private func arm() {
    guard let next = panes.values.map({ $0.opened + Self.times[$0.count] }).min() else {
      timer?.disarm()
      return
    }
    timer?.arm(after: next - driver.loop.monotonicClock)
  }

  private func timerFired() {
    let now = driver.loop.monotonicClock
    for (pane, state) in panes where state.opened + Self.times[state.count] <= now {
      let count = state.count + 1
      let isOpen = driver.engine.conversation(in: pane.id, of: pane.session) != nil
      panes[pane] = isOpen && count < Self.times.count ? (state.opened, count) : nil
      if isOpen { ask(pane) {} }
    }
    arm()
  }

  /// Asks the program of the post's source; `done` is called if there is one that can be asked.
  private func ask(_ pane: Pane, _ done: @escaping () -> Void) {
    guard hasPrograms(), let account = pane.session.account,
      let post = driver.engine.conversation(in: pane.id, of: pane.session)
    else { return }
    driver.ask { store throws(EngineError) in
      try StoreLookup.attempt { () throws(StoreError) in
        try store.fetch(.conversation("\(post.rawValue)"), for: account)
      }
    } _: { [relay] (result: Result<FoundFetch, EngineError>) in
      guard case .success(.found(.conversation(let post, let aliases, _), let source, let login)) = result,
        let runner = relay.target?.runner(source)
      else { return }
      let fetch = UpstreamFetch.conversation(post: post, aliases: aliases, isUnasked: true)
      // What cannot be brought now may come the next time; nobody waits for it.
      guard (try? runner.fetch(fetch, login: login, of: account) { _ in }) != nil else { return }
      done()
    }
  }
}

internal import Terminal
internal import ViewState

/// Keys that are typed ahead: they wait for what they are meant for, so that each acts on what the ones before it have
/// led to.
extension App {
  /// A command under way after which another pane may be the topmost.
  struct Opening: Equatable {
    /// The number of its call.
    var call: UInt64
    /// The first revision that shows what it did; nil where there is no answer yet.
    var revision: UInt64?
  }

  /// Keys that wait at most.
  private static let heldLimit = 64

  /// Keeps a key for what has been asked for and is not here yet.
  mutating func hold(_ key: Key) -> Bool {
    guard state.overlay == nil, !held.isEmpty || mustWait else { return false }
    let action = options.keymap.action(for: key, in: .panes)
    if let action, [.interrupt, .quit, .suspend, .redraw, .mouse].contains(action) { return false }
    // These can be had at any time, but not before what was typed first.
    if held.isEmpty, action == .help || action == .palette { return false }
    guard held.count < Self.heldLimit else {
      tell("The daemon takes its time; that key came too soon.", .warning)
      return true
    }
    if held.isEmpty { holdEnd = now + App.holdTime }
    held.append(key)
    return true
  }

  /// Does what was kept, as far as what it waited for has come.
  mutating func releaseHeld() {
    let count = held.count
    while !held.isEmpty, !mustWait { actOnFirstHeld() }
    if held.count != count || isAnswered && holdEnd == nil { holdEnd = held.isEmpty ? nil : now + App.holdTime }
  }

  /// What was waited for has not come in time. Moves are made where one is. What opens, closes or chooses is not, as
  /// long as the daemon may still do what was asked of it: it would be done to another pane than it was meant for.
  mutating func holdEnded() {
    holdEnd = nil
    guard isAnswered else {
      while let key = held.first, isMove(key), !isEntering { actOnFirstHeld() }
      return
    }
    opening = nil
    while !held.isEmpty, isAnswered { actOnFirstHeld() }
    if !held.isEmpty { holdEnd = now + App.holdTime }
  }

  /// What was asked for does not come.
  mutating func forgetHeld() {
    opening = nil
    (held, holdEnd) = ([], nil)
  }

  private mutating func actOnFirstHeld() { act(on: held.removeFirst()) }

  /// Whether the daemon has said what becomes of all that keys wait for.
  private var isAnswered: Bool {
    (opening == nil || opening?.revision != nil) && !isEntering && !calls.values.contains(.sessions)
  }

  /// Nothing has been shown of a session yet.
  private var isEntering: Bool { isAttached && viewID == 0 && snapshot.panes.isEmpty }

  /// Whether keys have to wait for what was asked for before.
  private var mustWait: Bool {
    guard state.overlay == nil else { return false }
    if isEntering { return true }
    guard viewID != 0 else { return false }
    let isLoading = focusedPane.map { $0.rows.isEmpty && $0.status.isLoading } ?? false
    return opening != nil || isLoading || calls.values.contains(.sessions) || isOnTheWay
  }

  /// The focused pane is not yet where the person was going in it.
  private var isOnTheWay: Bool {
    let id = state.focused.paneID
    if let pane = pane(id), !isPlaced(in: pane) { return true }
    if owed?.pane == id || owedLines?.pane == id { return true }
    switch jumps[id] {
    case nil: return false
    case .top(let generation), .bottom(let generation), .instant(let generation), .unread(let generation):
      return generation.map { $0 > snapshot.viewportGeneration } ?? true
    }
  }

  private func isMove(_ key: Key) -> Bool {
    options.keymap.action(for: key, in: .panes).map { App.steps.contains($0) || App.scrolls.contains($0) } ?? false
  }

  /// Actions that go on by rows.
  static let steps: Set<Action> = [.nextRow, .down, .next, .previousRow, .up, .previous]
  /// Actions that go on by lines.
  static let scrolls: Set<Action> = [.pageDown, .pageUp, .halfPageDown, .halfPageUp, .lineDown, .lineUp]
}

internal import Messages
internal import ViewState

/// Panes: which one has the keys, what is opened and closed, where the stack lies.
extension App {
  // MARK: Focus

  mutating func focusPane(_ id: UInt64) {
    guard state.focused.paneID != id else { return }
    state.focused.paneID = id
  }

  func frame(of id: UInt64) -> PaneFrame? { snapshot.paneFrames.last { $0.paneID == id } }

  /// The columns of a pane that are seen: up to where the next one begins.
  func seenColumns(_ id: UInt64) -> Range<Int> {
    guard let index = snapshot.paneFrames.lastIndex(where: { $0.paneID == id }) else { return 0..<0 }
    let frame = snapshot.paneFrames[index]
    let next = snapshot.paneFrames[(index + 1)...].map(\.x).min() ?? Int.max
    let from = max(0, frame.x)
    return from..<max(from, min(frame.x + frame.width, next, state.columns))
  }

  func isSeen(_ id: UInt64) -> Bool { !seenColumns(id).isEmpty }

  /// Whether all of a pane is seen.
  func isWhole(_ id: UInt64) -> Bool { seenColumns(id).count == frame(of: id)?.width }

  /// Gives the keys to a pane, and slides the stack to it where it is not seen as a whole (behaviour.md, rule 12).
  mutating func focus(andReveal id: UInt64) {
    guard pane(id) != nil else { return }
    focusPane(id)
    if !isWhole(id) { slide(.reveal(id)) }
  }

  /// Cells of the menu where it is no strip, as the daemon has it for terminals.
  private static let menuWidth = 22

  /// Slides to the focused pane on a terminal that is too narrow for it and the menu beside it.
  mutating func revealFocused() {
    let id = state.focused.paneID
    guard let width = frame(of: id)?.width, width <= state.columns, state.columns < width + App.menuWidth, !isWhole(id)
    else { return }
    slide(.reveal(id))
  }

  /// The pane so many places right of the focused one.
  mutating func focus(step: Int, wraps: Bool) {
    let ids = snapshot.panes.map(\.header.paneID)
    guard let index = ids.firstIndex(of: state.focused.paneID), !ids.isEmpty else { return }
    let next = index + step
    if ids.indices.contains(next) {
      focus(andReveal: ids[next])
    } else if wraps {
      focus(andReveal: ids[(next + ids.count) % ids.count])
    } else if step < 0 {
      // Left of the first pane is the menu.
      slide(.slide(.right))
    }
  }

  mutating func focus(number: Int) {
    guard number < snapshot.panes.count else {
      return tell("There \(snapshot.panes.count == 1 ? "is one pane" : "are \(snapshot.panes.count) panes").")
    }
    focus(andReveal: snapshot.panes[number].header.paneID)
  }

  // MARK: Slides

  mutating func slide(_ move: MoveStackRequest.Move) {
    guard viewID != 0 else { return }
    call(.slide, Method.moveStack, MoveStackRequest(viewID: viewID, move))
  }

  // MARK: Opening and closing

  /// Opens a pane on the focused one; what is right of that goes.
  mutating func push(_ subject: PushRequest.Subject) {
    var request = PushRequest(subject)
    request.command = command()
    request.fromPane = state.focused.paneID
    callOpening(Method.push, request)
  }

  mutating func open(_ section: Section, query: String = "") {
    var request = OpenRequest(section)
    request.command = command()
    request.query = query
    callOpening(Method.open, request)
  }

  /// A command that says no more than which session.
  mutating func stack(_ method: String) {
    var request = SessionRequest()
    request.command = command()
    callOpening(method, request)
  }

  /// A command after which another pane may be the topmost: keys wait for it.
  private mutating func callOpening(_ method: String, _ request: some WireMessage) {
    call(.stack, method, request)
    opening = Opening(call: lastCall)
  }

  /// Closes the topmost pane; at the root it is asked whether to leave.
  mutating func closePane() {
    guard snapshot.panes.count > 1 else { return askToQuit() }
    stack(Method.pop)
  }

  /// What the selected row leads to (behaviour.md, rule 15).
  mutating func openRow() {
    guard let row = currentRow else { return }
    let fields = row.content.fields
    switch fields.kind {
    case .list: push(.list(String(fields.rowID)))
    case .notice: return
    case .gap: explainGap(row)
    case _ where fields.direct != 0 && focusedPane?.header.kind == .messages: push(.direct(fields.direct))
    default: openThread()
    }
  }

  mutating func openThread() {
    guard let row = currentRow else { return }
    guard row.content.fields.postID != 0 else { return tellNoPost(row) }
    if let here = focusedPane?.header, here.kind == .conversation, here.subject == row.content.fields.postID {
      return tell("This is its conversation.")
    }
    select(row.rowID, in: state.focused.paneID)
    // Where the pane right of this one shows it already, that gets the keys.
    if let index = snapshot.panes.firstIndex(where: { $0.header.paneID == state.focused.paneID }),
      index + 1 < snapshot.panes.count
    {
      let right = snapshot.panes[index + 1].header
      if right.kind == .conversation, right.subject == row.content.fields.postID {
        return focus(andReveal: right.paneID)
      }
    }
    push(.conversation(String(row.content.fields.postID)))
  }

  mutating func openAuthor() {
    guard let row = currentRow else { return }
    if row.content.fields.kind == .gap { return tellNoPost(row) }
    push(.author(String(row.content.fields.author.id)))
  }

  /// The next row, with its thread in the pane to the right, which stays without the keys.
  mutating func moveDetail(_ step: Int) {
    moveRow(step)
    wantsDetail = true
    sendDetail()
  }

  mutating func sendDetail() {
    guard wantsDetail, !isDetailUnderWay, let row = currentRow, row.content.fields.postID != 0 else { return }
    wantsDetail = false
    guard let index = snapshot.panes.firstIndex(where: { $0.header.paneID == state.focused.paneID }) else { return }
    isDetailUnderWay = true
    let subject = PushRequest.Subject.conversation(String(row.content.fields.postID))
    if index + 1 < snapshot.panes.count {
      var request = ReplaceRequest(subject)
      request.push.command = command()
      request.push.fromPane = snapshot.panes[index + 1].header.paneID
      call(.detail, Method.replace, request)
    } else {
      var request = PushRequest(subject)
      request.command = command()
      request.fromPane = state.focused.paneID
      call(.detail, Method.push, request)
    }
  }

  // MARK: Widths

  /// Gives the focused pane so many more cells.
  mutating func widen(by cells: Int) {
    guard let frame = frame(of: state.focused.paneID) else { return }
    resizePane(frame.paneID, to: max(20, frame.width + cells))
  }

  mutating func resizePane(_ id: UInt64, to width: Int) {
    var request = ResizePaneRequest()
    request.command = command()
    request.paneID = id
    request.width = min(width, 10_000)
    call(.stack, Method.resizePane, request)
  }

  /// The focused pane as wide as the screen allows, and back.
  mutating func zoom() {
    guard let frame = frame(of: state.focused.paneID) else { return }
    if let zoomed, zoomed.pane == frame.paneID {
      self.zoomed = nil
      resizePane(frame.paneID, to: zoomed.width)
    } else {
      zoomed = (frame.paneID, frame.width)
      // A pane is never wider than the screen beside the strip (rule 7), so this is all there is.
      resizePane(frame.paneID, to: state.columns)
    }
  }

  // MARK: Threads

  mutating func collapse(_ isCollapsed: Bool) {
    guard let pane = focusedPane, pane.header.kind == .conversation else {
      return tell("Only a conversation has answers to hide.")
    }
    guard let row = currentRow else { return }
    var request = CollapseRequest()
    request.command = command()
    request.paneID = pane.header.paneID
    request.rowID = row.rowID
    request.isCollapsed = isCollapsed
    call(.stack, Method.collapse, request)
  }
}

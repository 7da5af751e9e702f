internal import ClientCore
internal import Messages
internal import ViewState

/// Commands on panes and rows.
extension App {
  /// Performs an action of the panes. Returns false if the action has no meaning there.
  @discardableResult
  mutating func perform(_ action: Action) -> Bool {
    if action.motion != .rows { _ = reader.pending.takeRows() }
    if action.motion != .lines { reader.stopScrolling(&connection) }
    if action.motion == .rows || action.motion == .lines, reader.focused?.rows.isEmpty == true { _ = rowOrNotice() }
    let isDone =
      move(by: action) || openTarget(by: action) || arrange(by: action) || list(by: action)
      || change(by: action) || run(action)
    // A move towards rows that have not arrived is counted when they arrive.
    if action.motion != nil, reader.isAtRest { screen.moves += 1 }
    return isDone
  }

  /// Moves to other rows. Returns false for other actions.
  private mutating func move(by action: Action) -> Bool {
    switch action {
    case .nextRow: reader.moveRow(1, &connection)
    case .previousRow: reader.moveRow(-1, &connection)
    case .firstRow: reader.goToTop(&connection)
    case .lastRow: reader.goToBottom(&connection)
    case .pageDown: reader.movePage(1, of: 1, &connection)
    case .pageUp: reader.movePage(-1, of: 1, &connection)
    case .halfPageDown: reader.movePage(1, of: 2, &connection)
    case .halfPageUp: reader.movePage(-1, of: 2, &connection)
    case .lineDown: if let pane = reader.focused { reader.scroll(by: 1, in: pane) }
    case .lineUp: if let pane = reader.focused { reader.scroll(by: -1, in: pane) }
    case .nextDetail: moveDetail(1)
    case .previousDetail: moveDetail(-1)
    case .followNewest: toggleFollow()
    case .nextUnread: goToUnread(-1)
    case .previousUnread: goToUnread(1)
    case .refresh: refresh()
    case .refreshAll: refreshAll()
    case .goToDate: dialog.ask(for: .date)
    case .reveal: reveal()
    case .limit: askForLimit()
    case .clearLimit: clearLimit()
    case .find: dialog.ask(for: .find)
    case .findNext: find(1)
    case .findPrevious: find(-1)
    case .dismiss: dismiss()
    case .parent: goToParent()
    case .nextSibling: goToSibling()
    case .collapse: collapse(true)
    case .expand: collapse(false)
    default: return false
    }
    return true
  }

  /// Opens what a row leads to. Returns false for other actions.
  private mutating func openTarget(by action: Action) -> Bool {
    switch action {
    case .open: openRow()
    case .openThread: openThread()
    case .openAuthor: openAuthor()
    case .openUser: openUser()
    case .openTag: openTag()
    case .openLink: openLink()
    case .openInBrowser: openInBrowser()
    case .media: showMedia()
    case .copyLink: copyLink()
    case .copyText: copyText()
    case .details: askForDetails()
    case .pipe: askForPipe()
    case .search: dialog.ask(for: .search)
    default: return false
    }
    return true
  }

  /// Changes the stack of panes. Returns false for other actions.
  private mutating func arrange(by action: Action) -> Bool {
    let numbers: [Action] = [.pane1, .pane2, .pane3, .pane4, .pane5, .pane6, .pane7, .pane8, .pane9]
    if let number = numbers.firstIndex(of: action) {
      focus(number: number)
      return true
    }
    switch action {
    case .focusLeft: focus(step: -1, wraps: false)
    case .focusRight: focus(step: 1, wraps: false)
    case .focusNext: focus(step: 1, wraps: true)
    case .focusPrevious: focus(step: -1, wraps: true)
    case .close: closePane()
    case .closeOthers: closeOthers()
    case .back: changeStack(Method.back)
    case .forward: changeStack(Method.forward)
    case .slideLeft: slide(.slide(.left))
    case .slideRight: slide(.slide(.right))
    case .wider: widen(by: 8)
    case .narrower: widen(by: -8)
    case .standardWidth: resizePane(reader.focusID, to: 0)
    case .zoom: zoom()
    case .preview: togglePreview()
    case .previewDown: scrollPreview(1)
    case .previewUp: scrollPreview(-1)
    case .timeline: open(.timeline)
    case .mentions: open(.mentions)
    case .lists: open(.lists)
    case .messages: open(.messages)
    case .profile: open(.profile)
    case .searches: open(.search)
    case .sessions: connection.call(.sessions, Method.listSessions, PageRequest())
    default: return false
    }
    return true
  }

  /// Writes posts and acts on them. Returns false for other actions.
  private mutating func change(by action: Action) -> Bool {
    switch action {
    case .compose: beginHere()
    case .composeDirect: beginDirect()
    case .composeInEditor: editElsewhere()
    case .reply: beginReply()
    case .edit: beginEdit()
    case .toggleRead: toggleRead()
    case .markVisibleRead: markVisibleRead()
    case .undo: undo(isRedo: false)
    case .redo: undo(isRedo: true)
    case .delete: askToDelete()
    case .retry: retry()
    case .discard: askToDiscard()
    case .mute: toggleMute()
    default:
      guard let mark = action.command.mark else { return false }
      toggle(mark)
    }
    return true
  }

  /// Controls the program. Returns false for other actions.
  private mutating func run(_ action: Action) -> Bool {
    switch action {
    case .palette: dialog.showPalette(options.keymap)
    case .help: dialog.show(.help(Help(options.keymap, context: .panes, columns: screen.columns)))
    case .mouse:
      mouse.isOn.toggle()
      connection.want(.setMouse(mouse.isOn))
      showNotice(mouse.isOn ? "Mouse on; hold Shift to select text." : "Mouse off.")
    case .redraw: connection.want(.repaint)
    case .suspend: connection.want(.suspend)
    case .interrupt: interrupt()
    case .quit: quit()
    default: return false
    }
    return true
  }

  // MARK: Rows

  private mutating func toggleFollow() {
    guard reader.focused != nil else { return }
    showNotice(reader.toggleFollow(&connection) ? "Follow on." : "Follow off.")
  }

  /// Goes to the next newer unread post (-1), or back to the one before it (1).
  mutating func goToUnread(_ step: Int) {
    guard let pane = reader.focused, !pane.rows.isEmpty else { return showNotice("No newer unread posts.") }
    let search = UnreadSearch(panes: snapshot.panes, marks: marks, shown: snapshot.revision)
    switch search.way(step, from: reader.selectedRow(of: pane.header.paneID), in: pane) {
    case .row(let row, let id):
      if id != reader.focusID { focus(andReveal: id) }
      if let pane = reader.pane(id) { reader.go(to: row, in: pane, &connection) }
    case .above(let row):
      reader.go(to: row, in: pane, &connection)
      reader.moveRow(-1, &connection)
    case .jump(let id, let row):
      if id != reader.focusID { focus(andReveal: id) }
      reader.jump(.unread, in: id, to: .anchor(LineAnchor(rowID: row)))
    case .nowhere(let words): showNotice(words)
    }
  }

  /// Shows the new posts at the top of the focused pane.
  private mutating func refresh() {
    guard let pane = reader.focused else { return }
    let new = pane.status.newRows
    reader.goToNewest(&connection)
    showNotice(new == 0 ? "No new posts here." : NumberText.count(new, "new post.", "new posts."))
  }

  /// Shows the new posts in every pane: each goes to its newest row.
  private mutating func refreshAll() {
    let new = snapshot.panes.reduce(0) { $0 + $1.status.newRows }
    reader.goToNewestEverywhere(&connection)
    showNotice(new == 0 ? "No new posts." : NumberText.count(new, "new post.", "new posts."))
  }

  /// Goes to the parent of the current post, if the pane holds it.
  private mutating func goToParent() {
    guard let fields = rowOrNotice()?.content.fields, let pane = reader.focused else { return }
    guard let parent = pane.rows.first(where: { $0.content.fields.postID == fields.inReplyTo }) else {
      return showNotice(
        fields.inReplyTo == 0 ? "This post is not a reply." : "The parent post is not in this pane.")
    }
    reader.go(to: parent.rowID, in: pane, &connection)
  }

  /// Goes to the next reply to the same post.
  private mutating func goToSibling() {
    guard let row = rowOrNotice(), let pane = reader.focused,
      let own = pane.rows.firstIndex(where: { $0.rowID == row.rowID })
    else { return }
    let parent = row.content.fields.inReplyTo
    let next = pane.rows[(own + 1)...].first { $0.content.fields.inReplyTo == parent && parent != 0 }
    guard let next else { return showNotice("No more replies.") }
    reader.go(to: next.rowID, in: pane, &connection)
  }

  private mutating func collapse(_ isCollapsed: Bool) {
    guard let pane = reader.focused, pane.header.kind == .conversation else {
      return showNotice("Only conversations have replies to hide.")
    }
    guard let row = rowOrNotice() else { return }
    let isHidden = row.tree.collapsedReplies > 0
    if isCollapsed == isHidden {
      return showNotice(isHidden ? "The replies are hidden already." : "No replies are hidden here.")
    }
    let next = pane.rows.drop { $0.rowID != row.rowID }.dropFirst().first
    if isCollapsed, (next?.tree.depth ?? 0) <= row.tree.depth { return showNotice("No replies below this post.") }
    var request = CollapseRequest()
    request.command = connection.command()
    request.paneID = pane.header.paneID
    request.rowID = row.rowID
    request.isCollapsed = isCollapsed
    connection.call(.collapse(isCollapsed), Method.collapse, request)
  }

  /// Asks for a filter of the focused pane, with the same keys as less.
  private mutating func askForLimit() {
    guard let pane = reader.focused else { return }
    dialog.ask(for: .limit, String(decoding: pane.header.filter, as: UTF8.self))
  }

  private mutating func clearLimit() {
    guard reader.focused?.header.filter.isEmpty == false else { return showNotice("This pane has no filter.") }
    limit(to: "")
  }

  /// Clears the marks of found words, or else the filter of the focused pane.
  private mutating func dismiss() {
    if let find = reader.find, find.paneID == reader.focusID { return reader.find = nil }
    limit(to: "")
  }

  /// Filters the focused pane. Empty words clear the filter.
  mutating func limit(to words: String) {
    guard let pane = reader.focused, !words.isEmpty || !pane.header.filter.isEmpty else { return }
    var request = SetFilterRequest(filter: words)
    request.command = connection.command()
    request.paneID = pane.header.paneID
    connection.call(.stack, Method.setFilter, request)
  }

  // MARK: Focus

  /// The visible columns of each pane.
  var seenPanes: SeenPanes { SeenPanes(frames: snapshot.paneFrames, columns: screen.columns) }

  /// Focuses a pane, and slides the stack to it unless all of it is visible (docs/BEHAVIOUR.md, rule 12).
  mutating func focus(andReveal id: UInt64) {
    guard reader.pane(id) != nil else { return }
    reader.focusID = id
    reader.followsSlides = false
    if !seenPanes.isWhole(id) { slide(.reveal(id)) }
  }

  /// Slides to the focused pane after its view or a pane has another width, unless all of it is visible
  /// (docs/BEHAVIOUR.md, rule 14).
  mutating func revealFocused() {
    let id = reader.focusID
    guard let view = connection.viewID, connection.isLaidOut(snapshot), let frame = seenPanes.frame(of: id),
      frame.width <= screen.columns, !seenPanes.isWhole(id)
    else { return }
    connection.call(.reveal, Method.moveStack, MoveStackRequest(viewID: view, .reveal(id)))
  }

  /// Focuses the pane `step` places to the right of the focused one.
  private mutating func focus(step: Int, wraps: Bool) {
    let ids = snapshot.panes.map(\.header.paneID)
    guard let index = ids.firstIndex(of: reader.focusID) else { return }
    let next = index + step
    guard ids.count > 1 || !wraps else { return showNotice("There is only one pane.") }
    if ids.indices.contains(next) {
      focus(andReveal: ids[next])
    } else if wraps {
      focus(andReveal: ids[(next + ids.count) % ids.count])
    } else if step < 0 {
      // The menu lies left of the first pane.
      slide(.slide(.right))
    }
  }

  private mutating func focus(number: Int) {
    guard number < snapshot.panes.count else {
      return showNotice(
        "There \(snapshot.panes.count == 1 ? "is only one pane" : "are only \(snapshot.panes.count) panes").")
    }
    focus(andReveal: snapshot.panes[number].header.paneID)
  }

  /// Slides the stack of this view.
  mutating func slide(_ move: MoveStackRequest.Move) {
    guard let id = connection.viewID else { return }
    if case .reveal = move {} else { reader.followsSlides = true }
    connection.call(.slide, Method.moveStack, MoveStackRequest(viewID: id, move))
  }

  // MARK: The stack

  /// Opens a pane on the focused one. Panes to the right of that close.
  mutating func push(_ subject: Subject) {
    var request = PushRequest(subject)
    request.command = connection.command()
    request.fromPane = reader.focusID
    callOpening(Method.push, request)
  }

  /// Opens a section as the root pane.
  mutating func open(_ section: Section, query: String = "") {
    var request = OpenRequest(section)
    request.command = connection.command()
    request.query = query
    callOpening(Method.open, request)
  }

  /// Sends a command whose only argument is the session.
  private mutating func changeStack(_ method: String) {
    var request = SessionRequest()
    request.command = connection.command()
    callOpening(method, request)
  }

  /// Sends a command that may change the topmost pane. Keys wait for it.
  private mutating func callOpening(_ method: String, _ request: some WireMessage) {
    typedAhead.opens(connection.call(.stack, method, request))
  }

  /// Closes the topmost pane. At the root, asks whether to quit.
  private mutating func closePane() {
    guard snapshot.panes.count > 1 else {
      return dialog.ask(
        .quit,
        Confirmation(
          question: "Quit Stack?", detail: "Your panes stay.", verb: "quit", refusal: "stay", isHarmless: true))
    }
    changeStack(Method.pop)
  }

  private mutating func closeOthers() {
    guard snapshot.panes.count > 1 else { return showNotice("There is only one pane.") }
    changeStack(Method.dropAll)
  }

  /// Widens the focused pane by `cells`.
  private mutating func widen(by cells: Int) {
    guard let frame = seenPanes.frame(of: reader.focusID) else { return }
    resizePane(frame.paneID, to: max(20, frame.width + cells))
  }

  /// Makes the focused pane as wide as the screen allows, or restores its width.
  private mutating func zoom() {
    guard let frame = seenPanes.frame(of: reader.focusID) else { return }
    resizePane(frame.paneID, to: stack.zoom(frame, columns: screen.columns))
  }

  /// Sets the width of a pane; 0 restores the standard width.
  mutating func resizePane(_ id: UInt64, to width: Int) {
    var request = ResizePaneRequest()
    request.command = connection.command()
    request.paneID = id
    request.width = min(width, 10_000)
    connection.call(.stack, Method.resizePane, request)
  }
}

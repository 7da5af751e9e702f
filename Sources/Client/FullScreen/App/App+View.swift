internal import ClientCore
internal import Messages
internal import ViewState

/// The view and calls: what comes from the daemon.
extension App {
  // MARK: The stream

  /// Opens a view, which goes on from what is held where it may.
  mutating func attach() {
    connection.open(columns: screen.columns, lines: screen.lines)
    reader.restartView()
    var hello = Hello(session: connection.session, layout: layout, client: options.client)
    if connection.mayResume { hello.resume = snapshot.resume }
    if hello.resume != nil { hello.viewport = reader.viewport }
    connection.want(.attach(hello))
  }

  /// There is no daemon.
  mutating func disconnected(_ reason: String) {
    typedAhead.forgetAll()
    _ = reader.pending.takeLines()
    marks = WantedMarks()
    let since = connection.lost(at: now) + options.clock.wallOffset
    if screen.status.connection == .live { tell("The daemon is gone; waiting for it to come back.", .warning) }
    if !snapshot.panes.isEmpty || screen.status.connection != .connecting {
      screen.status.connection = .offline(since: TimeOfDay.text(since, offset: options.clock.localOffset))
    } else if connection.pause > 1_000 {
      tell(reason, .warning)
    }
    connection.reconnect()
  }

  /// The view's stream is over.
  mutating func viewEnded(_ end: CallEnd) {
    guard connection.phase != .detached else { return }
    connection.detach()
    let session = connection.session
    switch end.code {
    case CallEnd.ok, CallEnd.cancelled, CallEnd.unavailable, CallEnd.resourceExhausted: disconnected(end.message)
    case CallEnd.notFound where !session.isEmpty && session != "main":
      tell("The session \(session) has gone; this is main.", .warning)
      enter(session: "")
    default: connection.want(.quit(failure: end.message))
    }
  }

  /// Shows another session.
  mutating func enter(session name: String) {
    connection.enter(name)
    reader.leaveSession()
    screen.animation = nil
    screen.revealed = []
    stack.keep(only: [])
    typedAhead.stopOpening()
    attach()
  }

  // MARK: Frames

  /// Shows what a frame brings.
  mutating func show(_ frame: Frame) {
    guard connection.phase != .detached else { return }
    let old = snapshot
    guard (try? reader.mirror.apply(frame)) != nil else {
      connection.part()
      return attach()
    }
    connection.applied(frame)
    if let welcome = frame.welcome { welcomed(welcome) }
    settle(old)
    if old.panes.isEmpty || snapshot.layoutGeneration != old.layoutGeneration { revealFocused() }
    reader.resumePending(&connection)
    releaseTyped()
    if options.animates, frame.reset == nil || !old.panes.isEmpty {
      screen.animation = Animation(
        from: old, to: snapshot, columns: screen.columns, at: now, continuing: screen.animation)
    }
    sendLayout()
  }

  private mutating func welcomed(_ welcome: Welcome) {
    if connection.welcomed(as: welcome.viewID) {
      tell("Connected again.")
      dialog.updateEditor { $0.failure = "" }
    }
    screen.status.connection = .live
    composer.reconnected()
    composer.askForDrafts(&connection)
    reader.sendSelection(&connection)
  }

  /// Sees where the person is after a frame.
  private mutating func settle(_ old: ViewSnapshot) {
    reader.viewports.answered(snapshot.viewportGeneration)
    for pane in snapshot.panes {
      let before = old.panes.first { $0.header.paneID == pane.header.paneID }
      if reader.settle(pane, before, &connection) { goToUnread(-1) }
      reader.keepNewest(in: pane)
    }
    reader.forgetClosedPanes()
    stack.keep(only: Set(snapshot.panes.map(\.header.paneID)))
    let wasAskedFor = typedAhead.opening != .none
    let hasOtherTop = snapshot.panes.last?.header.paneID != old.panes.last?.header.paneID
    typedAhead.shown(snapshot.revision, hasOtherTop: hasOtherTop)
    reader.settleFocus(after: old, wasAskedFor: wasAskedFor, columns: screen.columns)
  }

  // MARK: Answers

  /// Takes the answer to a call. Commands on the stack are shown by frames; of them only what went wrong is told.
  mutating func answered(_ number: UInt64, _ result: Result<[UInt8], CallEnd>) {
    guard let purpose = connection.answered(number) else { return }
    switch (purpose, result) {
    case (.select(let pane, let row), _): reader.selectionAnswered(pane: pane, row: row, result, &connection)
    case (.compose, _): tell(composer.sent(result, &dialog, &connection))
    case (.count, _): composer.counted(result, &dialog)
    case (.saveDraft(let key), _): tell(composer.saved(key, result, &connection))
    // Who may not write has none.
    case (.drafts, .success(let bytes)):
      composer.listed((try? ListDraftsResponse(decoding: bytes))?.drafts ?? [], &dialog)
    case (.throwAway, _), (.drafts, _): break
    case (.mark(let marked), _): markAnswered(marked, result)
    case (.readMarks(let posts, let isRead), _): readMarksAnswered(posts, isRead: isRead, result)
    case (.detail, _): detailAnswered(result)
    case (.stack, .success(let bytes)):
      guard let revision = try? PaneResponse(decoding: bytes).revision,
        typedAhead.answered(number, at: revision, shown: snapshot.revision)
      else { return }
    case (_, .success(let bytes)): succeeded(purpose, bytes)
    case (_, .failure(let end)):
      if purpose == .stack { typedAhead.refused(number) }
      if purpose == .sessions { typedAhead.forgetKeys() }
      complain(end)
    }
    releaseTyped()
  }

  /// Tells of what has been done.
  private mutating func succeeded(_ purpose: CallPurpose, _ bytes: [UInt8]) {
    switch purpose {
    case .slide:
      if (try? MoveStackResponse(decoding: bytes))?.hasMoved == false { tell("The panes end here.") }
    case .undo(let isRedo):
      let answer = try? UndoResponse(decoding: bytes)
      let sentence = answer?.sentence(isRedo: isRedo) ?? "Done"
      tell(isRedo || answer?.isIrrevocable == true ? "\(sentence)." : "\(sentence). Redo brings it back.")
    case .say(let words): tell(words)
    case .sessions: showSessions((try? ListSessionsResponse(decoding: bytes))?.sessions ?? [])
    case .renamedSession(let name):
      connection.enter(name)
      tell("It is called \(name) now.")
    default: break
    }
  }

  private mutating func markAnswered(_ marked: Marked, _ result: Result<[UInt8], CallEnd>) {
    let answer = (try? result.get()).flatMap { try? MarkResponse(decoding: $0) }
    marks.answered(marked, shownAt: answer?.revision)
    if case .failure(let end) = result { complain(end) }
  }

  private mutating func readMarksAnswered(_ posts: [UInt64], isRead: Bool, _ result: Result<[UInt8], CallEnd>) {
    let answer = (try? result.get()).flatMap { try? MarkReadResponse(decoding: $0) }
    for post in posts { marks.answered(Marked(post: post, kind: .unread), shownAt: answer?.revision) }
    if case .failure(let end) = result { return complain(end) }
    let what = posts.count == 1 ? "The post is" : "\(posts.count) posts are"
    tell("\(what) marked as \(isRead ? "read" : "unread"). Undo takes that back.")
  }

  private mutating func detailAnswered(_ result: Result<[UInt8], CallEnd>) {
    stack.detailAnswered()
    if case .failure(let end) = result { complain(end) } else { sendDetail() }
  }

  private mutating func showSessions(_ sessions: [SessionSummary]) {
    let current = connection.session.isEmpty ? "main" : connection.session
    dialog.choose(
      "Sessions",
      sessions.map { summary in
        let place = summary.name == current ? " (here)" : ""
        return (Menu.Item(summary.name + place, detail: summary.panes.joined(separator: ", ")), .session(summary.name))
      })
  }
}

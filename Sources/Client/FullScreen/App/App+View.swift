internal import ClientCore
internal import Messages
internal import ViewState

/// The view and its calls: everything that comes from the daemon.
extension App {
  // MARK: The stream

  /// Opens a view, resuming from the mirror if possible.
  mutating func attach() {
    connection.open(columns: screen.columns, lines: screen.lines)
    reader.restartView()
    stack.preview.restart()
    var hello = Hello(session: connection.session, layout: layout, client: options.program.name)
    if connection.mayResume { hello.resume = reader.held.resume }
    if hello.resume != nil { hello.viewport = reader.viewport }
    connection.want(.attach(hello))
  }

  /// Handles the loss of the connection.
  mutating func disconnected(_ reason: String) {
    typedAhead.forgetAll()
    _ = reader.pending.takeLines()
    marks = WantedMarks()
    let since = connection.lost(at: now) + options.clock.wallOffset
    let isNews = screen.status.connection == .live
    if !snapshot.panes.isEmpty || screen.status.connection != .connecting {
      screen.status.connection = .offline(
        since: TimeOfDay.text(since, offset: screen.clock.localOffset, screen.clock.locale))
    } else if connection.pause > 1_000 {
      showNotice(reason, .warning)
    }
    if let notice = connection.reconnect(at: now, isNews: isNews) { showNotice(notice, .warning) }
  }

  /// Handles the end of the view's stream.
  mutating func viewEnded(_ end: CallEnd) {
    guard connection.phase != .detached else { return }
    connection.detach()
    let session = connection.session
    switch end.code {
    case _ where Interruption(status: end.code) != nil: disconnected(end.message)
    case CallEnd.notFound where !session.isEmpty && session != "main":
      showNotice("Session \(session) no longer exists; switched to main.", .warning)
      enter(session: "")
    default:
      let exitCode = ExitCode(status: UInt32(clamping: end.code))
      let message = end.message.isEmpty ? "the daemon refused the view" : end.message
      connection.want(.quit(failure: .fromDaemon(exitCode, message)))
    }
  }

  /// Switches to another session.
  mutating func enter(session name: String) {
    connection.enter(name)
    reader.leaveSession()
    screen.animation = nil
    screen.revealed = []
    stack.forgetPanes(except: [])
    typedAhead.stopOpening()
    attach()
  }

  // MARK: Frames

  /// Applies a frame and shows it.
  mutating func show(_ frame: Frame) {
    guard connection.phase != .detached else { return }
    let (old, held) = (snapshot, reader.held)
    guard (try? reader.apply(frame)) != nil else {
      connection.markDiverged()
      return attach()
    }
    connection.applied(frame)
    if let welcome = frame.welcome { welcomed(welcome) }
    restorePositions(after: old, held)
    reader.resumePending(&connection)
    releaseQueuedKeys()
    if options.animates, frame.reset == nil || !old.panes.isEmpty {
      screen.animation = Animation(
        from: old, to: snapshot, columns: screen.columns, at: now, continuing: screen.animation)
    }
    sendLayout()
    let isSlid = snapshot.paneFrames != old.paneFrames
    if old.panes.isEmpty || snapshot.isResized(since: old) || isSlid && !reader.followsSlides { revealFocused() }
  }

  private mutating func welcomed(_ welcome: Welcome) {
    let (wasAway, notice) = connection.welcomed(as: welcome.viewID, at: now)
    if let notice { showNotice(notice) }
    if wasAway { dialog.updateEditor { $0.failure = "" } }
    screen.status.connection = .live
    composer.reconnected()
    composer.askForDrafts(&connection)
    reader.sendSelection(&connection)
  }

  /// Restores the reading positions after a frame.
  private mutating func restorePositions(after old: ViewSnapshot, _ held: ViewSnapshot) {
    reader.viewports.answered(snapshot.viewportGeneration)
    for pane in reader.held.panes {
      let before = held.panes.first { $0.header.paneID == pane.header.paneID }
      if reader.restorePosition(in: pane, after: before, &connection) { goToUnread(-1) }
      reader.keepNewest(in: pane)
    }
    reader.forgetClosedPanes()
    stack.forgetPanes(except: Set(snapshot.panes.map(\.header.paneID)))
    let wasAskedFor = typedAhead.opening != .none
    let hasOtherTop = snapshot.panes.last?.header.paneID != old.panes.last?.header.paneID
    typedAhead.shown(snapshot.revision, hasOtherTop: hasOtherTop)
    reader.settleFocus(
      after: old, opening: wasAskedFor ? .asked : stack.detail.isPending ? .detail : .elsewhere, columns: screen.columns
    )
    stack.detail.shown(snapshot.revision)
    stack.detail.send(reader, &connection)
  }

  // MARK: The preview

  /// True if the row that the user rests on is known. Until then no time for a preview comes.
  var mayPreview: Bool { connection.isLaidOut(snapshot) && reader.isAtRest }

  /// Asks for the preview of the row that the user rests on, on a screen that has room for it.
  mutating func choosePreview() {
    guard mayPreview else { return }
    let isWanted = stack.preview.isOn && screen.columns >= PreviewChoice.leastColumns
    stack.preview.want(isWanted ? reader.previewedPost : 0, at: now)
    stack.preview.send(at: now, &connection)
  }

  /// Turns previews on or off, now and in later runs.
  mutating func togglePreview() {
    stack.preview.isOn.toggle()
    connection.want(.remember(hasPreview: stack.preview.isOn))
    let isNarrow = screen.columns < PreviewChoice.leastColumns
    let least = isNarrow ? ", on screens of \(PreviewChoice.leastColumns) columns or more" : ""
    showNotice("Preview \(stack.preview.isOn ? "on" : "off")\(least).")
  }

  /// Scrolls the preview by a fraction of the screen's height.
  mutating func scrollPreview(_ direction: Int) {
    guard let pane = reader.preview else { return showNotice("There is no preview.") }
    reader.scroll(by: direction * max(1, screen.viewHeight / 2), in: pane)
  }

  // MARK: Answers

  /// Handles the answer to a call. The effect of pane commands is shown by frames, so only their failures are reported.
  mutating func answered(_ number: UInt64, _ result: Result<[UInt8], CallEnd>) {
    guard let purpose = connection.answered(number) else { return }
    if case .success = result { dialog.succeeded(number) }
    switch (purpose, result) {
    case (.select(let pane, let row), _): reader.selectionAnswered(pane: pane, row: row, result, &connection)
    case (.compose, _): showNotice(composer.sent(number, result, &dialog, &connection))
    case (.count, _): composer.counted(result, &dialog)
    case (.saveDraft(let key), _): showNotice(composer.saved(key, result, &connection))
    // Accounts that may not write have no drafts.
    case (.drafts, .success(let bytes)):
      composer.listed((try? ListDraftsResponse(decoding: bytes))?.drafts ?? [], &dialog)
    case (.names, .success(let bytes)): composer.meet((try? ListPeopleResponse(decoding: bytes))?.people ?? [])
    case (.deleteDraft, _), (.drafts, _), (.names, _), (.reveal, _): break
    case (.mark(let marked), _): markAnswered(marked, number, result)
    case (.readMarks(let posts, let isRead), _): readMarksAnswered(posts, isRead: isRead, number, result)
    case (.values(let kind), _): dialog.completions.answered(kind, result)
    case (.detail, _): detailAnswered(number, result)
    case (.preview, _): stack.preview.answered()
    case (.stack, .success(let bytes)):
      guard let revision = try? PaneResponse(decoding: bytes).revision,
        typedAhead.answered(number, at: revision, shown: snapshot.revision)
      else { return }
    case (_, .success(let bytes)): succeeded(purpose, bytes)
    case (_, .failure(let end)):
      if purpose == .stack { typedAhead.refused(number) }
      if purpose.opensBox { typedAhead.forgetKeys() }
      showFailure(end, of: number)
    }
    releaseQueuedKeys()
  }

  /// Reports success.
  private mutating func succeeded(_ purpose: CallPurpose, _ bytes: [UInt8]) {
    switch purpose {
    case .slide:
      if (try? MoveStackResponse(decoding: bytes))?.hasMoved == false {
        showNotice(snapshot.panes.count == 1 ? "There is only one pane." : "No more panes in this direction.")
      }
    case .undo(let isRedo):
      if let answer = try? UndoResponse(decoding: bytes) { showUndone(answer, isRedo: isRedo) }
    case .collapse(let isCollapsed):
      let key = firstKey(of: .expand).map { " · \($0) shows them" } ?? ""
      showNotice(isCollapsed ? "Replies hidden; this session keeps them hidden\(key)." : "Replies shown again.")
    case .follow(let name):
      if let answer = try? FollowResponse(decoding: bytes) { showNotice(answer.sentence(of: name)) }
    case .notice(let words): showNotice(words)
    case .find(let step, let pane):
      if !reader.goToFound(in: pane, bytes, &connection) { showNotFound(step) }
    case .sessions: showSessions((try? ListSessionsResponse(decoding: bytes))?.sessions ?? [])
    case .listing(let listing): show(listing, bytes)
    case .details:
      guard dialog.isClosed, let details = try? PostDetailsMessage(decoding: bytes) else { return }
      dialog.show(.message(Message(title: "Details", lines: details.facts)))
    case .renamedSession(let name):
      connection.enter(name)
      showNotice("Renamed to \(name).")
    default: break
    }
  }

  /// Reports what was undone or redone, without numbers, which the screen does not show.
  private mutating func showUndone(_ answer: UndoResponse, isRedo: Bool) {
    var words = answer.sentence(isRedo: isRedo)
    let number = "post \(answer.postID)"
    if answer.postID != 0, words.hasSuffix(number) {
      words = String(words.dropLast(number.count)) + (name(ofPost: answer.postID) ?? "a post")
    }
    let key = isRedo || answer.isIrrevocable ? nil : firstKey(of: .redo)
    showNotice(words + (key.map { " · \($0) does it again." } ?? "."))
  }

  /// Returns words for a post that a pane holds, by its author; nil for none.
  private func name(ofPost id: UInt64) -> String? {
    let author = snapshot.panes.lazy.flatMap(\.rows).first { $0.content.fields.postID == id }?.content.fields.author
    guard let author else { return nil }
    if author.id == snapshot.navigation.account?.id { return "your post" }
    return "a post of @\(String(decoding: author.handle, as: UTF8.self))"
  }

  private mutating func markAnswered(_ marked: Marked, _ number: UInt64, _ result: Result<[UInt8], CallEnd>) {
    let answer = (try? result.get()).flatMap { try? MarkResponse(decoding: $0) }
    let isOn = marks.isOn(marked, shown: snapshot.revision)
    marks.answered(marked, shownAt: answer?.revision)
    if case .failure(let end) = result { return showFailure(end, of: number) }
    guard case .mark(let kind) = marked.kind, let isOn else { return }
    let key = firstKey(of: .undo).map { " · \($0) takes it back." } ?? "."
    showNotice(kind.words(isOn) + key)
  }

  private mutating func readMarksAnswered(
    _ posts: [UInt64], isRead: Bool, _ number: UInt64, _ result: Result<[UInt8], CallEnd>
  ) {
    let answer = (try? result.get()).flatMap { try? MarkReadResponse(decoding: $0) }
    for post in posts { marks.answered(Marked(post: post, kind: .unread), shownAt: answer?.revision) }
    if case .failure(let end) = result { return showFailure(end, of: number) }
    let what = posts.count == 1 ? "Post" : "\(posts.count) posts"
    let key = firstKey(of: .undo).map { " · \($0) takes it back." } ?? "."
    showNotice("\(what) marked as \(isRead ? "read" : "unread")\(key)")
  }

  private mutating func detailAnswered(_ number: UInt64, _ result: Result<[UInt8], CallEnd>) {
    let answer = (try? result.get()).flatMap { try? PaneResponse(decoding: $0) }
    stack.detail.answered(at: answer?.revision, shown: snapshot.revision)
    if case .failure(let end) = result { return showFailure(end, of: number) }
    stack.detail.send(reader, &connection)
  }

  /// Shows the sessions, unless an overlay has been opened since they were asked for.
  private mutating func showSessions(_ sessions: [SessionSummary]) {
    guard dialog.isClosed else { return }
    let current = connection.session.isEmpty ? "main" : connection.session
    dialog.choose(
      "Sessions",
      sessions.map { summary in
        let place = summary.name == current ? " (current)" : ""
        return (Menu.Item(summary.name + place, detail: summary.panes.joined(separator: ", ")), .session(summary.name))
      })
  }

  // MARK: Lists

  /// Performs an action that shows a list, or changes the account. Returns false for other actions.
  mutating func list(by action: Action) -> Bool {
    switch action {
    case .saved: push(.search("is:saved"))
    case .favourites: push(.search("is:favourited"))
    case .people: ask(for: .people, Method.listPeople, PageRequest())
    case .drafts: composer.askForDrafts(for: .listing(.drafts), &connection)
    case .outbox: ask(for: .outbox, Method.listOutbox, PageRequest())
    case .muted: ask(for: .muted, Method.listMuted, PageRequest())
    case .follows: ask(for: .follows, Method.listFollowing, FollowsRequest())
    case .followers: ask(for: .followers, Method.listFollowers, FollowsRequest())
    case .sources: ask(for: .sources, Method.listSources, PageRequest())
    case .refreshFeeds:
      connection.call(.notice("Asked your feeds for what is new."), Method.refresh, FeedRequest(feedID: 0))
    case .imports: ask(for: .imports, Method.listImports, ListImportsRequest())
    default: return false
    }
    return true
  }

  private mutating func ask(for listing: Listing, _ method: String, _ request: some WireMessage) {
    connection.call(.listing(listing), method, request)
  }

  /// Shows the daemon's answer, unless an overlay has been opened since.
  mutating func show(_ listing: Listing, _ bytes: [UInt8]) {
    guard dialog.isClosed else { return }
    let items = listing.items(bytes)
    guard items.isEmpty else { return dialog.choose(listing.title, items) }
    typedAhead.forgetKeys()
    showNotice(listing.emptyNotice)
  }

  /// Returns the feed that a line names. Without one, says why.
  private mutating func feedOrNotice(_ words: String) -> SourceSummary? {
    do throws(ClientFailure) {
      if let feed = try feed(words) { return feed }
      reject("You follow no feed '\(words)'.")
    } catch {
      reject(LineWords.sentence(error.message))
    }
    return nil
  }

  /// Unsubscribes from a feed.
  mutating func removeFeed(_ words: String) {
    guard let feed = feedOrNotice(words) else { return }
    connection.call(
      .notice("Unsubscribed from \(feed.shownTitle)."), Method.removeFeed, FeedRequest(feedID: feed.feedID))
  }

  /// Shows how a feed fares, and its last checks.
  mutating func showChecks(of words: String) {
    guard let feed = feedOrNotice(words) else { return }
    let lines = feed.historyRecord.lines.map { String(decoding: $0.flatMap(\.text), as: UTF8.self) }
    dialog.show(.message(Message(title: "Checks of a feed", lines: lines)))
  }

  /// Opens a draft in the editor.
  mutating func open(_ draft: DraftSummary) {
    let subject = composer.takeOver(draft)
    let parent =
      draft.kind == .answer
      ? snapshot.panes.lazy.flatMap(\.rows).first { $0.content.fields.postID == draft.postID } : nil
    composer.begin(subject, from: "", width: screen.panelWidth, &dialog, &connection) { text in
      ComposeEditor(text: text, parent: parent, isEdit: draft.kind == .edit)
    }
  }
}

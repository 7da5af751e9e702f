internal import ClientCore
internal import Messages
internal import Terminal
internal import ViewState

/// Input: keys by context, the mouse, prompts and command lines.
extension App {
  /// Handles an input event.
  mutating func handleInput(_ event: InputEvent) {
    switch event {
    case .key(let key):
      clearNotice()  // Not later: a queued key was typed before the notice.
      if !queueKey(key) { handleKey(key) }
    case .paste(let bytes): paste(LineWords.pasted(bytes))
    case .mouse(let event): handleMouse(event)
    case .focus, .reply: break
    }
  }

  /// Looks a key up in the current context. A key without a meaning there that types something is text, if text is
  /// being asked for.
  private mutating func handleKey(_ key: Key) {
    let context = dialog.context
    let action = options.keymap.action(for: key, in: context)
    if action != .interrupt { forgetInterrupt() }
    if let action {
      if context == .panes {
        perform(action)
        return
      }
      if performInDialog(action) { return }
    }
    switch (dialog.overlay, key.code) {
    case (.message, _): dialog.close()
    case (.menu, .character(let digit)) where key.modifiers.isEmpty:
      if let number = digit.wholeNumberValue, 1...9 ~= number { choose(number: number - 1) }
    case (.some, .character(let character)) where context.isTyping && key.modifiers.isEmpty:
      dialog.insert(String(character), isPaste: false)
    case (nil, _): explainUnknown(key)
    default: break
    }
  }

  /// Says that a key has no action in the panes.
  private mutating func explainUnknown(_ key: Key) {
    guard let help = firstKey(of: .help) else { return }
    showNotice("\(KeyName.name(key)) does nothing here; \(help) shows the keys.")
  }

  /// Inserts pasted text. Pasted text is never treated as keys: outside of text fields it is ignored.
  private mutating func paste(_ text: String) {
    guard dialog.context.isTyping else { return showNotice("Nothing to paste into; start a post first.") }
    dialog.insert(text, isPaste: true)
  }

  /// Performs an action of the overlay. Returns false if the action has no meaning there.
  private mutating func performInDialog(_ action: Action) -> Bool {
    switch (dialog.overlay, action) {
    case (_, .interrupt): interrupt()
    case (.palette(let palette), .quit) where !palette.field.text.isEmpty: return false
    case (_, .quit): quit()
    case (_, .redraw): connection.want(.repaint)
    case (_, .suspend): connection.want(.suspend)
    case (.compose, .send): showNotice(composer.send(&dialog, at: now, &connection))
    case (.compose, .cancel): leavePost()
    case (.compose(let editor), .audience) where editor.isEdit:
      showNotice("An edit does not change who can see the post.")
    case (.compose(let editor), .warning) where editor.isEdit, (.compose(let editor), .language) where editor.isEdit,
      (.compose(let editor), .attach) where editor.isEdit:
      showNotice("An edit changes the text alone.")
    case (.compose(let editor), .audience) where !editor.mayChangeAudience:
      showNotice("A reply to a direct post is for the same people.")
    case (.compose, .toEditor), (.compose, .composeInEditor): editElsewhere()
    case (.palette(let palette), .choose), (.palette(let palette), .confirm): enterCommand(palette)
    case (.prompt(let prompt), .choose), (.prompt(let prompt), .confirm): enterLine(prompt)
    case (.menu(let menu), .choose), (.menu(let menu), .confirm): choose(number: menu.selected)
    case (.confirm, .confirm): settleQuestion(true)
    case (.confirm(let question), .choose):
      guard !question.isHarmless else { return settleHarmless() }
      showNotice("Press \(question.keys(options.keymap).yes) to \(question.verb).")
    case (.confirm, .cancel): settleQuestion(false)
    case (.message, _), (_, .cancel): dialog.close()
    default: return dialog.perform(action, viewHeight: screen.viewHeight)
    }
    return true
  }

  /// Answers a harmless question with yes.
  private mutating func settleHarmless() -> Bool {
    settleQuestion(true)
    return true
  }

  // MARK: Queued keys

  /// Queues a key that must wait for a pane, session or rows. Returns false if the key can be handled now.
  private mutating func queueKey(_ key: Key) -> Bool {
    guard dialog.isClosed, !typedAhead.isEmpty || mustWait else { return false }
    let action = options.keymap.action(for: key, in: .panes)
    if let action, action.isImmediate { return false }
    // Help and the palette are available at any time, but not before keys that were typed earlier.
    if typedAhead.isEmpty, action == .help || action == .palette { return false }
    if !typedAhead.queueKey(key, at: now) { showNotice("Waiting for the daemon; key ignored.", .warning) }
    return true
  }

  /// Handles queued keys for as long as nothing they wait for is missing.
  mutating func releaseQueuedKeys() {
    let count = typedAhead.count
    while !mustWait, let key = typedAhead.takeFirst() { handleKey(key) }
    if typedAhead.count != count || isAnswered && typedAhead.end == nil { typedAhead.waitOn(from: now) }
  }

  /// Stops waiting for what has not arrived in time. Moves are made where the user is. Keys that open, close or choose
  /// stay queued while the daemon may still carry out an earlier command: they would act on the wrong pane.
  mutating func releaseUnanswered() {
    typedAhead.stopWaiting()
    guard isAnswered else {
      while let key = typedAhead.first, isMove(key), !isEntering { handleFirstQueuedKey() }
      return
    }
    typedAhead.stopOpening()
    while !typedAhead.isEmpty, isAnswered { handleFirstQueuedKey() }
    typedAhead.waitOn(from: now)
  }

  private mutating func handleFirstQueuedKey() { if let key = typedAhead.takeFirst() { handleKey(key) } }

  private func isMove(_ key: Key) -> Bool {
    let motion = options.keymap.action(for: key, in: .panes)?.motion
    return motion == .rows || motion == .lines
  }

  /// True if the daemon has answered everything that queued keys wait for.
  private var isAnswered: Bool { !typedAhead.isUnanswered && !isEntering && !connection.isAskingForBox }

  /// True if nothing of the session has been shown yet.
  private var isEntering: Bool { connection.phase == .opening && snapshot.panes.isEmpty }

  /// True if keys must wait for an earlier command.
  private var mustWait: Bool {
    guard dialog.isClosed else { return false }
    if isEntering { return true }
    guard connection.isOpen else { return false }
    let isLoading = reader.focused.map { $0.rows.isEmpty && $0.status.isLoading } ?? false
    return typedAhead.opening != .none || isLoading || connection.isAskingForBox || reader.isMovePending
  }

  // MARK: Lines

  /// Runs the line entered in a prompt. If it is refused, the prompt opens again with the reason.
  mutating func enterLine(_ prompt: Prompt) {
    guard let (line, words) = dialog.entered(prompt) else { return }
    let lastCall = connection.lastCall
    run(line, words)
    dialog.wait(for: connection.lastCall == lastCall ? .program : .call(connection.lastCall))
  }

  private mutating func run(_ line: Dialog.Line, _ words: String) {
    if line == .limit { return limit(to: words) }
    guard !words.isEmpty else { return }
    switch line {
    case .search: search(words)
    case .author: push(.author(AuthorReference.completed(words)))
    case .tag: push(.search(LineWords.topic(words)))
    case .date: goToDate(words)
    case .pipe: pipe(to: words)
    case .find:
      reader.beginFinding(words)
      find(1)
    case .limit: break
    }
  }

  /// Says why the line being carried out is refused: in its box, or in the status line.
  mutating func reject(_ reason: String) {
    if !dialog.refused(by: .command, reason) { showNotice(reason, .warning) }
  }

  /// Opens a search in a pane to the right, or in the root if that is a search without a query.
  private mutating func search(_ words: String) {
    if let root = snapshot.panes.first, snapshot.panes.count == 1, root.header.kind == .search,
      root.header.query.isEmpty
    {
      open(.search, query: words)
    } else {
      push(.search(words))
    }
  }

  /// Goes to a date. In a list with the newest first, the last post of a day, month or year goes to the top.
  private mutating func goToDate(_ words: String) {
    let offset = options.clock.localOffset
    guard let span = DateSpan(words, now: now + options.clock.wallOffset, localOffset: { _ in offset }) else {
      return reject("Not a time: '\(words)'. Try \(DateSpan.examples).")
    }
    reader.go(toInstant: reader.focused?.isNewestFirst == true ? max(span.start, span.end - 1) : span.start)
  }

  private mutating func pipe(to words: String) {
    guard let row = reader.currentRow else { return }
    connection.want(.pipe(LineWords.split(words), RowRecord.line(row)))
  }

  // MARK: The command line

  /// Runs the command entered in the palette.
  mutating func enterCommand(_ palette: Palette) {
    guard let command = dialog.entered(palette) else { return }
    let lastCall = connection.lastCall
    switch command {
    case .action(let action): perform(action)
    case .verb(let action, let words): perform(action, words.map(LineWords.trimmed))
    }
    dialog.wait(for: connection.lastCall == lastCall ? .program : .call(connection.lastCall))
  }

  /// Performs an action with as many arguments as it needs. Returns false for an action without arguments.
  @discardableResult
  mutating func perform(_ action: Action, _ words: [String]) -> Bool {
    let first = words.first ?? ""
    let last = words.last ?? ""
    switch action {
    case .search: search(first)
    case .author: push(.author(AuthorReference.completed(first)))
    case .conversation: push(.conversation(first))
    case .list: push(.list(first))
    case .tag: push(.search(LineWords.topic(first)))
    case .direct: openDirect(first)
    case .post: beginPost(first)
    case .message: beginDirect(AuthorReference.completed(first) + " ")
    case .session: enter(session: first)
    case .renameSession: renameSession(first, last)
    case .deleteSession:
      dialog.ask(.deleteSession(first), Confirmation(question: "Delete session \(first)?", verb: "delete"))
    case .date: goToDate(first)
    case .theme: choose(theme: first)
    case .width: setWidth(first)
    case .removeFeed: removeFeed(first)
    case .feedHistory: showChecks(of: first)
    case .importFile: connection.want(.importFile(first))
    case .accountName: change(Method.setProfile, "Name set.", SetProfileRequest(.displayName(first)))
    case .accountAbout: change(Method.setProfile, "Line set.", SetProfileRequest(.about(first)))
    case .deleteList:
      dialog.ask(.deleteList(first), Confirmation(question: "Delete list \(first)?", verb: "delete"))
    default: return changePeople(action, first, last)
    }
    return true
  }

  /// Follows, mutes and edits lists. Success is reported in one sentence.
  private mutating func changePeople(_ action: Action, _ first: String, _ last: String) -> Bool {
    switch action {
    case .follow:
      connection.call(.follow(first), Method.follow, AuthorRequest(author: AuthorReference.completed(first)))
    case .unfollow: change(Method.unfollow, "Unfollowed \(first).", author: first)
    case .approve: change(Method.approveFollow, "\(first) follows you now.", author: first)
    case .refuse: change(Method.refuseFollow, "Refused \(first).", author: first)
    case .removeFollower: change(Method.removeFollower, "\(first) no longer follows you.", author: first)
    case .mute: change(Method.mute, "Muted \(first).", author: first)
    case .unmute: change(Method.unmute, "Unmuted \(first).", author: first)
    case .block: change(Method.block, "Blocked \(first).", author: first)
    case .unblock: change(Method.unblock, "Unblocked \(first).", author: first)
    case .muteWord: change(Method.muteWord, "Posts with \(first) are now hidden.", MutedWordRequest(word: first))
    case .unmuteWord: change(Method.unmuteWord, "Posts with \(first) are shown again.", MutedWordRequest(word: first))
    case .makeList: change(Method.createList, "List \(first) created.", CreateListRequest(name: first))
    case .renameList:
      change(Method.renameList, "Renamed to \(last).", RenameListRequest(list: first, name: last))
    case .addToList: change(Method.addToList, "Added \(last) to \(first).", member(last, of: first))
    case .removeFromList: change(Method.removeFromList, "Removed \(last) from \(first).", member(last, of: first))
    case .addFeed: change(Method.addFeed, "Feed added.", AddFeedRequest(url: first))
    default: return false
    }
    return true
  }

  private mutating func change(_ method: String, _ sentence: String, _ request: some WireMessage) {
    connection.call(.notice(sentence), method, request)
  }

  private mutating func change(_ method: String, _ sentence: String, author: String) {
    change(method, sentence, AuthorRequest(author: AuthorReference.completed(author)))
  }

  private func member(_ author: String, of list: String) -> ListMemberRequest {
    ListMemberRequest(list: list, author: AuthorReference.completed(author))
  }

  private mutating func openDirect(_ words: String) {
    guard let number = UInt64(words) else { return reject("Not a conversation ID: '\(words)'.") }
    push(.direct(number))
  }

  private mutating func renameSession(_ old: String, _ new: String) {
    var request = RenameSessionRequest(name: new)
    request.command.session = old
    request.command.requestID = connection.requestID()
    // Views stay attached to a renamed session; only commands need the new name.
    let isThis = old == (connection.session.isEmpty ? "main" : connection.session)
    connection.call(
      isThis ? .renamedSession(new) : .notice("Renamed to \(new)."), Method.renameSession, request)
  }

  private mutating func setWidth(_ words: String) {
    guard let width = Int(words), 0...10_000 ~= width else {
      return reject("Not a width: '\(words)'. Use 0 to 10000 columns.")
    }
    resizePane(reader.focusID, to: width)
  }

  private mutating func choose(theme name: String) {
    guard let theme = options.themes.first(where: { $0.name == name }) else {
      return reject("Unknown theme '\(name)'. Themes: \(options.themes.map(\.name).joined(separator: ", ")).")
    }
    applyTheme(theme)
    showNotice("Theme: \(theme.name).")
  }

  // MARK: Words and details

  /// Goes to the next row with the words looked for in the focused pane (1), or the previous one (-1).
  mutating func find(_ step: Int) {
    guard rowOrNotice() != nil else { return }
    switch reader.goToNextFound(step, layout, &connection) {
    case .going: break
    case .nothingToFind: showNotice("Nothing to find yet\(firstKey(of: .find).map { "; \($0) asks for words" } ?? "").")
    case .notFound: showNotFound(step)
    case .notHeld(let count): reject("Not found in the \(count) posts that are loaded.")
    }
  }

  /// Says that nothing was found in a direction, and the key for the other one.
  mutating func showNotFound(_ step: Int) {
    let (here, there) = step > 0 ? ("below", "above") : ("above", "below")
    let other = firstKey(of: step > 0 ? .findPrevious : .findNext).map { " · \($0) looks \(there)" }
    showNotice("Not found \(here) this post\(other ?? "").")
  }

  /// Moves to the next row and shows what it leads to in the pane to the right. On a screen without room for both, only
  /// moves.
  mutating func moveDetail(_ step: Int) {
    reader.moveRow(step, &connection)
    if DetailPane.hasRoom(beside: reader, columns: screen.columns) { return stack.detail.want(reader, &connection) }
    let opening = firstKey(of: .open).map { "; \($0) opens it" } ?? ""
    if stack.detail.tellNarrow() { showNotice("No room for a conversation beside this pane\(opening).") }
  }
}

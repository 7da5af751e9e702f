internal import ClientCore
internal import Messages
internal import Terminal
internal import ViewState

/// Input: keys, by context, the mouse, and lines that were asked for or are commands.
extension App {
  /// Takes what somebody did.
  mutating func happened(_ event: InputEvent) {
    switch event {
    case .key(let key): if !keep(key) { act(on: key) }
    case .paste(let bytes): paste(LineWords.pasted(bytes))
    case .mouse(let event): happened(event)
    case .focus, .reply: break
    }
  }

  /// Keys are looked up where one is; what types something and means nothing there is text, where text is asked for.
  private mutating func act(on key: Key) {
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
    default: break
    }
  }

  /// Pasted text is never keys: where no text is asked for it is passed over.
  private mutating func paste(_ text: String) {
    guard dialog.context.isTyping else { return tell("Pasted text goes nowhere here; write a post first.") }
    dialog.insert(text, isPaste: true)
  }

  /// Does what an action means in what lies over the panes; false where it means nothing there.
  private mutating func performInDialog(_ action: Action) -> Bool {
    switch (dialog.overlay, action) {
    case (_, .interrupt): interrupt()
    case (_, .redraw): connection.want(.repaint)
    case (_, .suspend): connection.want(.suspend)
    case (.compose, .send): tell(composer.send(&dialog, at: now, &connection))
    case (.compose, .cancel): leavePost()
    case (.compose, .toEditor), (.compose, .composeInEditor): editElsewhere()
    case (.palette(let palette), .choose), (.palette(let palette), .confirm): enterCommand(palette)
    case (.prompt(let prompt), .choose), (.prompt(let prompt), .confirm): enterLine(prompt.field.text)
    case (.menu(let menu), .choose), (.menu(let menu), .confirm): choose(number: menu.selected)
    case (.confirm, .confirm): settleQuestion(true)
    case (.confirm, .cancel): settleQuestion(false)
    case (.message, _), (_, .cancel): dialog.close()
    default: return dialog.perform(action, viewHeight: screen.viewHeight)
    }
    return true
  }

  // MARK: Keys that wait

  /// Keeps a key for what has been asked for and is not here yet; false where it can be acted on.
  private mutating func keep(_ key: Key) -> Bool {
    guard dialog.isClosed, !typedAhead.isEmpty || mustWait else { return false }
    let action = options.keymap.action(for: key, in: .panes)
    if let action, action.isImmediate { return false }
    // These can be had at any time, but not before what was typed first.
    if typedAhead.isEmpty, action == .help || action == .palette { return false }
    if !typedAhead.keep(key, at: now) { tell("The daemon takes its time; that key came too soon.", .warning) }
    return true
  }

  /// Does what was kept, as far as what it waited for has come.
  mutating func releaseTyped() {
    let count = typedAhead.count
    while !mustWait, let key = typedAhead.takeFirst() { act(on: key) }
    if typedAhead.count != count || isAnswered && typedAhead.end == nil { typedAhead.waitOn(from: now) }
  }

  /// Gives up waiting for what has not come in time. Moves are made where one is. What opens, closes or chooses is not,
  /// as long as the daemon may still do what was asked of it: it would be done to another pane than it was meant for.
  mutating func releaseUnanswered() {
    typedAhead.stopWaiting()
    guard isAnswered else {
      while let key = typedAhead.first, isMove(key), !isEntering { actOnFirstTyped() }
      return
    }
    typedAhead.stopOpening()
    while !typedAhead.isEmpty, isAnswered { actOnFirstTyped() }
    typedAhead.waitOn(from: now)
  }

  private mutating func actOnFirstTyped() { if let key = typedAhead.takeFirst() { act(on: key) } }

  private func isMove(_ key: Key) -> Bool {
    let motion = options.keymap.action(for: key, in: .panes)?.motion
    return motion == .rows || motion == .lines
  }

  /// True where the daemon has answered all that keys wait for.
  private var isAnswered: Bool { !typedAhead.isUnanswered && !isEntering && !connection.isAsking(.sessions) }

  /// Nothing has been shown of a session yet.
  private var isEntering: Bool { connection.phase == .opening && snapshot.panes.isEmpty }

  /// True where keys have to wait for what was asked for before.
  private var mustWait: Bool {
    guard dialog.isClosed else { return false }
    if isEntering { return true }
    guard connection.isOpen else { return false }
    let isLoading = reader.focused.map { $0.rows.isEmpty && $0.status.isLoading } ?? false
    return typedAhead.opening != .none || isLoading || connection.isAsking(.sessions) || reader.isOnTheWay
  }

  // MARK: The mouse

  /// Lines for a step of the wheel.
  private static let wheelLines = 3

  private mutating func happened(_ event: Mouse) {
    guard dialog.isClosed else {
      if case .press = event.action, case .message = dialog.overlay { dialog.close() }
      return
    }
    switch event.action {
    case .wheelUp, .wheelDown:
      guard let id = seenPanes.pane(at: event.column), let pane = reader.pane(id) else { return }
      reader.scroll(by: event.action == .wheelUp ? -App.wheelLines : App.wheelLines, in: pane)
    case .press: press(line: event.line, column: event.column)
    case .drag: mouse.move(to: event.column)
    case .release: if let end = mouse.release(at: event.column) { slide(.drag(end)) }
    }
  }

  private mutating func press(line: Int, column: Int) {
    guard let id = seenPanes.pane(at: column), let pane = reader.pane(id) else {
      if let section = NavigationPlaces.section(at: line, of: snapshot.navigation, lines: screen.lines) {
        open(section)
      }
      return
    }
    // A drag is told by the pane at the position's whole part (behaviour.md, rule 10).
    mouse.press(snapshot.paneFrames[min(Int(snapshot.position / 2), snapshot.paneFrames.count - 1)], at: column)
    let isOther = reader.focusID != id
    // Choosing a covered pane does nothing inside it (rule 12).
    guard seenPanes.isWhole(id) else { return focus(andReveal: id) }
    reader.focusID = id
    let window = reader.window(of: pane)
    let own = window.seen.lowerBound + line - ScreenState.titleLines
    guard line >= ScreenState.titleLines, line < screen.lines - ScreenState.statusLines, own < window.scroll.height,
      let index = window.scroll.index(at: own)
    else { return }
    let row = pane.rows[index].rowID
    if reader.selectedRow(of: id) == row, !isOther { openRow() } else { reader.select(row, in: id, &connection) }
  }

  // MARK: Lines

  /// Takes a line that was asked for.
  mutating func enterLine(_ text: String) {
    guard let (line, words) = dialog.entered(text) else { return }
    if line == .limit { return limit(to: words) }
    guard !words.isEmpty else { return }
    switch line {
    case .search: search(words)
    case .author: push(.author(AuthorReference.completed(words)))
    case .tag: push(.search(LineWords.topic(words)))
    case .date: goToDate(words)
    case .pipe: pipe(to: words)
    case .limit: break
    }
  }

  /// In a pane to the right; where the root is a search for nothing yet, there.
  private mutating func search(_ words: String) {
    if let root = snapshot.panes.first, snapshot.panes.count == 1, root.header.kind == .search,
      root.header.query.isEmpty
    {
      open(.search, query: words)
    } else {
      push(.search(words))
    }
  }

  private mutating func goToDate(_ words: String) {
    let offset = options.clock.localOffset
    guard
      case .instant(let milliseconds) = SinceBound(
        words, now: now + options.clock.wallOffset, localOffset: { _ in offset })
    else {
      return tell("'\(words)' is no time: try 2024-03-03, 2024-03-03T12:30, 3d or 2h.", .warning)
    }
    // A day means all of it: in a list with the newest first its last post stands at the top.
    let isDay = words.utf8.count == 10 && !words.contains("T")
    reader.go(
      toInstant: isDay && reader.focused?.isNewestFirst == true ? milliseconds + 86_399_999 : milliseconds)
  }

  private mutating func pipe(to words: String) {
    guard let row = reader.currentRow else { return }
    connection.want(.pipe(LineWords.split(words), RowRecord.line(row)))
  }

  // MARK: The command line

  /// Does what a line of the palette asks for.
  mutating func enterCommand(_ palette: Palette) {
    guard let command = dialog.entered(palette) else { return }
    // What the last one was told is not about this one.
    screen.status.message = ""
    switch command {
    case .action(let action): perform(action)
    case .verb(let action, let words): perform(action, words.map(LineWords.trimmed))
    }
  }

  /// Does what an action means with words behind it, as many as it needs; false where it takes none. A line each.
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
    case .session: enter(session: first)
    case .renameSession: renameSession(first, last)
    case .deleteSession:
      dialog.ask(.deleteSession(first), Confirmation(question: "Forget the session \(first)?", verb: "forget"))
    case .date: goToDate(first)
    case .theme: choose(theme: first)
    case .width: setWidth(first)
    case .importFile: connection.want(.importFile(first))
    case .deleteList:
      dialog.ask(.deleteList(first), Confirmation(question: "Delete the list \(first)?", verb: "delete"))
    default: return changePeople(action, first, last)
    }
    return true
  }

  /// Follows, mutes and lists: calls whose answer is told in a sentence.
  private mutating func changePeople(_ action: Action, _ first: String, _ last: String) -> Bool {
    switch action {
    case .follow: change(Method.follow, "You follow \(first).", author: first)
    case .unfollow: change(Method.unfollow, "You no longer follow \(first).", author: first)
    case .mute: change(Method.mute, "\(first) is muted.", author: first)
    case .unmute: change(Method.unmute, "\(first) is no longer muted.", author: first)
    case .block: change(Method.block, "\(first) is blocked.", author: first)
    case .unblock: change(Method.unblock, "\(first) is no longer blocked.", author: first)
    case .muteWord: change(Method.muteWord, "Posts with \(first) are hidden.", MutedWordRequest(word: first))
    case .unmuteWord: change(Method.unmuteWord, "Posts with \(first) are shown.", MutedWordRequest(word: first))
    case .makeList: change(Method.createList, "There is a list \(first).", CreateListRequest(name: first))
    case .renameList:
      change(Method.renameList, "It is called \(last) now.", RenameListRequest(list: first, name: last))
    case .addToList: change(Method.addToList, "\(last) is in \(first).", member(last, of: first))
    case .removeFromList: change(Method.removeFromList, "\(last) is no longer in \(first).", member(last, of: first))
    default: return false
    }
    return true
  }

  private mutating func change(_ method: String, _ sentence: String, _ request: some WireMessage) {
    connection.call(.say(sentence), method, request)
  }

  private mutating func change(_ method: String, _ sentence: String, author: String) {
    change(method, sentence, AuthorRequest(author: AuthorReference.completed(author)))
  }

  private func member(_ author: String, of list: String) -> ListMemberRequest {
    ListMemberRequest(list: list, author: AuthorReference.completed(author))
  }

  private mutating func openDirect(_ words: String) {
    guard let number = UInt64(words) else { return tell("A direct conversation has a number.", .warning) }
    push(.direct(number))
  }

  private mutating func renameSession(_ old: String, _ new: String) {
    var request = RenameSessionRequest(name: new)
    request.command.session = old
    request.command.requestID = connection.requestID()
    // The views of a session stay with it; only commands have to know its new name.
    let isThis = old == (connection.session.isEmpty ? "main" : connection.session)
    connection.call(
      isThis ? .renamedSession(new) : .say("It is called \(new) now."), Method.renameSession, request)
  }

  private mutating func setWidth(_ words: String) {
    guard let width = Int(words), 0...10_000 ~= width else {
      return tell("A width is a number of cells, 0 to 10000.", .warning)
    }
    resizePane(reader.focusID, to: width)
  }

  private mutating func choose(theme name: String) {
    guard let theme = options.themes.first(where: { $0.name == name }) else {
      return tell("There is no theme '\(name)': \(options.themes.map(\.name).joined(separator: ", ")).", .warning)
    }
    use(theme)
    tell("This is \(theme.name).")
  }
}

internal import ClientCore
internal import Dates
internal import Messages
public import Terminal
public import ViewState

/// The full-screen program as a value: events go in, effects come out, and a picture of the screen can be made at any
/// time.
///
/// Events are dispatched to its parts: the positions in the panes, overlays, writing, marks, and requests to the
/// daemon. It reads no clock; times are milliseconds of any clock that runs evenly.
public struct App {
  /// The time a notice stays in the status line.
  public static let messageTime: Int64 = 5_000
  /// The time keys wait for what they are meant for.
  public static let holdTime = TypedAhead.patience
  /// The time within which a second Ctrl-C must follow the first.
  private static let interruptDuration: Int64 = 2_000

  let options: AppOptions
  var reader: PaneReader
  var connection: Connection
  var dialog = Dialog()
  var composer = Composer()
  var marks = WantedMarks()
  var typedAhead = TypedAhead()
  var stack = StackUse()
  var mouse: MouseUse
  private var notifier: Notifier
  private var sources = SourceTrouble()
  /// Everything else that a picture shows.
  var screen: ScreenState
  /// The time of the last event.
  private(set) var now: Int64 = 0
  /// True if a new picture would differ from the last.
  public private(set) var isDirty = true
  private var theme: Theme
  private var messageEnd: Int64?
  private var interruptEnd: Int64?

  /// A screen of the given size that shows nothing yet. Begin with ``start(at:)``.
  public init(_ options: AppOptions, columns: Int, lines: Int) {
    self.options = options
    theme = options.theme
    mouse = MouseUse(isOn: options.toggles.hasMouse)
    notifier = Notifier(options.notify)
    stack.preview.isOn = options.toggles.hasPreview
    connection = Connection(session: options.session, requestPrefix: options.program.requestPrefix)
    screen = ScreenState(columns: max(1, columns), lines: max(1, lines))
    reader = PaneReader(viewHeight: screen.viewHeight)
    screen.keymap = options.keymap
    screen.clock.localOffset = options.clock.localOffset
    screen.clock.locale = Locale.lookup(options.layout.locale).locale
    if !options.complaints.isEmpty {
      dialog.show(.message(Message(title: "Configuration errors", lines: options.complaints)))
    }
  }

  /// Returns the first effects.
  public mutating func start(at now: Int64) -> [AppEffect] {
    self.now = now
    return [.connect(after: 0)]
  }

  /// Handles an event and returns the effects it leads to.
  public mutating func handle(_ event: AppEvent, at now: Int64) -> [AppEffect] {
    self.now = now
    switch event {
    case .painted: connection.acknowledge()
    case .connected:
      attach()
      sources.restart()
      connection.want(.watchSources)
    case .disconnected(let reason): disconnected(reason)
    case .frame(let frame): show(frame)
    case .invalidFrame(let reason): connection.want(.quit(failure: .invalidResponse(reason)))
    case .viewEnded(let end): viewEnded(end)
    case .sources(let news):
      let before = (sources.words, sources.progress)
      sources.update(news, at: now)
      isDirty = isDirty || (sources.words, sources.progress) != before
    case .answered(let number, let result): answered(number, result)
    case .input(let event): handleInput(event)
    case .resized(let columns, let lines): resize(columns: columns, lines: lines)
    case .tick: tick()
    case .edited(let result): edited(result)
    case .uploaded(let number, let result):
      if connection.answered(number) != nil { composer.uploaded(number, result, &dialog, &connection) }
    case .notice(let text, let isWarning): showNotice(text, isWarning ? .warning : .plain)
    case .notStarted(let reason): showHelperFailure(reason)
    case .files(let folder, let names): dialog.completions.list(names, in: folder)
    }
    switch event {
    case .painted, .sources: break
    default: isDirty = true
    }
    if case .frame = event { notifier.update(snapshot.navigation, at: now) }
    reader.settleMark()
    if isDirty { choosePreview() }
    dialog.complete(reader, sources, themes: options.themes.map(\.name), &connection)
    composer.completeNames(&dialog)
    composer.count(dialog.editor, &connection)
    composer.save(dialog.editor, at: now, &connection)
    reader.sendViewports(&connection)
    return connection.takeEffects()
  }

  /// The time of the next ``AppEvent/tick``; nil for none.
  public var nextTick: Int64? {
    [
      screen.animation == nil ? nil : now + Animation.interval, messageEnd, interruptEnd, typedAhead.end,
      composer.saveDue(dialog.editor, at: now, connection), notifier.due, sources.due,
      mayPreview ? stack.preview.due : nil,
    ].compactMap(\.self).min()
  }

  // MARK: Output

  /// The mirror of the view, without its preview.
  public var snapshot: ViewSnapshot { reader.mirror }

  /// Returns the feed with this ID, address or title among those that the account follows; nil for none.
  func feed(_ words: String) throws(ClientFailure) -> SourceSummary? {
    try FeedReference.find(words, in: sources.feeds)
  }

  /// True if mouse events are reported to the program.
  public var hasMouse: Bool { mouse.isOn }

  /// The state that pictures are made from.
  public var state: ScreenState {
    var state = screen
    state.overlay = dialog.overlay
    state.anchors = reader.anchors
    state.focused = FocusedPane(paneID: reader.focusID, rowID: reader.cursorRow(of: reader.focusID))
    state.focused.find = reader.find
    state.status.marks = (reader.following.contains(reader.focusID) ? ["follow"] : []) + (mouse.isOn ? ["mouse"] : [])
    let isLive = state.status.connection == .live
    (state.status.sources, state.status.progress) = isLive ? (sources.words, sources.progress) : ("", "")
    state.status.session = connection.session == "main" ? "" : connection.session
    state.status.hints = dialog.isClosed ? StatusHints.hints(options.keymap) : []
    return state
  }

  /// Returns a picture of the screen.
  public mutating func picture(at now: Int64) -> Picture {
    isDirty = false
    screen.clock.milliseconds = now
    return ScreenPainter(theme: theme, glyphs: options.glyphs).picture(of: reader.held, state)
  }

  /// Returns the lines to print since the last call, instead of a picture.
  public mutating func lines(_ printer: inout LinearPrinter) -> [UInt8] {
    isDirty = false
    return printer.bytes(for: snapshot, state)
  }

  /// Switches to another theme.
  mutating func applyTheme(_ theme: Theme) { self.theme = theme }

  // MARK: Time

  private mutating func tick() {
    if let animation = screen.animation, animation.isOver(at: now) { screen.animation = nil }
    if let end = messageEnd, now >= end { clearNotice() }
    if let end = interruptEnd, now >= end { interruptEnd = nil }
    sources.tick(at: now)
    if let end = typedAhead.end, now >= end { releaseUnanswered() }
    let news = notifier.takeDue(
      at: now, minute: TimeOfDay.minute(now + options.clock.wallOffset, offset: options.clock.localOffset))
    if !news.isEmpty { connection.want(.notify(Notifier.sentence(news))) }
  }

  /// Shows a notice in the status line for ``messageTime``, or until the next key.
  mutating func showNotice(_ text: String, _ weight: StatusLine.Weight = .plain) {
    screen.status.show(text, weight)
    messageEnd = now + App.messageTime
  }

  /// Ends the notice.
  mutating func clearNotice() {
    messageEnd = nil
    screen.status.message = ""
  }

  /// Shows a notice, if there is one.
  mutating func showNotice(_ notice: StatusNotice?) { if let notice { showNotice(notice.text, notice.weight) } }

  /// Returns the name of the first key of an action of the panes; nil for none.
  func firstKey(of action: Action) -> String? { options.keymap.keys(for: action, in: .panes).first }

  /// Shows the message of a failed call: in the box of the line that made it, or in the status line.
  mutating func showFailure(_ end: CallEnd, of call: UInt64) {
    let reason = end.message.isEmpty ? "The daemon refused the request." : LineWords.sentence(end.message)
    if !dialog.refused(by: .call(call), reason) { showNotice(reason, .warning) }
  }

  /// Shows why a program could not be started for a line: in the line's box, or in the status line.
  mutating func showHelperFailure(_ reason: String) {
    if !dialog.refused(by: .program, reason) { showNotice(reason, .warning) }
  }

  // MARK: The end

  /// Closes the overlay. Without one, asks for a second Ctrl-C, and quits on it.
  mutating func interrupt() {
    if !dialog.isClosed {
      if dialog.editor != nil { leavePost() }
      return dialog.close()
    }
    if interruptEnd != nil { return quit() }
    interruptEnd = now + App.interruptDuration
    showNotice("Press Ctrl-C again to quit.")
  }

  /// Forgets the first Ctrl-C.
  mutating func forgetInterrupt() { interruptEnd = nil }

  /// Quits the program.
  mutating func quit() {
    if connection.phase != .detached { connection.want(.send(.bye)) }
    connection.want(.quit(failure: nil))
  }

  // MARK: Size

  private mutating func resize(columns: Int, lines: Int) {
    screen.columns = max(1, columns)
    screen.lines = max(1, lines)
    reader.viewHeight = screen.viewHeight
    dialog.updateEditor { [width = screen.panelWidth] in $0.width = width }
    dialog.resize(columns: screen.columns)
    screen.animation = nil
    connection.want(.repaint)
    sendLayout()
  }

  /// The layout of rows on this screen.
  var layout: LayoutParameters {
    var layout = options.layout
    layout.width = min(max(1, screen.columns), 10_000)
    layout.height = min(max(1, screen.viewHeight), 10_000)
    layout.clockSize = ScreenState.clockSize
    layout.hasDayLines = true
    return layout
  }

  /// Sends the size of the screen to the daemon.
  mutating func sendLayout() {
    connection.sendLayout(layout, columns: screen.columns, lines: screen.lines, showing: snapshot)
  }

  // MARK: The mouse

  /// Lines scrolled by one step of the wheel.
  private static let wheelLines = 3

  mutating func handleMouse(_ event: Mouse) {
    guard dialog.isClosed else {
      if case .press = event.action, case .message = dialog.overlay { dialog.close() }
      return
    }
    switch event.action {
    case .wheelUp, .wheelDown:
      let id = seenPanes.pane(at: event.column) ?? preview(at: event.column)
      guard let id, let pane = reader.pane(id) else { return }
      reader.scroll(by: event.action == .wheelUp ? -App.wheelLines : App.wheelLines, in: pane)
    case .press: press(line: event.line, column: event.column)
    case .drag: mouse.move(to: event.column)
    case .release: if let end = mouse.release(at: event.column) { slide(.drag(end)) }
    }
  }

  private mutating func press(line: Int, column: Int) {
    guard let id = seenPanes.pane(at: column), let pane = reader.pane(id) else {
      if preview(at: column) != nil { return openPreview() }
      guard column < snapshot.navigation.width else { return }
      if let section = NavigationPlaces.section(at: line, of: snapshot.navigation, lines: screen.lines) {
        open(section)
      }
      return
    }
    // A drag is measured by the pane at the whole part of the position (docs/BEHAVIOUR.md, rule 10).
    mouse.press(snapshot.paneFrames[min(Int(snapshot.position / 2), snapshot.paneFrames.count - 1)], at: column)
    let isOther = reader.focusID != id
    // Choosing a covered pane does nothing inside it (docs/BEHAVIOUR.md, rule 12).
    focus(andReveal: id)
    guard seenPanes.isWhole(id) else { return }
    let window = reader.window(of: pane)
    let top = ScreenState.titleLines + reader.viewHeight - reader.height(of: pane)
    let own = window.seen.lowerBound + line - top
    guard line >= top, line < screen.lines - ScreenState.statusLines, own < window.scroll.height,
      let index = window.scroll.index(at: own)
    else { return }
    let row = pane.rows[index].rowID
    if reader.selectedRow(of: id) == row, !isOther { openRow() } else { reader.select(row, in: id, &connection) }
  }

  /// Returns the preview if it lies in a column.
  private func preview(at column: Int) -> UInt64? {
    guard let id = reader.preview?.header.paneID, let frame = reader.held.paneFrames.last, frame.paneID == id else {
      return nil
    }
    return frame.x..<frame.x + frame.width ~= column ? id : nil
  }

  /// Opens what the preview shows.
  private mutating func openPreview() {
    guard let top = snapshot.panes.last?.header.paneID else { return }
    if reader.focusID != top { focus(andReveal: top) }
    openThread()
  }
}

internal import Messages
public import Terminal
public import ViewState

/// The program that runs full screen, as a value: what happens goes in, what is to be done comes out, and a picture can
/// be had of it.
///
/// It hands what happens to the values that it is made of: where the person is in the panes, what lies over them, what
/// is written, marked and asked of the daemon. It reads no clock; times are milliseconds on any clock that runs evenly.
public struct App {
  /// The time for which a message stays in the last line.
  public static let messageTime: Int64 = 5_000
  /// The time for which keys wait for what they are meant for.
  public static let holdTime = TypedAhead.patience
  /// The time within which the second Ctrl-C must follow the first.
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
  /// The rest of what a picture shows.
  var screen: ScreenState
  /// The present, as the last event said.
  private(set) var now: Int64 = 0
  /// A picture would be another one than the last.
  public private(set) var isDirty = true
  private var theme: Theme
  private var messageEnd: Int64?
  private var interruptEnd: Int64?

  /// A screen of so many cells on which nothing is shown yet. Begin with ``start(at:)``.
  public init(_ options: AppOptions, columns: Int, lines: Int) {
    self.options = options
    theme = options.theme
    mouse = MouseUse(isOn: options.hasMouse)
    connection = Connection(session: options.session, requestPrefix: options.requestPrefix)
    screen = ScreenState(columns: max(1, columns), lines: max(1, lines))
    reader = PaneReader(viewHeight: screen.viewHeight)
    screen.keymap = options.keymap
    screen.clock.localOffset = options.clock.localOffset
    if !options.complaints.isEmpty { dialog.show(.message(Message(title: "Settings", lines: options.complaints))) }
  }

  /// The first effects.
  public mutating func start(at now: Int64) -> [AppEffect] {
    self.now = now
    return [.connect(after: 0)]
  }

  /// Takes what happened, and says what is to be done.
  public mutating func handle(_ event: AppEvent, at now: Int64) -> [AppEffect] {
    self.now = now
    switch event {
    case .painted: connection.acknowledge()
    case .connected: attach()
    case .disconnected(let reason): disconnected(reason)
    case .frame(let frame): show(frame)
    case .viewEnded(let end): viewEnded(end)
    case .answered(let number, let result): answered(number, result)
    case .input(let event): happened(event)
    case .resized(let columns, let lines): resize(columns: columns, lines: lines)
    case .tick: tick()
    case .edited(let result): edited(result)
    case .notice(let text, let isWarning): tell(text, isWarning ? .warning : .plain)
    }
    if case .painted = event {} else { isDirty = true }
    composer.count(dialog.editor, &connection)
    composer.save(dialog.editor, at: now, &connection)
    reader.sendViewports(&connection)
    return connection.takeEffects()
  }

  /// When to be told ``AppEvent/tick``; nil for never.
  public var nextTick: Int64? {
    [
      screen.animation == nil ? nil : now + Animation.interval, messageEnd, interruptEnd, typedAhead.end,
      composer.saveDue(dialog.editor, at: now, connection),
    ].compactMap(\.self).min()
  }

  // MARK: What is shown

  /// The view's mirror.
  public var snapshot: ViewSnapshot { reader.mirror }

  /// The mouse is told to us.
  public var hasMouse: Bool { mouse.isOn }

  /// The description of the screen that pictures are made from.
  public var state: ScreenState {
    var state = screen
    state.overlay = dialog.overlay
    state.anchors = reader.anchors
    state.focused = FocusedPane(paneID: reader.focusID, rowID: reader.selectedRow(of: reader.focusID))
    state.status.marks = (reader.following.contains(reader.focusID) ? ["follow"] : []) + (mouse.isOn ? ["mouse"] : [])
    state.status.session = connection.session == "main" ? "" : connection.session
    state.status.hints = StatusHints.hints(options.keymap, in: dialog.context)
    return state
  }

  /// The picture for the screen.
  public mutating func picture(at now: Int64) -> Picture {
    isDirty = false
    screen.clock.milliseconds = now
    return ScreenPainter(theme: theme, glyphs: options.glyphs).picture(of: snapshot, state)
  }

  /// The lines to say since the last time, instead of a picture.
  public mutating func lines(_ printer: inout LinearPrinter) -> [UInt8] {
    isDirty = false
    return printer.bytes(for: snapshot, state)
  }

  /// Looks otherwise from now on.
  mutating func use(_ theme: Theme) { self.theme = theme }

  // MARK: Time

  private mutating func tick() {
    if let animation = screen.animation, animation.isOver(at: now) { screen.animation = nil }
    if let end = messageEnd, now >= end {
      messageEnd = nil
      screen.status.message = ""
    }
    if let end = interruptEnd, now >= end { interruptEnd = nil }
    if let end = typedAhead.end, now >= end { releaseUnanswered() }
  }

  /// Says something in the last line, for a while.
  mutating func tell(_ text: String, _ weight: StatusLine.Weight = .plain) {
    screen.status.message = text
    screen.status.weight = weight
    messageEnd = now + App.messageTime
  }

  /// Says what a value has to tell, if anything.
  mutating func tell(_ notice: StatusNotice?) { if let notice { tell(notice.text, notice.weight) } }

  /// Says what the daemon said of a failure.
  mutating func complain(_ end: CallEnd) {
    tell(end.message.isEmpty ? "The daemon refused that." : LineWords.sentence(end.message), .warning)
  }

  // MARK: The end

  /// Leaves what lies over the panes, or, the second time, the program.
  mutating func interrupt() {
    if !dialog.isClosed {
      if dialog.editor != nil { leavePost() }
      return dialog.close()
    }
    if interruptEnd != nil { return quit() }
    interruptEnd = now + App.interruptDuration
    tell("Once more leaves.")
  }

  /// Something else than leaving was meant.
  mutating func forgetInterrupt() { interruptEnd = nil }

  /// Leaves the program.
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
    screen.animation = nil
    connection.want(.repaint)
    sendLayout()
  }

  /// The layout of rows for this screen.
  var layout: LayoutParameters {
    var layout = options.layout
    layout.width = min(max(1, screen.columns), 10_000)
    layout.height = min(max(1, screen.viewHeight), 10_000)
    layout.clockSize = ScreenState.clockSize
    layout.hasDayLines = true
    return layout
  }

  /// Tells the daemon the size.
  mutating func sendLayout() {
    connection.tell(layout, columns: screen.columns, lines: screen.lines, showing: snapshot)
  }
}

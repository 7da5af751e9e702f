internal import Messages
public import Terminal
public import ViewState

/// The program that runs full screen, as a value: what happens goes in, what is to be done comes out, and a picture can
/// be had of it.
///
/// It holds the view's mirror and where the person is in it, ahead of the daemon: a key is answered with what is held,
/// at once, and told to the daemon, whose frames then bring what is missing. It reads no clock; times are milliseconds
/// on any clock that runs evenly.
public struct App {
  /// How long something told stays in the last line.
  public static let messageTime: Int64 = 5_000
  /// How soon the second Ctrl-C must follow the first.
  static let interruptDuration: Int64 = 2_000
  /// How long keys wait for what they are meant for, unless the daemon has still to answer: then only moves are made
  /// meanwhile.
  public static let holdTime: Int64 = 300
  /// The first pause before trying again, and the longest.
  static let backoff: ClosedRange<Int64> = 50...5_000

  let options: AppOptions
  var painter: ScreenPainter
  /// What the view holds.
  public internal(set) var snapshot = ViewSnapshot()
  /// Where the person is in it.
  public internal(set) var state: ScreenState
  /// The present, as the last event said.
  var now: Int64 = 0
  /// A picture would be another one than the last.
  public internal(set) var isDirty = true

  // The view.
  var session: String
  var viewID: UInt64 = 0
  /// A view is open, or being opened.
  var isAttached = false
  /// The mirror does not fit the daemon's frames, and is good for looking at only.
  var isParted = false
  var lastFrame: UInt64 = 0
  var acknowledged: UInt64 = 0
  var layoutGeneration: UInt32 = 1
  /// The size that the daemon was last told.
  var toldSize = (columns: 0, lines: 0)
  var viewports = ViewportSender()
  var pause = App.backoff.lowerBound
  var offlineSince: Int64?

  // The person.
  /// Rows selected that the daemon has not confirmed, by pane.
  var selected: [UInt64: UInt64] = [:]
  /// Revisions from which the daemon's word counts for a pane's selection again.
  var confirmed: [UInt64: UInt64] = [:]
  var selecting: UInt64?
  var wantsSelect: UInt64?
  /// Panes that show what is newest.
  var following: Set<UInt64> = []
  /// What to do when a jump has been answered.
  var jumps: [UInt64: Jump] = [:]
  /// Rows that somebody wants to go on by when more of them have come.
  var owed: (pane: UInt64, steps: Int)?
  /// Lines that somebody wants to scroll on by, likewise.
  var owedLines: (pane: UInt64, lines: Int)?
  /// The command that changes which pane is the topmost, which then gets the keys; nil where none is under way.
  var opening: Opening?
  /// Keys for what is on its way, in the order in which they were typed, and until when they wait; nil where they wait
  /// for an answer.
  var held: [Key] = []
  var holdEnd: Int64?
  /// The width that a zoomed pane had.
  var zoomed: (pane: UInt64, width: Int)?
  /// The mouse is told to us.
  public internal(set) var hasMouse: Bool
  var drag: Drag?
  var messageEnd: Int64?
  var interruptEnd: Int64?

  // What lies over the panes, and what it is about.
  var confirming: Confirming?
  var prompting: Prompting?
  var choices: [Choice] = []
  var paletteHistory: [String] = []
  var draft: Draft?
  /// Texts that were left, until one writes there again.
  var kept: [Draft.Subject: Kept] = [:]
  /// Drafts that are to be thrown away when their number is known.
  var thrownAway: Set<String> = []
  /// The text that the daemon counts, or could not count: another one is counted when it has answered.
  var counting: (text: String, isUnderWay: Bool)?
  /// What was last wanted of posts, until a frame shows it.
  var marks: [Marked: WantedMark] = [:]
  var wantsDetail = false
  var isDetailUnderWay = false

  // Calls.
  var calls: [UInt64: Purpose] = [:]
  var lastCall: UInt64 = 0
  var lastRequest: UInt64 = 0
  var effects: [AppEffect] = []

  /// A screen of so many cells on which nothing is shown yet. Begin with ``start(at:)``.
  public init(_ options: AppOptions, columns: Int, lines: Int) {
    self.options = options
    session = options.session
    hasMouse = options.hasMouse
    painter = ScreenPainter(theme: options.theme, glyphs: options.glyphs)
    state = ScreenState(columns: max(1, columns), lines: max(1, lines))
    state.keymap = options.keymap
    state.localOffset = options.localOffset
    if !options.complaints.isEmpty { state.overlay = .message(Message(title: "Settings", lines: options.complaints)) }
    updateStatus()
  }

  /// What to do first.
  public mutating func start(at now: Int64) -> [AppEffect] {
    self.now = now
    return [.connect(after: 0)]
  }

  /// Takes what happened, and says what is to be done.
  public mutating func handle(_ event: AppEvent, at now: Int64) -> [AppEffect] {
    self.now = now
    effects = []
    switch event {
    case .painted: acknowledge()
    case .connected: attach()
    case .disconnected(let reason): disconnected(reason)
    case .frame(let frame): take(frame)
    case .viewEnded(let end): viewEnded(end)
    case .answered(let number, let result): answered(number, result)
    case .input(let event): take(event)
    case .resized(let columns, let lines): resize(columns: columns, lines: lines)
    case .tick: tick()
    case .edited(let result): edited(result)
    case .notice(let text, let isWarning): tell(text, isWarning ? .warning : .plain)
    }
    if case .painted = event {} else { isDirty = true }
    countText()
    keepDraft()
    sendViewports()
    updateStatus()
    defer { effects = [] }
    return effects
  }

  /// When to be told ``AppEvent/tick``; nil for never.
  public var nextTick: Int64? {
    [state.animation == nil ? nil : now + Animation.interval, messageEnd, interruptEnd, holdEnd, draftDue].compactMap(
      \.self
    ).min()
  }

  /// What the screen should show.
  public mutating func picture(at now: Int64) -> Picture {
    isDirty = false
    state.milliseconds = now
    return painter.picture(of: snapshot, state)
  }

  // MARK: Time

  private mutating func tick() {
    if let animation = state.animation, animation.isOver(at: now) { state.animation = nil }
    if let end = messageEnd, now >= end {
      messageEnd = nil
      state.status.message = ""
    }
    if let end = interruptEnd, now >= end { interruptEnd = nil }
    if let end = holdEnd, now >= end { holdEnded() }
  }

  /// Says something in the last line, for a while.
  mutating func tell(_ text: String, _ weight: StatusLine.Weight = .plain) {
    state.status.message = text
    state.status.weight = weight
    messageEnd = now + App.messageTime
  }

  mutating func updateStatus() {
    state.focused.rowID = selectedRow(of: state.focused.paneID)
    state.status.marks = (following.contains(state.focused.paneID) ? ["follow"] : []) + (hasMouse ? ["mouse"] : [])
    state.status.session = session == "main" ? "" : session
    let context = state.overlay?.context ?? .panes
    state.status.hints = App.hinted(in: context).compactMap { action, words in
      options.keymap.keys(for: action, in: context).first.map { ($0, words) }
    }
  }

  /// The keys worth telling in the last line.
  private static func hinted(in context: KeyContext) -> [(Action, String)] {
    switch context {
    case .panes:
      [
        (.help, "keys"), (.open, "open"), (.close, "close"), (.compose, "write"), (.reply, "reply"),
        (.search, "search"), (.palette, "more"),
      ]
    case .compose: [(.send, "send"), (.toEditor, "editor"), (.cancel, "leave")]
    case .palette, .prompt, .menu: [(.choose, "do it"), (.cancel, "leave")]
    case .confirm: [(.confirm, "yes"), (.cancel, "no")]
    case .help, .message: [(.cancel, "leave")]
    }
  }

  // MARK: Size

  private mutating func resize(columns: Int, lines: Int) {
    state.columns = max(1, columns)
    state.lines = max(1, lines)
    if case .compose(var editor) = state.overlay {
      editor.width = state.panelWidth
      state.overlay = .compose(editor)
    }
    state.animation = nil
    effects.append(.repaint)
    sendLayout()
  }

  /// How rows are to be laid out on this screen.
  var layout: LayoutParameters {
    var layout = options.layout
    layout.width = min(max(1, state.columns), 10_000)
    layout.height = min(max(1, state.viewHeight), 10_000)
    layout.clockSize = ScreenState.clockSize
    layout.hasDayLines = true
    return layout
  }

  /// Tells the daemon the size, one at a time: of a storm of them the first and the last.
  mutating func sendLayout() {
    let size = (state.columns, state.lines)
    guard isAttached, viewID != 0, toldSize != size, snapshot.layoutGeneration == layoutGeneration else { return }
    toldSize = size
    layoutGeneration += 1
    effects.append(.send(.layout(layout)))
  }
}

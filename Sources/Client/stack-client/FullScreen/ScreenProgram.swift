internal import ClientCore
internal import FullScreen
internal import Terminal
internal import UV

/// The whole screen as a program: one loop, on which the terminal, the daemon and signals are events for an ``App``,
/// and what it wants is done. Nothing here waits but for them all.
final class ScreenProgram {
  let context: ClientContext
  let driver: TerminalDriver
  private var settings: ScreenSettings
  var app: App
  private var connection: ViewConnection?
  private var tick: UV.Timer?
  private var signals: [UV.Signal] = []
  var stopSignal: UV.Signal?
  private var typed: [InputEvent] = []
  private var printer: LinearPrinter
  private var isOver = false
  /// Somebody sent what Ctrl-C sends elsewhere.
  private var isInterrupted = false
  private var failure: String?
  var editor: ForegroundProcess?
  /// Programs that were started and are asked how they end.
  var helpers: [DetachedProcess] = []

  /// Shows the screen until somebody leaves it.
  static func run(_ context: ClientContext, _ screen: ScreenOptions) throws(ClientFailure) {
    guard context.console.isTerminal, Descriptor.standardInput.isTerminal else {
      throw ClientFailure(.usage, "a screen needs a terminal", hint: "`stack-client timeline` prints posts anywhere")
    }
    guard UV.Process.environment("TERM") != "dumb" || screen.linear else {
      throw ClientFailure(
        .usage, "this terminal (TERM=dumb) cannot place text", hint: "--linear says everything in lines")
    }
    let settings = try ScreenSettings(context, screen)
    for complaint in settings.options.complaints { context.console.notice(complaint) }
    // Whoever finds no daemon starts one, and says so before the screen begins.
    try context.connect().close()
    let program = try ScreenProgram(context, settings)
    defer { program.close() }
    try program.run()
  }

  /// Whether the terminal is more than a line printer, as far as it says.
  static var canPlaceText: Bool { !["", "dumb"].contains(UV.Process.environment("TERM") ?? "") }

  private init(_ context: ClientContext, _ settings: ScreenSettings) throws(ClientFailure) {
    self.context = context
    self.settings = settings
    printer = settings.printer
    do throws(UVError) {
      driver = try TerminalDriver(loop: context.loop, settings.traits, settings.terminalModes)
    } catch {
      throw ClientFailure(.failure, "the terminal cannot be used: \(error)")
    }
    let size = driver.size
    app = App(settings.options, columns: size.columns, lines: size.lines)
  }

  private func run() throws(ClientFailure) {
    do {
      try UV.Process.restoreTerminalOnCrash(writing: settings.terminalModes.leave)
      try listen()
      try driver.turnOn(mouse: settings.options.hasMouse)
      driver.onLost = { [weak self] in self?.isOver = true }
      if !settings.isLinear { try probe() }
      connection = try ViewConnection(loop: context.loop, address: context.address) { [weak self] in self?.receive($0) }
      tick = try UV.Timer(loop: context.loop) { [weak self] in self?.receive(.tick) }
    } catch {
      throw ClientFailure(.failure, "the terminal cannot be used: \(error)")
    }
    begin()
    while !isOver { context.loop.run(.once) }
    try end()
  }

  private func end() throws(ClientFailure) {
    if let failure { throw ClientFailure(.failure, failure) }
    if isInterrupted { throw ClientFailure(.interrupted, "") }
  }

  private func close() {
    connection?.close()
    driver.close()
    for signal in signals { signal.close() }
    stopSignal?.close()
    tick?.close()
    for helper in helpers { helper.close() }
    editor?.close()
    context.loop.run(.withoutWaiting)
  }

  // MARK: Beginning

  /// Asks the terminal what it can do, for as long as that takes or as patience lasts.
  private func probe() throws(UVError) {
    var probes = Probes()
    var isLate = false
    let timer = try UV.Timer(loop: context.loop) { isLate = true }
    defer { timer.close() }
    driver.onInput = { [weak self] events in self?.typed += events.compactMap { probes.take($0) } }
    driver.order(Probes.questions)
    timer.arm(after: .milliseconds(Probes.patienceMilliseconds))
    while !probes.isComplete && !isLate && !isOver { context.loop.run(.once) }
    settings.take(probes)
    driver.set(settings.traits)
    let size = driver.size
    app = App(settings.options, columns: size.columns, lines: size.lines)
  }

  private func begin() {
    driver.makePicture = { [weak self] in self.map { $0.app.picture(at: Loop.monotonicMilliseconds) } }
    if settings.isLinear {
      driver.makeLines = { [weak self] in self.map { $0.app.lines(&$0.printer) } ?? [] }
    }
    driver.onPainted = { [weak self] in self?.receive(.painted) }
    driver.onInput = { [weak self] events in for event in events { self?.receive(.input(event)) } }
    perform(app.start(at: Loop.monotonicMilliseconds))
    for event in typed { receive(.input(event)) }
    typed = []
    driver.show()
  }

  private func listen() throws(UVError) {
    signals.append(try UV.Signal(loop: context.loop, .windowChange) { [weak self] in self?.resized() })
    for number in [UV.Signal.Number.terminate, .interrupt, .hangup] {
      signals.append(
        try UV.Signal(loop: context.loop, number) { [weak self] in
          // While an editor has the terminal, Ctrl-C is for it.
          if number == .interrupt, self?.editor != nil { return }
          self?.isInterrupted = number == .interrupt
          self?.isOver = true
          self?.context.loop.stop()
        })
    }
    signals.append(try UV.Signal(loop: context.loop, .proceed) { [weak self] in self?.proceeded() })
    stopSignal = try UV.Signal(loop: context.loop, .stop) { [weak self] in self?.suspend() }
  }

  // MARK: Events and effects

  /// Tells the app what happened, and does what it wants.
  func receive(_ event: AppEvent) {
    guard !isOver else { return }
    perform(app.handle(event, at: Loop.monotonicMilliseconds))
    if app.isDirty { driver.show() }
    if let next = app.nextTick {
      tick?.arm(after: .milliseconds(max(0, next - Loop.monotonicMilliseconds)))
    } else {
      tick?.disarm()
    }
  }

  private func perform(_ effects: [AppEffect]) {
    for effect in effects {
      switch effect {
      case .connect(let milliseconds): connection?.connect(after: .milliseconds(milliseconds))
      case .attach(let hello): connection?.attach(hello)
      case .send(let frame): connection?.send(frame)
      case .call(let number, let method, let request): connection?.call(number, method: method, request: request)
      case .edit(let text): edit(text)
      case .browse(let url): browse(url)
      case .pipe(let words, let bytes): pipe(bytes, to: words)
      case .copy(let text): if let bytes = Clipboard.sequence(for: text) { driver.order(bytes) }
      case .importFile(let words): importFiles(words)
      case .setMouse(let isOn): if !settings.isLinear { driver.order(TerminalModes.mouse(isOn)) }
      case .repaint:
        // In lines, what was said is said again.
        printer = settings.printer
        driver.repaint()
      case .suspend: suspend()
      case .quit(let words):
        failure = words
        isOver = true
      }
    }
  }

  // MARK: The terminal comes and goes

  private func resized() {
    guard driver.isOn else { return }
    let size = driver.size
    receive(.resized(columns: size.columns, lines: size.lines))
  }

  /// Takes the terminal again, and paints it anew in the size that it has now.
  func takeTerminal() {
    do throws(UVError) {
      try driver.turnOn(mouse: app.hasMouse)
    } catch {
      failure = "the terminal cannot be used: \(error)"
      isOver = true
    }
    resized()
  }

  /// Stops, as a shell's jobs do, and goes on where it was.
  func suspend() {
    let hadTerminal = driver.isOn
    driver.turnOff()
    // Nobody listens from here on, so that the signal does what it does by default.
    stopSignal?.close()
    UV.Process.suspend()
    stopSignal = try? UV.Signal(loop: context.loop, .stop) { [weak self] in self?.suspend() }
    if hadTerminal { takeTerminal() }
  }

  /// Somebody else stopped and continued this program: the shell has used the terminal meanwhile.
  private func proceeded() {
    guard driver.isOn else { return }
    driver.turnOff()
    takeTerminal()
  }
}

internal import ClientCore
internal import FullScreen
internal import Terminal
internal import UV

/// Runs an ``App`` on one event loop: input, frames and signals become events, and its effects are carried out. Only
/// the loop blocks.
final class ScreenProgram {
  let context: ClientContext
  let driver: TerminalDriver
  private var settings: ScreenSettings
  var app: App
  private var connection: ViewConnection?
  private var tick: UV.Timer?
  private var signals: [UV.Signal] = []
  private var stopSignal: UV.Signal?
  /// True if the program was asked to stop, and not to continue since.
  private var wantsStop = false
  private var typed: [InputEvent] = []
  private var printer: LinearPrinter
  private var isOver = false
  /// True if SIGINT was received.
  private var isInterrupted = false
  private var failure: ClientFailure?
  var editor: ForegroundProcess?
  /// Background programs whose exit status is awaited.
  var helpers: [DetachedProcess] = []

  /// Shows the screen until the user quits.
  static func run(_ context: ClientContext, _ screen: ScreenOptions) throws(ClientFailure) {
    guard context.console.isTerminal, Descriptor.standardInput.isTerminal else {
      throw ClientFailure(.usage, "the full screen needs a terminal", hint: "use `stack-client timeline` in scripts")
    }
    guard UV.Process.environment("TERM") != "dumb" || screen.linear else {
      throw ClientFailure(
        .usage, "this terminal (TERM=dumb) cannot show the full screen", hint: "use --linear")
    }
    let settings = try ScreenSettings(context, screen)
    for complaint in settings.options.complaints { context.console.notice(complaint) }
    // Starts a daemon if none is running, and says so before the screen appears.
    try context.connect().close()
    let program = try ScreenProgram(context, settings)
    defer { program.close() }
    try program.run()
  }

  /// True if `TERM` names a terminal that can position text.
  static var canPlaceText: Bool { !["", "dumb"].contains(UV.Process.environment("TERM") ?? "") }

  private init(_ context: ClientContext, _ settings: ScreenSettings) throws(ClientFailure) {
    self.context = context
    self.settings = settings
    printer = settings.printer
    do throws(UVError) {
      driver = try TerminalDriver(loop: context.loop, settings.traits, settings.terminalModes)
    } catch {
      throw ClientFailure(.failure, "cannot use the terminal: \(error)")
    }
    let size = driver.size
    app = App(settings.options, columns: size.columns, lines: size.lines)
  }

  private func run() throws(ClientFailure) {
    do {
      try UV.Process.restoreTerminalOnCrash(writing: settings.terminalModes.leave)
      try listen()
      try driver.turnOn(mouse: settings.options.toggles.hasMouse)
      driver.onLost = { [weak self] in self?.isOver = true }
      if !settings.isLinear { try probe() }
      connection = try ViewConnection(loop: context.loop, address: context.address) { [weak self] in self?.receive($0) }
      tick = try UV.Timer(loop: context.loop) { [weak self] in self?.receive(.tick) }
    } catch {
      throw ClientFailure(.failure, "cannot use the terminal: \(error)")
    }
    begin()
    while !isOver { runOnce() }
    try end()
  }

  private func end() throws(ClientFailure) {
    if let failure { throw failure }
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

  // MARK: Starting

  /// Queries the capabilities of the terminal, until all are known or the time limit has passed.
  private func probe() throws(UVError) {
    var probes = Probes()
    var isLate = false
    let timer = try UV.Timer(loop: context.loop) { isLate = true }
    defer { timer.close() }
    driver.onInput = { [weak self] events in self?.typed += events.compactMap { probes.consumeReply($0) } }
    driver.sendControl(Probes.questions)
    timer.arm(after: .milliseconds(Probes.patienceMilliseconds))
    while !probes.isComplete && !isLate && !isOver { runOnce() }
    settings.applyProbes(probes)
    driver.setTraits(settings.traits)
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
          // While an editor has the terminal, Ctrl-C is for the editor.
          if number == .interrupt, self?.editor != nil { return }
          self?.isInterrupted = number == .interrupt
          self?.isOver = true
          self?.context.loop.stop()
        })
    }
    signals.append(try UV.Signal(loop: context.loop, .proceed) { [weak self] in self?.proceeded() })
    stopSignal = try listenForStop()
  }

  private func listenForStop() throws(UVError) -> UV.Signal {
    try UV.Signal(loop: context.loop, .stop) { [weak self] in self?.wantsStop = true }
  }

  // MARK: Events and effects

  /// Passes an event to the app and carries out its effects.
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
      case .watchSources: connection?.watchSources()
      case .send(let frame): connection?.send(frame)
      case .call(let number, let method, let request): connection?.call(number, method: method, request: request)
      case .upload(let number, let path, let header): connection?.upload(number, expand(path), header)
      case .cancelUpload: connection?.cancelUpload()
      case .edit(let text): edit(text)
      case .browse(let url): browse(url)
      case .pipe(let words, let bytes): pipe(bytes, to: words)
      case .copy(let text): if let bytes = Clipboard.sequence(for: text) { driver.sendControl(bytes) }
      case .importFile(let words): importFiles(words)
      case .notify(let text): notify(text, settings.options.notify, onlyBell: settings.isLinear)
      case .listFiles(let folder): listFiles(of: folder)
      case .setMouse(let isOn): if !settings.isLinear { driver.sendControl(TerminalModes.mouse(isOn)) }
      case .remember(let hasPreview): ScreenSettings.remember(hasPreview: hasPreview)
      case .repaint:
        // Line mode prints the current state again.
        printer = settings.printer
        driver.repaint()
      case .suspend: wantsStop = true
      case .quit(let reason):
        failure = reason
        isOver = true
      }
    }
  }

  // MARK: Suspending and resuming

  private func resized() {
    guard driver.isOn else { return }
    let size = driver.size
    receive(.resized(columns: size.columns, lines: size.lines))
  }

  /// Takes over the terminal again and repaints it at its current size.
  func takeTerminal() {
    do throws(UVError) {
      try driver.turnOn(mouse: app.hasMouse)
    } catch {
      failure = ClientFailure(.failure, "cannot use the terminal: \(error)")
      isOver = true
    }
    resized()
  }

  /// Runs one iteration of the loop, and then suspends the program if it was asked to stop.
  private func runOnce() {
    context.loop.run(.once)
    if wantsStop && !isOver { suspend() }
  }

  /// Suspends the program, as job control expects, and resumes it later.
  ///
  /// A request to continue that has come since cancels it. It was meant for a program that had stopped, and without a
  /// shell no other may follow.
  private func suspend() {
    let hadTerminal = driver.isOn
    driver.turnOff()
    context.loop.run(.withoutWaiting)
    if wantsStop {
      wantsStop = false
      // The handler is removed so that the signal has its default effect.
      stopSignal?.close()
      UV.Process.suspend()
      stopSignal = try? listenForStop()
      // The request to continue has had its effect.
      context.loop.run(.withoutWaiting)
    }
    if hadTerminal && !isOver { takeTerminal() }
  }

  /// Repaints after another process stopped and continued this program: the shell has used the terminal meanwhile.
  private func proceeded() {
    wantsStop = false
    guard driver.isOn else { return }
    driver.turnOff()
    takeTerminal()
  }
}

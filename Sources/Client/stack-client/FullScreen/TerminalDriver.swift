internal import ClientCore
internal import Terminal
internal import UV

/// Connects the terminal to the loop: input becomes events, and pictures are painted, one write at a time.
///
/// While a write waits for a slow terminal nothing is queued: a picture is made only when there is room for it, so the
/// latest state wins.
final class TerminalDriver {
  /// The time for which an Escape may be the start of a sequence.
  private static let escapePatience = Duration.milliseconds(50)
  /// The most control bytes that wait for the terminal; more are dropped.
  private static let controlLimitBytes = 1 << 18
  /// The longest pause within a paste.
  private static let pastePatience = Duration.seconds(3)

  let loop: Loop
  /// Called with input events, in order.
  var onInput: (([InputEvent]) -> Void)?
  /// Called when everything has been written, or the terminal is in use by another program.
  var onPainted: (() -> Void)?
  /// Called when the terminal has been closed.
  var onLost: (() -> Void)?
  /// Returns the picture to show; called when there is room for it.
  var makePicture: (() -> Picture?)?
  /// Returns the lines to print instead, in line mode.
  var makeLines: (() -> [UInt8])?

  private let input: UV.Stream
  private var output: UV.Stream?
  private var decoder = InputDecoder()
  private var renderer: TerminalRenderer
  private var inputTimer: UV.Timer?
  private var hook: Loop.TurnHook?
  /// Control sequences to write before the next picture.
  private var control: [UInt8] = []
  private var wantsPicture = false
  private(set) var isOn = false
  private let modes: Modes

  /// The use of the terminal.
  enum Modes {
    case screen
    /// Lines, for screen readers.
    case lines
    /// Lines, on a terminal without escape sequences.
    case bareLines

    func enter(mouse: Bool) -> [UInt8] {
      switch self {
      case .screen: TerminalModes.enter(mouse: mouse)
      case .lines: TerminalModes.lines(true)
      case .bareLines: []
      }
    }

    var leave: [UInt8] {
      switch self {
      case .screen: TerminalModes.leave
      case .lines: TerminalModes.lines(false)
      case .bareLines: []
      }
    }
  }

  /// Opens the terminal without changing its modes.
  init(loop: Loop, _ traits: RendererTraits, _ modes: Modes = .screen) throws(UVError) {
    self.loop = loop
    self.modes = modes
    renderer = TerminalRenderer(traits)
    input = try UV.Stream.terminalInput(loop: loop)
    inputTimer = try UV.Timer(loop: loop) { [weak self] in self?.inputTimedOut() }
    hook = loop.atTurnEnd(.flush) { [weak self] in self?.flush() }
  }

  /// The size of the terminal, from the kernel.
  var size: (columns: Int, lines: Int) {
    let size = Descriptor.standardOutput.windowSize ?? (80, 24)
    return (size.columns, size.rows)
  }

  // MARK: On and off

  /// Takes over the terminal.
  func turnOn(mouse: Bool) throws(UVError) {
    guard !isOn else { return }
    try input.setRaw(true)
    output = try UV.Stream.terminalOutput(loop: loop)
    isOn = true
    control = modes.enter(mouse: mouse) + control
    renderer.repaint()
    try input.startReadingArrays { [weak self] bytes in
      self?.received(bytes)
    } onEnd: { [weak self] _ in
      self?.lost()
    }
    show()
  }

  /// Gives the terminal back at once. Output that has not been written is dropped.
  func turnOff() {
    guard isOn else { return }
    isOn = false
    output?.close()
    output = nil
    control = []
    input.stopReading()
    // A partial sequence would corrupt the first key afterwards.
    decoder = InputDecoder()
    inputTimer?.disarm()
    // Written to the descriptor itself, so that it is done when this returns, but without waiting for a terminal that is
    // stopped (Ctrl-S).
    try? Descriptor.standardOutput.writeSoon(modes.leave)
    try? input.setRaw(false)
  }

  /// Releases all resources.
  func close() {
    turnOff()
    if let hook { loop.remove(hook) }
    hook = nil
    input.close()
    inputTimer?.close()
  }

  /// Sets the capabilities of the terminal.
  func setTraits(_ traits: RendererTraits) { renderer = TerminalRenderer(traits) }

  // MARK: Input

  private func received(_ bytes: [UInt8]) { deliver(decoder.feed(bytes)) }

  private func inputTimedOut() { deliver(decoder.flush()) }

  private func deliver(_ events: [InputEvent]) {
    switch decoder.wait {
    case .sequence: inputTimer?.arm(after: Self.escapePatience)
    case .paste: inputTimer?.arm(after: Self.pastePatience)
    case nil: inputTimer?.disarm()
    }
    if !events.isEmpty { onInput?(events) }
  }

  private func lost() {
    isOn = false
    output?.close()
    output = nil
    onLost?()
  }

  // MARK: Output

  /// Schedules a write of the current picture.
  func show() {
    wantsPicture = true
    loop.scheduleTurn()
  }

  /// Writes the whole picture again.
  func repaint() {
    renderer.repaint()
    show()
  }

  /// Writes control sequences, such as those of a mode.
  func sendControl(_ bytes: [UInt8]) {
    guard control.count + bytes.count <= Self.controlLimitBytes else { return }
    control += bytes
    loop.scheduleTurn()
  }

  private func flush() {
    if !isOn, wantsPicture {
      // Another program has the terminal: the picture counts as shown, or the daemon would end this view as stuck.
      wantsPicture = false
      onPainted?()
    }
    guard isOn, let output, !output.isWriting, wantsPicture || !control.isEmpty else { return }
    var bytes = control
    control = []
    if wantsPicture, let makeLines {
      bytes += makeLines()
    } else if wantsPicture, let picture = makePicture?() {
      bytes += renderer.paint(picture)
    }
    wantsPicture = false
    guard !bytes.isEmpty else {
      onPainted?()
      return
    }
    do throws(UVError) {
      let outcome = try output.write(bytes) { [weak self] error in
        // An error: closed by `turnOff`, or lost.
        guard error == nil, let self else { return }
        onPainted?()
        loop.scheduleTurn()
      }
      if case .sent = outcome { onPainted?() }
    } catch {
      lost()
    }
  }
}

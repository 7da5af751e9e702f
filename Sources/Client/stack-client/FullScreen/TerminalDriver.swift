internal import ClientCore
internal import Terminal
internal import UV

/// The terminal on the loop: what is typed comes out as events, and pictures go in, one write at a time.
///
/// While a write waits for a slow terminal nothing queues behind it: the picture is made when there is room, so the
/// last one wins.
final class TerminalDriver {
  /// How long an Escape may be the beginning of something.
  private static let escapePatience = Duration.milliseconds(50)
  /// Bytes of orders that wait for a terminal; more are dropped.
  private static let orderLimitBytes = 1 << 18
  /// How long a paste may pause.
  private static let pastePatience = Duration.seconds(3)

  let loop: Loop
  /// What came, in the order in which it did.
  var onInput: (([InputEvent]) -> Void)?
  /// The terminal has everything, or has gone.
  var onPainted: (() -> Void)?
  /// Nobody is at the other end any more.
  var onLost: (() -> Void)?
  /// What the screen should show; asked when there is room for it.
  var makePicture: (() -> Picture?)?
  /// What is to be said instead, where the terminal is used for lines.
  var makeLines: (() -> [UInt8])?

  private let input: UV.Stream
  private var output: UV.Stream?
  private var decoder = InputDecoder()
  private var painter: Painter
  private var patience: UV.Timer?
  private var hook: Loop.TurnHook?
  /// Orders for the terminal that are no pictures, before the next picture.
  private var orders: [UInt8] = []
  private var wantsPicture = false
  private(set) var isOn = false
  private let modes: Modes

  /// What the terminal is used for.
  enum Modes {
    case screen
    /// Lines one after the other, which screen readers read.
    case lines
    /// The same on a terminal that knows no escape at all.
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

  /// Opens the terminal, and leaves it as it is.
  init(loop: Loop, _ traits: PainterTraits, _ modes: Modes = .screen) throws(UVError) {
    self.loop = loop
    self.modes = modes
    painter = Painter(traits)
    input = try UV.Stream.terminalInput(loop: loop)
    patience = try UV.Timer(loop: loop) { [weak self] in self?.patienceIsOver() }
    hook = loop.atTurnEnd(.flush) { [weak self] in self?.flush() }
  }

  /// Columns and lines, as the kernel knows them.
  var size: (columns: Int, lines: Int) {
    let size = Descriptor.standardOutput.windowSize ?? (80, 24)
    return (size.columns, size.rows)
  }

  // MARK: On and off

  /// Takes the terminal over.
  func turnOn(mouse: Bool) throws(UVError) {
    guard !isOn else { return }
    try input.setRaw(true)
    output = try UV.Stream.terminalOutput(loop: loop)
    isOn = true
    orders = modes.enter(mouse: mouse) + orders
    painter.repaint()
    try input.startReadingArrays { [weak self] bytes in
      self?.received(bytes)
    } onEnd: { [weak self] _ in
      self?.lost()
    }
    show()
  }

  /// Gives the terminal back, at once: what has not been written is dropped.
  func turnOff() {
    guard isOn else { return }
    isOn = false
    output?.close()
    output = nil
    orders = []
    input.stopReading()
    // Half a sequence from before would make another key of the first one afterwards.
    decoder = InputDecoder()
    patience?.disarm()
    // To the descriptor itself, so that it is there when this returns; but nobody waits for a terminal that is held
    // still (Ctrl-S).
    try? Descriptor.standardOutput.writeSoon(modes.leave)
    try? input.setRaw(false)
  }

  /// Lets go of everything.
  func close() {
    turnOff()
    if let hook { loop.remove(hook) }
    hook = nil
    input.close()
    patience?.close()
  }

  /// What is known of the terminal has changed.
  func set(_ traits: PainterTraits) { painter = Painter(traits) }

  // MARK: Input

  private func received(_ bytes: [UInt8]) { deliver(decoder.feed(bytes)) }

  private func patienceIsOver() { deliver(decoder.flush()) }

  private func deliver(_ events: [InputEvent]) {
    switch decoder.wait {
    case .sequence: patience?.arm(after: Self.escapePatience)
    case .paste: patience?.arm(after: Self.pastePatience)
    case nil: patience?.disarm()
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

  /// The picture has changed.
  func show() {
    wantsPicture = true
    loop.scheduleTurn()
  }

  /// Writes the whole picture again.
  func repaint() {
    painter.repaint()
    show()
  }

  /// Writes bytes that are no picture, such as those of a mode.
  func order(_ bytes: [UInt8]) {
    guard orders.count + bytes.count <= Self.orderLimitBytes else { return }
    orders += bytes
    loop.scheduleTurn()
  }

  private func flush() {
    if !isOn, wantsPicture {
      // Somebody else has the terminal: what would be shown counts as seen, or the daemon would give this view up.
      wantsPicture = false
      onPainted?()
    }
    guard isOn, let output, !output.isWriting, wantsPicture || !orders.isEmpty else { return }
    var bytes = orders
    orders = []
    if wantsPicture, let makeLines {
      bytes += makeLines()
    } else if wantsPicture, let picture = makePicture?() {
      bytes += painter.paint(picture)
    }
    wantsPicture = false
    guard !bytes.isEmpty else {
      onPainted?()
      return
    }
    do throws(UVError) {
      let outcome = try output.write(bytes) { [weak self] error in
        // Closed by `turnOff`, or gone.
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

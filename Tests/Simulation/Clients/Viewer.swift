import Messages
import RPC
import ViewState

/// Looks at a session: attaches or watches, applies every frame to its mirror, scrolls, resizes, leaves and comes back.
final class Viewer: Behaviour {
  private(set) var mirror = ViewSnapshot()
  private(set) var hello: Hello
  private(set) var viewport = ViewportParameters()
  private var layoutsSent: UInt32 = 0
  private let acknowledges: Bool
  private var call: ClientCall?
  private var viewID: UInt64 = 0
  private var frames: UInt64 = 0
  private var acknowledged: UInt64 = 0
  private var newestRevision: UInt64 = 0
  private var mayAttach = true

  /// - Parameter isQuiet: it does nothing but look.
  init(_ client: ClientProcess, name: String, hello: Hello, acknowledges: Bool, isQuiet: Bool = false) {
    self.hello = hello
    self.acknowledges = acknowledges
    super.init(client, name: name)
    if !isQuiet { act() }
  }

  /// Whether the newest that was asked for has been shown.
  override var isSettled: Bool {
    call != nil && frames > 0 && mirror.viewportGeneration == viewport.generation
  }

  override func connected() { attach() }

  override func settle() {
    super.settle()
    mayAttach = true
    client.loop.post { [weak self] in self?.attach() }
  }

  override func end() { call = nil }

  // MARK: The stream

  private func attach() {
    guard call == nil, mayAttach, let call = client.start(acknowledges ? Method.attach : Method.watch) else { return }
    self.call = call
    frames = 0
    acknowledged = 0
    viewport.generation = 0
    hello.viewport = viewport
    // Sometimes it is another program that comes back, and holds nothing.
    if Int.random(in: 0..<4, using: &random) == 0 { mirror = ViewSnapshot() }
    hello.resume = mirror.resume
    try? call.send(acknowledges ? ClientFrame.hello(hello).encoded() : WatchRequest(hello: hello).encoded())
    if !acknowledges { call.closeSend() }
    call.onMessage = { [weak self] call, bytes in self?.received(bytes, call) }
    call.onEnd = { [weak self] call, status, _ in self?.ended(status, call) }
  }

  private func ended(_ status: Status, _ ended: ClientCall) {
    guard call === ended else { return }
    world.trace.note(world.now, name, "ends", Int64(status.code.rawValue))
    call = nil
    judge(status, of: "its stream")
    surely(after: 5...600) { [weak self] in self?.attach() }
  }

  private func received(_ bytes: [UInt8], _ call: ClientCall) {
    do {
      let frame = try Frame(decoding: bytes)
      try mirror.apply(frame)
      frames += 1
      world.trace.note(
        world.now, name, "shows", Int64(bitPattern: frame.number), Int64(bitPattern: frame.revision),
        Int64(frame.operations.count))
      if frame.number != frames { world.violation("\(name): frame \(frame.number) came as number \(frames)") }
      if frame.revision < newestRevision {
        world.violation("\(name): revision \(frame.revision) came after \(newestRevision)")
      }
      if let welcome = frame.welcome { viewID = welcome.viewID }
      if frame.number == 1 { began(frame) }
      if frame.pacing.skipped > 0 || frame.pacing.hasMore { world.count(.skip) }
      newestRevision = frame.revision
      world.ledger.saw(frame.revision)
      if acknowledges {
        if frames - acknowledged > 2 {
          world.violation("\(name): \(frames - acknowledged) frames came without an acknowledgement")
        }
        acknowledge(frame.number, call)
      }
    } catch {
      world.violation("\(name): a frame that does not fit: \(error)")
      call.cancel()
    }
  }

  /// Looks at how a stream begins. The daemon's history goes on, whatever happens to it, and nobody was told of what it
  /// has lost.
  private func began(_ frame: Frame) {
    guard hello.resume != nil else { return }
    world.count(frame.reset == nil ? .resume : .reset)
    if frame.reset == .epoch || frame.reset == .future || frame.reset == .first {
      world.violation("\(name): resuming was answered with a reset because of \(frame.reset!)")
    }
  }

  /// Says that a frame is on the screen, which may take a while.
  private func acknowledge(_ number: UInt64, _ call: ClientCall) {
    let isSlow = !isSettling && Int.random(in: 0..<30, using: &random) == 0
    surely(after: isSlow ? 500...3000 : 0...30) { [weak self, weak call] in
      guard let self, let call, call.isOpen, acknowledged < number else { return }
      acknowledged = number
      try? call.send(ClientFrame.ack(number).encoded())
    }
  }

  // MARK: What its user does

  private func act() {
    later(20...1200) { [unowned self] in
      defer { act() }
      guard let call else {
        mayAttach = true
        return attach()
      }
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5: scroll(call)
      case 5..<8: if acknowledges { resize(call) } else { scroll(call) }
      default: leave(call)
      }
    }
  }

  private func scroll(_ call: ClientCall) {
    guard frames > 0 else { return }
    world.count(.scroll)
    let pane = mirror.panes.randomElement(using: &random)
    viewport.paneID = Bool.random(using: &random) ? 0 : pane?.header.paneID ?? 0
    let shown = viewport.paneID == 0 ? mirror.panes.last : pane
    viewport.anchorRow =
      Int.random(in: 0..<4, using: &random) == 0 ? 0 : shown?.rows.randomElement(using: &random)?.rowID ?? 0
    viewport.line = .random(in: 0...2, using: &random)
    move(call) {}
  }

  /// Sends the viewport, and goes on when the next may be sent.
  private func move(_ call: ClientCall, _ next: @escaping () -> Void) {
    viewport.generation += 1
    if acknowledges {
      try? call.send(ClientFrame.viewport(viewport).encoded())
      return next()
    }
    client.unary(Method.moveViewport, MoveViewportRequest(viewID: viewID, viewport: viewport).encoded()) {
      [weak self] result in
      // The stream may have ended meanwhile; then the view is not there.
      if case .failure(let status) = result, status.code != .notFound { self?.judge(status, of: "a move") }
      next()
    }
  }

  /// A row of each pane of which it holds any, or none for the top: where somebody might look.
  func somePlaces() -> [ViewportParameters] {
    mirror.panes.filter { !$0.rows.isEmpty }.map { pane in
      var place = ViewportParameters()
      place.paneID = pane.header.paneID
      place.anchorRow = Int.random(in: 0..<3, using: &random) == 0 ? 0 : pane.rows.randomElement(using: &random)!.rowID
      return place
    }
  }

  /// Looks at these places, one after the other.
  func look(at places: [ViewportParameters]) {
    guard let place = places.first, let call else { return }
    let generation = viewport.generation
    viewport = place
    viewport.generation = generation
    client.loop.post { [weak self] in
      self?.move(call) { [weak self] in self?.look(at: Array(places.dropFirst())) }
    }
  }

  /// Slides the pane stack to a resting position.
  func slide(to position: Int) {
    client.loop.post { [weak self] in
      guard let self else { return }
      client.unary(Method.moveStack, MoveStackRequest(viewID: viewID, .position(position)).encoded()) { _ in }
    }
  }

  private func resize(_ call: ClientCall) {
    world.count(.resize)
    hello.layout.width = .random(in: 20...160, using: &random)
    hello.layout.height = .random(in: 5...60, using: &random)
    try? call.send(ClientFrame.layout(hello.layout).encoded())
  }

  private func leave(_ call: ClientCall) {
    world.count(.detach)
    mayAttach = false
    switch Int.random(in: 0..<3, using: &random) {
    case 0: call.cancel()
    case 1 where acknowledges: try? call.send(ClientFrame.bye.encoded())
    default: acknowledges ? call.closeSend() : call.cancel()
    }
  }
}

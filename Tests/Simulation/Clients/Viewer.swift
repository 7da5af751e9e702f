import Messages
import RPC
import ViewState

/// Views a session: attaches or watches, applies every frame to its mirror, scrolls, previews conversations, resizes,
/// detaches and reattaches.
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

  /// - Parameter isPassive: true for a viewer that never scrolls, resizes or detaches on its own.
  init(_ client: ClientProcess, name: String, hello: Hello, acknowledges: Bool, isPassive: Bool = false) {
    self.hello = hello
    self.acknowledges = acknowledges
    super.init(client, name: name)
    if !isPassive { scheduleNextAction() }
  }

  /// True when the latest requested viewport has been shown.
  override var isSettled: Bool {
    call != nil && frames > 0 && mirror.viewportGeneration == viewport.generation
  }

  override func connected() { attach() }

  override func startSettling() {
    super.startSettling()
    mayAttach = true
    client.loop.post { [weak self] in
      self?.attach()
      self?.preview(nil)
    }
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
    // Sometimes a new program reattaches, with an empty mirror.
    if Int.random(in: 0..<4, using: &random) == 0 { mirror = ViewSnapshot() }
    hello.resume = mirror.resume
    try? call.send(acknowledges ? ClientFrame.hello(hello).encoded() : WatchRequest(hello: hello).encoded())
    if !acknowledges { call.closeSend() }
    call.onMessage = { [weak self] call, bytes in self?.received(bytes, call) }
    call.onEnd = { [weak self] call, status, _ in self?.ended(status, call) }
  }

  private func ended(_ status: Status, _ ended: ClientCall) {
    guard call === ended else { return }
    world.trace.record(world.now, name, "ends", Int64(status.code.rawValue))
    call = nil
    checkStatus(status, of: "its stream")
    schedule(after: 5...600) { [weak self] in self?.attach() }
  }

  private func received(_ bytes: [UInt8], _ call: ClientCall) {
    do {
      let frame = try Frame(decoding: bytes)
      try mirror.apply(frame)
      frames += 1
      world.trace.record(
        world.now, name, "shows", Int64(bitPattern: frame.number), Int64(bitPattern: frame.revision),
        Int64(frame.operations.count))
      if frame.number != frames { world.violation("\(name): frame \(frame.number) arrived as number \(frames)") }
      if frame.revision < newestRevision {
        world.violation("\(name): revision \(frame.revision) arrived after \(newestRevision)")
      }
      if let welcome = frame.welcome { viewID = welcome.viewID }
      if frame.number == 1 { checkFirstFrame(frame) }
      if frame.pacing.skipped > 0 || frame.pacing.hasMore { world.count(.skip) }
      newestRevision = frame.revision
      world.ledger.recordRevision(frame.revision)
      if acknowledges {
        if frames - acknowledged > 2 {
          world.violation("\(name): \(frames - acknowledged) unacknowledged frames")
        }
        acknowledge(frame.number, call)
      }
    } catch {
      world.violation("\(name): a frame does not apply to the mirror: \(error)")
      call.cancel()
    }
  }

  /// Checks the first frame of a stream. The daemon's history is never lost, and no client has received a revision that
  /// was.
  private func checkFirstFrame(_ frame: Frame) {
    guard hello.resume != nil else { return }
    world.count(frame.reset == nil ? .resume : .reset)
    if frame.reset == .epoch || frame.reset == .future || frame.reset == .first {
      world.violation("\(name): resuming was reset because of \(frame.reset!)")
    }
  }

  /// Acknowledges a frame after a random delay.
  private func acknowledge(_ number: UInt64, _ call: ClientCall) {
    let isSlow = !isSettling && Int.random(in: 0..<30, using: &random) == 0
    schedule(after: isSlow ? 500...3000 : 0...30) { [weak self, weak call] in
      guard let self, let call, call.isOpen, acknowledged < number else { return }
      acknowledged = number
      try? call.send(ClientFrame.ack(number).encoded())
    }
  }

  // MARK: User actions

  private func scheduleNextAction() {
    later(20...1200) { [unowned self] in
      defer { scheduleNextAction() }
      guard let call else {
        mayAttach = true
        return attach()
      }
      switch Int.random(in: 0..<11, using: &random) {
      case 10: preview(world.ledger.posts.randomElement(using: &random)?.id)
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
    moveViewport(call) {}
  }

  /// Sends the viewport, and calls `next` when another one may be sent.
  private func moveViewport(_ call: ClientCall, _ next: @escaping () -> Void) {
    viewport.generation += 1
    if acknowledges {
      try? call.send(ClientFrame.viewport(viewport).encoded())
      return next()
    }
    client.unary(Method.moveViewport, MoveViewportRequest(viewID: viewID, viewport: viewport).encoded()) {
      [weak self] result in
      // NOT_FOUND if the stream, and with it the view, has ended meanwhile.
      if case .failure(let status) = result, status.code != .notFound { self?.checkStatus(status, of: "a move") }
      next()
    }
  }

  /// Chooses the preview of a post's conversation, or none.
  private func preview(_ post: UInt64?) {
    guard call != nil, frames > 0 else { return }
    client.unary(Method.setPreview, SetPreviewRequest(viewID: viewID, postID: post ?? 0).encoded()) {
      [weak self] result in
      // NOT_FOUND if the view has ended meanwhile.
      if case .failure(let status) = result, status.code != .notFound { self?.checkStatus(status, of: "a preview") }
    }
  }

  /// Returns a random viewport for each pane with rows: one of its rows, or the top.
  func somePlaces() -> [ViewportParameters] {
    mirror.panes.filter { !$0.rows.isEmpty }.map { pane in
      var place = ViewportParameters()
      place.paneID = pane.header.paneID
      place.anchorRow = Int.random(in: 0..<3, using: &random) == 0 ? 0 : pane.rows.randomElement(using: &random)!.rowID
      return place
    }
  }

  /// Moves the viewport to each of these places in turn.
  func look(at places: [ViewportParameters]) {
    guard let place = places.first, let call else { return }
    let generation = viewport.generation
    viewport = place
    viewport.generation = generation
    client.loop.post { [weak self] in
      self?.moveViewport(call) { [weak self] in self?.look(at: Array(places.dropFirst())) }
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
    hello.layout.width = .random(in: 20...220, using: &random)
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

internal import ClientCore
internal import Messages
internal import RPC
internal import UV
internal import ViewState

/// Follows a section through everything that may happen to the daemon.
final class Watching {
  /// Wait before the first new try; it doubles with each.
  static let firstBackoff = Duration.milliseconds(100)
  /// The longest wait.
  static let longestBackoff = Duration.seconds(5)
  /// Most posts fetched to fill a gap; beyond that the gap is told of.
  static let filledRows = 1000

  let context: ClientContext
  let section: WatchedSection
  let writer: EventWriter
  var follower = TimelineFollower()
  /// Posts still to be printed of those that were there first; nil once that is done.
  var initialCount: Int?
  /// Whether the last that was told is that older posts have come.
  var hasToldOlder = false
  /// How long the daemon asked us to stay away when it ended the last stream.
  private var askedToWait = Duration.zero
  /// What the daemon said of its store when it ended the last stream; nil where something else ended it.
  private var storeTrouble: String?

  init(context: ClientContext, section: WatchedSection, initialCount: Int) {
    self.context = context
    self.section = section
    self.initialCount = initialCount
    writer = EventWriter(context.options.format, painter: context.painter())
  }

  /// Runs until it is killed, the output is closed, or the daemon refuses; leaves nothing behind in the daemon.
  func run() throws(ClientFailure) {
    var link: DaemonLink? = try context.connect()
    var backoff = Self.firstBackoff
    // Each reason for waiting is told once, however often it is met while it is the same.
    var toldLoss: String?
    while true {
      storeTrouble = nil
      if let connected = link {
        let frames = try follow(connected) {
          if toldLoss != nil { context.console.notice("connected again") }
          toldLoss = nil
        }
        connected.close()
        if frames > 0 { backoff = Self.firstBackoff }
      }
      let loss = storeTrouble ?? "the daemon at \(context.address.endpoint) is gone; waiting for it to come back"
      if loss != toldLoss { context.console.notice(loss) }
      toldLoss = loss
      context.loop.wait(max(backoff, askedToWait))
      askedToWait = .zero
      backoff = min(backoff * 2, Self.longestBackoff)
      link = try? context.connectOnce()
    }
  }

  /// Watches over one connection until it ends, and says how many frames came.
  private func follow(_ link: DaemonLink, whenConnected: () -> Void) throws(ClientFailure) -> Int {
    let call = try startWatch(link)
    var waiting: [[UInt8]] = []
    var end: Status?
    // The daemon sends what is not yet taken up as one frame, so frames never pile up here.
    call.onMessage = { _, bytes in waiting.append(bytes) }
    call.onEnd = { _, status, _ in end = status }
    var frames = 0
    while true {
      link.run { !waiting.isEmpty || end != nil }
      // Filling a gap runs the loop, and the next frame may arrive meanwhile.
      let arrived = waiting
      waiting = []
      for bytes in arrived {
        let frame: Frame = try DaemonLink.decode(bytes)
        if let welcome = frame.welcome { context.note(locale: welcome.locale) }
        if frames == 0 { whenConnected() }
        frames += 1
        guard let events = try? follower.apply(frame) else {
          // Both sides have parted; attaching again brings them together.
          follower.parted()
          call.cancel()
          break
        }
        if let failure = SignedOut.failure(follower.mirror.panes) { throw failure }
        if !frame.pacing.hasMore { try show(events, link) }
      }
      guard waiting.isEmpty else { continue }
      guard let ended = end else { if link.isLost { return frames } else { continue } }
      // Where the details cannot be read there is nothing to wait for.
      let delay = (try? ErrorDetails(decoding: ended.details))?.retryDelayMilliseconds ?? 0
      askedToWait = min(.milliseconds(delay), Self.longestBackoff)
      storeTrouble = DaemonLink.storeTrouble(ended)
      switch ended.code {
      case .ok, .unavailable, .cancelled, .resourceExhausted: return frames
      default: throw link.failure(ended)
      }
    }
  }

  private func startWatch(_ link: DaemonLink) throws(ClientFailure) -> ClientCall {
    var viewport = ViewportParameters()
    viewport.generation = 1
    let hello = Hello(
      subject: section.subject, layout: context.layout, viewport: viewport,
      client: "stack-client \(ClientVersion.current)", resume: follower.mirror.resume)
    return try link.start(Method.watch, WatchRequest(hello: hello))
  }
}

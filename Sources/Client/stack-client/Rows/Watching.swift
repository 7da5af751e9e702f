internal import ClientCore
internal import Messages
internal import RPC
internal import UV
internal import ViewState

/// Follows a section across restarts of the daemon.
final class Watching {
  /// The delay before the first reconnection; it doubles with each attempt.
  static let firstBackoff = Duration.milliseconds(100)
  /// The longest delay.
  static let longestBackoff = Duration.seconds(5)
  /// The most posts fetched to fill a gap; a larger gap is reported.
  static let filledRows = 1000

  let context: ClientContext
  let section: WatchedSection
  let writer: EventWriter
  var follower = TimelineFollower()
  /// The number of existing posts to print first; nil once they are printed.
  var initialCount: Int?
  /// True if the last event reported older posts.
  var hasReportedOlder = false
  /// The delay that the daemon asked for when it ended the last stream.
  private var requestedDelay = Duration.zero
  /// The daemon's message about its store when it ended the last stream; nil if something else ended it.
  private var storeTrouble: String?

  init(context: ClientContext, section: WatchedSection, initialCount: Int) {
    self.context = context
    self.section = section
    self.initialCount = initialCount
    writer = EventWriter(context.options.format, painter: context.painter())
  }

  /// Runs until it is killed, the output is closed, or the daemon refuses. It leaves no state in the daemon.
  func run() throws(ClientFailure) {
    var link: DaemonLink? = try context.connect()
    var backoff = Self.firstBackoff
    // A reason for waiting is reported once for as long as it stays the same.
    var reportedLoss: String?
    while true {
      storeTrouble = nil
      if let connected = link {
        let frames = try watch(connected) {
          if reportedLoss != nil { context.console.notice("reconnected") }
          reportedLoss = nil
        }
        connected.close()
        if frames > 0 { backoff = Self.firstBackoff }
      }
      let loss = storeTrouble ?? "lost the daemon at \(context.address.endpoint); waiting for it to return"
      if loss != reportedLoss { context.console.notice(loss) }
      reportedLoss = loss
      context.loop.wait(max(backoff, requestedDelay))
      requestedDelay = .zero
      backoff = min(backoff * 2, Self.longestBackoff)
      link = try? context.connectOnce()
    }
  }

  /// Watches over one connection until it ends. Returns the number of frames.
  private func watch(_ link: DaemonLink, whenConnected: () -> Void) throws(ClientFailure) -> Int {
    let call = try startWatch(link)
    var waiting: [[UInt8]] = []
    var end: Status?
    // The daemon merges frames that have not been received, so they never pile up here.
    call.onMessage = { _, bytes in waiting.append(bytes) }
    call.onEnd = { _, status, _ in end = status }
    var frames = 0
    while true {
      link.run { !waiting.isEmpty || end != nil }
      // Filling a gap runs the loop, so the next frame may arrive meanwhile.
      let arrived = waiting
      waiting = []
      for bytes in arrived {
        let frame: Frame = try DaemonLink.decode(bytes)
        if let welcome = frame.welcome { context.warnOfMissingLanguage(welcome.locale) }
        if frames == 0 { whenConnected() }
        frames += 1
        guard let events = try? follower.apply(frame) else {
          // The two sides differ; attaching again brings them together.
          follower.discardMirror()
          call.cancel()
          break
        }
        if let failure = SignedOut.failure(follower.mirror.panes) { throw failure }
        if !frame.pacing.hasMore { try show(events, link) }
      }
      guard waiting.isEmpty else { continue }
      guard let ended = end else { if link.isLost { return frames } else { continue } }
      // Without readable details there is no delay.
      let delay = (try? ErrorDetails(decoding: ended.details))?.retryDelayMilliseconds ?? 0
      requestedDelay = min(.milliseconds(delay), Self.longestBackoff)
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
      client: "stack-client \(Release.version)", resume: follower.mirror.resume)
    return try link.start(Method.watch, WatchRequest(hello: hello))
  }
}

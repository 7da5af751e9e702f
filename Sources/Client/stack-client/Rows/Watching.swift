internal import ClientCore
internal import Messages
internal import RPC
internal import UV
internal import ViewState

/// Follows a section across restarts of the daemon.
final class Watching {
  /// The shortest and the longest pause before a reconnection, in milliseconds.
  private static let pauses: ClosedRange<Int64> = 100...5_000

  let context: ClientContext
  let section: WatchedSection
  let writer: EventWriter
  var follower = TimelineFollower()
  /// The number of existing posts to print first; nil once they are printed.
  var initialCount: Int?
  /// True if the last event reported older posts.
  var hasReportedOlder = false
  /// The events of the last frame that have not been printed. A gap stays until its rows could be fetched, over any
  /// number of connections, and no further frame is applied before that.
  var pending: [TimelineEvent] = []
  private var reconnection = Reconnection(pauses: pauses)

  init(context: ClientContext, section: WatchedSection, initialCount: Int) {
    self.context = context
    self.section = section
    self.initialCount = initialCount
    writer = EventWriter(context.options.format, painter: context.painter())
  }

  /// Runs until it is killed, the output is closed, or the daemon refuses. It leaves no state in the daemon.
  func run() throws(ClientFailure) {
    var link: DaemonLink? = try context.connect()
    while true {
      var end: Interruption?
      if let connected = link {
        end = try watch(connected)
        connected.close()
      }
      let reason = end?.reason ?? ""
      let loss = reconnection.lost(
        reason.isEmpty ? "lost the daemon at \(context.address.endpoint); waiting for it to return" : reason,
        at: Loop.monotonicMilliseconds, atLeast: end?.delayMilliseconds ?? 0)
      if let notice = loss.notice { context.console.notice(notice) }
      context.loop.wait(.milliseconds(loss.pause))
      link = try? context.connectOnce()
    }
  }

  /// Watches over one connection until any of its calls is interrupted.
  private func watch(_ link: DaemonLink) throws(ClientFailure) -> Interruption {
    do throws(ClientFailure) {
      try printPending(link)
      try follow(link)
    } catch {
      guard let interruption = error.interruption else { throw error }
      try context.console.flush()
      return interruption
    }
  }

  /// Applies and prints frames until the stream ends. Throws how it ended.
  private func follow(_ link: DaemonLink) throws(ClientFailure) -> Never {
    let call = try startWatch(link)
    var waiting: [[UInt8]] = []
    var end: Status?
    // The daemon merges frames that have not been received, so they never pile up here.
    call.onMessage = { _, bytes in waiting.append(bytes) }
    call.onEnd = { _, status, _ in end = status }
    while true {
      link.run { !waiting.isEmpty || end != nil }
      // Filling a gap runs the loop, so the next frame may arrive meanwhile.
      let arrived = waiting
      waiting = []
      for bytes in arrived { try receive(DaemonLink.decode(bytes), call, link) }
      guard waiting.isEmpty else { continue }
      if let end { throw link.failure(end) }
      if link.isLost { throw link.failure(Status(.unavailable, "the connection is closed")) }
    }
  }

  /// Applies a frame and prints its events.
  private func receive(_ frame: Frame, _ call: ClientCall, _ link: DaemonLink) throws(ClientFailure) {
    if let welcome = frame.welcome { context.warnOfMissingLanguage(welcome.locale) }
    if let notice = reconnection.connected("reconnected", at: Loop.monotonicMilliseconds) {
      context.console.notice(notice)
    }
    guard let events = try? follower.apply(frame) else {
      // The two sides differ; attaching again brings them together.
      follower.discardMirror()
      call.cancel()
      throw link.failure(Status(.cancelled))
    }
    if let failure = SignedOut.failure(follower.mirror.panes) { throw failure }
    guard !frame.pacing.hasMore else { return }
    try printInitial()
    pending = events
    try printPending(link)
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

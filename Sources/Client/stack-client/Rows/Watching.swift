internal import ClientCore
internal import Messages
internal import RPC
internal import UV
internal import ViewState

/// Follows a section across restarts of the daemon.
final class Watching {
  let context: ClientContext
  let section: WatchedSection
  let writer: EventWriter
  private var follower: TimelineFollower
  /// True if the last event reported older posts.
  var hasReportedOlder = false
  /// The events of the last frame that have not been printed. A gap stays until its rows could be fetched, over any
  /// number of connections, and no further frame is applied before that.
  var pending: [TimelineEvent] = []
  private let link: LastingLink

  init(context: ClientContext, section: WatchedSection, initialCount: Int) {
    self.context = context
    self.section = section
    follower = TimelineFollower(initialRows: initialCount)
    link = LastingLink(context)
    writer = EventWriter(context.options.format, painter: context.painter())
  }

  /// Runs until it is killed, the output is closed, or the daemon refuses. It leaves no state in the daemon.
  func run() throws(ClientFailure) -> Never {
    try link.run { link throws(ClientFailure) in
      do throws(ClientFailure) {
        try printPending(link)
        let call = try startWatch(link)
        try link.forEachMessage(of: call) { bytes throws(ClientFailure) in
          try receive(DaemonLink.decode(bytes), call, link)
        }
      } catch {
        if error.interruption != nil { try context.console.flush() }
        throw error
      }
    }
  }

  /// Applies a frame and prints its events.
  private func receive(_ frame: Frame, _ call: ClientCall, _ link: DaemonLink) throws(ClientFailure) {
    if let welcome = frame.welcome { context.warnOfMissingLanguage(welcome.locale) }
    self.link.answered()
    guard let events = try? follower.apply(frame) else {
      // The two sides differ; attaching again brings them together.
      follower.discardMirror()
      call.cancel()
      throw link.failure(Status(.cancelled))
    }
    if let failure = SignedOut.failure(follower.mirror.panes) { throw failure }
    guard !frame.pacing.hasMore else { return }
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

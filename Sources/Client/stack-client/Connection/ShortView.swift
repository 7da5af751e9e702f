internal import ClientCore
internal import Messages
internal import RPC
internal import ViewState

/// A view that is opened to take a snapshot, then closed.
enum ShortView {
  /// Returns the first content of a view of `subject` or, without one, of `session` (empty for main). With `isWhole` it
  /// waits until all rows of the topmost pane are loaded.
  static func look(
    _ link: DaemonLink, session: String = "", subject: Subject? = nil, layout: LayoutParameters,
    isWhole: Bool = true
  ) throws(ClientFailure) -> ViewSnapshot {
    let hello = Hello(
      session: session, subject: subject, layout: layout, client: "stack-client \(Release.version)")
    let call = try link.start(Method.watch, WatchRequest(hello: hello), timeout: DaemonLink.callTimeout)
    var waiting: [[UInt8]] = []
    var end: Status?
    call.onMessage = { _, bytes in waiting.append(bytes) }
    call.onEnd = { _, status, _ in end = status }
    defer { if end == nil { call.cancel() } }
    var mirror = ViewSnapshot()
    while true {
      link.run { !waiting.isEmpty || end != nil }
      guard !waiting.isEmpty else { throw link.failure(end ?? Status(.unavailable, "the connection is closed")) }
      let frame: Frame = try DaemonLink.decode(waiting.removeFirst())
      guard (try? mirror.apply(frame)) != nil else {
        throw ClientFailure(.versionMismatch, "the daemon sent an incomplete first frame")
      }
      // A covered pane is not loaded for a view that does not show it.
      if !frame.pacing.hasMore && (!isWhole || mirror.panes.last?.status.isLoading != true) { return mirror }
    }
  }
}

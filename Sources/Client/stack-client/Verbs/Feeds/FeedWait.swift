internal import ClientCore
internal import Messages
internal import RPC
internal import UV

/// Waits until feeds have been read for the first time, and shows how far that is. Ctrl-C ends the wait; the daemon
/// goes on.
final class FeedWait {
  private let context: ClientContext
  private let feeds: Set<UInt64>
  private var mirror = SourceMirror()
  private var failure: ClientFailure?
  private var end: Status?
  private var isInterrupted = false
  private var reportedAt = Loop.now

  init(_ context: ClientContext, for feeds: Set<UInt64>) { (self.context, self.feeds) = (context, feeds) }

  private var progress: FeedProgress { FeedProgress(of: feeds, in: mirror) }

  /// Waits. Returns what was read by then.
  func run(_ link: DaemonLink) throws(ClientFailure) -> FeedProgress {
    guard !feeds.isEmpty else { return progress }
    let call = try link.start(Method.watchSources, EmptyMessage())
    let signal = try? UV.Signal(loop: link.loop, .interrupt) { [self] in isInterrupted = true }
    defer {
      signal?.close()
      call.cancel()
    }
    call.onMessage = { [self] _, bytes in received(bytes) }
    call.onEnd = { [self] _, status, _ in end = status }
    var done = progress
    link.run {
      done = progress
      return done.isComplete || isInterrupted || failure != nil || end != nil
    }
    context.console.endProgress()
    if let failure { throw failure }
    if let end { throw link.failure(end) }
    return done
  }

  private func received(_ bytes: [UInt8]) {
    do throws(ClientFailure) {
      _ = mirror.apply(try DaemonLink.decode(bytes))
    } catch {
      failure = error
    }
    let now = Loop.now
    guard now - reportedAt >= ImportUpload.progressInterval(context) else { return }
    reportedAt = now
    context.console.progress(progress.line)
  }
}

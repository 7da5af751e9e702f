internal import ClientCore
internal import Messages
internal import RPC

/// Prints an account's sources and each of their changes, across restarts of the daemon.
final class SourceWatching {
  private let context: ClientContext
  private let link: LastingLink
  private let writer: RecordWriter
  private var mirror = SourceMirror()

  init(_ context: ClientContext) {
    self.context = context
    link = LastingLink(context)
    writer = RecordWriter(context.options.format, traits: context.traits)
  }

  /// Runs until it is killed, the output is closed, or the daemon refuses.
  func run() throws(ClientFailure) -> Never {
    try link.run { link throws(ClientFailure) in
      let call = try link.start(Method.watchSources, EmptyMessage())
      mirror.restart()
      try link.forEachMessage(of: call) { bytes throws(ClientFailure) in try receive(DaemonLink.decode(bytes)) }
    }
  }

  private func receive(_ news: WatchSourcesResponse) throws(ClientFailure) {
    link.answered()
    for event in mirror.apply(news) { try context.console.write(writer.bytes(of: event.record)) }
    try context.console.flush()
  }
}

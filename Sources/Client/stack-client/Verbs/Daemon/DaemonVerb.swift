internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import UV

/// `daemon start`, `daemon stop`.
struct DaemonVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "daemon", abstract: "Start or stop the daemon.",
    discussion: """
      Examples:
        stack-client daemon start
        stack-client daemon stop; stack-client daemon start --listen 127.0.0.1:7825
      """, subcommands: [Start.self, Stop.self])

  /// Starts one, if none runs.
  struct Start: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "start", abstract: "Start the daemon, if none runs, and wait until it listens.")

    @Option(
      help: ArgumentHelp("Have it listen on a loopback address too; callers show a token.", valueName: "host:port"))
    var listen: String?

    @Option(help: ArgumentHelp("Let the members of this group connect too.", valueName: "name"))
    var group: String?

    @OptionGroup var options: CommonOptions

    /// What the daemon is told beside its socket.
    private var daemonOptions: [String] {
      [("--listen", listen), ("--group", group)].flatMap { name, value in value.map { [name, $0] } ?? [] }
    }

    func validate() throws {
      if let listen, SocketAddress(listen) == nil {
        throw ValidationError("--listen \(listen) is not HOST:PORT with a numeric host, such as 127.0.0.1:7825")
      }
      if group == "" { throw ValidationError("--group has no name") }
    }

    func run() throws {
      try ClientContext.run(options) { context in
        if let link = try? context.connectOnce() {
          link.close()
          guard daemonOptions.isEmpty else {
            throw ClientFailure(
              .failure, "a daemon listens at \(context.address.endpoint) already, and is told how when it starts",
              hint: "`stack-client daemon stop` ends it")
          }
          return context.console.notice("a daemon listens at \(context.address.endpoint) already")
        }
        try context.connect(daemonOptions: daemonOptions).close()
      }
    }
  }

  /// Ends the one that runs.
  struct Stop: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "stop", abstract: "Stop the daemon and wait until it is gone; everything is stored.")

    /// How long it may take to store everything and let go.
    static let patience = Duration.seconds(30)

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        guard let link = try context.connectIfRunning() else {
          return context.console.notice("no daemon runs at \(context.address.endpoint)")
        }
        // A daemon whose store is out of order cannot say how it does, but it can be stopped.
        let status = try? link.call(Method.getStatus, EmptyMessage(), as: DaemonStatus.self)
        let _: EmptyMessage = try link.call(Method.stop, EmptyMessage())
        link.close()
        if let status { try Self.waitUntilGone(Int32(clamping: status.processID), context) }
      }
    }

    /// Waits for the process, not for the socket, which goes first: what the daemon still has to store, it stores after
    /// that.
    private static func waitUntilGone(_ process: Int32, _ context: ClientContext) throws(ClientFailure) {
      let deadline = Loop.now + patience
      while UV.Process.isRunning(process) {
        guard Loop.now < deadline else {
          throw ClientFailure(.timedOut, "the daemon, process \(process), is still there", hint: "its log says why")
        }
        context.loop.wait(DaemonStarter.lookEvery)
      }
    }
  }
}

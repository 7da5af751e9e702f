internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import UV

/// `daemon`: starts and stops the daemon.
struct DaemonVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "daemon", abstract: "Start or stop the daemon.",
    discussion: """
      Examples:
        stack-client daemon start
        stack-client daemon stop
        stack-client daemon start --listen 127.0.0.1:7825
      """, subcommands: [Start.self, Stop.self])

  /// Starts the daemon if it is not running.
  struct Start: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "start", abstract: "Start the daemon if it is not running, and wait until it listens.")

    @Option(
      help: ArgumentHelp("Also listen on a loopback address, for clients with a token.", valueName: "host:port"))
    var listen: String?

    @Option(help: ArgumentHelp("Also let members of this group connect.", valueName: "name"))
    var group: String?

    @OptionGroup var options: CommonOptions

    /// The options of the daemon besides its socket.
    private var daemonOptions: [String] {
      [("--listen", listen), ("--group", group)].flatMap { name, value in value.map { [name, $0] } ?? [] }
    }

    func validate() throws {
      if let listen, SocketAddress(listen) == nil {
        throw ValidationError("--listen must be HOST:PORT with a numeric host, such as 127.0.0.1:7825, not '\(listen)'")
      }
      if group == "" { throw ValidationError("--group needs a name") }
    }

    func run() throws {
      try ClientContext.run(options) { context in
        if let link = try? context.connectOnce() {
          link.close()
          guard daemonOptions.isEmpty else {
            throw ClientFailure(
              .failure,
              "a daemon is already running at \(context.address.endpoint), and options apply only when it starts",
              hint: "`stack-client daemon stop` stops it")
          }
          return context.console.notice("a daemon is already running at \(context.address.endpoint)")
        }
        try context.connect(daemonOptions: daemonOptions).close()
      }
    }
  }

  /// Stops the daemon.
  struct Stop: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "stop", abstract: "Stop the daemon, and wait until it has stored everything and exited.")

    /// The time limit for the daemon to store everything and exit.
    static let patience = Duration.seconds(30)

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        guard let link = try context.connectIfRunning() else {
          return context.console.notice("no daemon is running at \(context.address.endpoint)")
        }
        // A daemon with a broken store cannot report its status, but it can be stopped.
        let status = try? link.call(Method.getStatus, EmptyMessage(), as: DaemonStatus.self)
        let _: EmptyMessage = try link.call(Method.stop, EmptyMessage())
        link.close()
        if let status { try Self.waitUntilGone(Int32(clamping: status.processID), context) }
      }
    }

    /// Waits for the process, not for the socket: the daemon removes the socket first and then stores what is left.
    private static func waitUntilGone(_ process: Int32, _ context: ClientContext) throws(ClientFailure) {
      let deadline = Loop.now + patience
      while UV.Process.isRunning(process) {
        guard Loop.now < deadline else {
          throw ClientFailure(.timedOut, "the daemon (process \(process)) is still running", hint: "see its log")
        }
        context.loop.wait(DaemonStarter.lookEvery)
      }
    }
  }
}

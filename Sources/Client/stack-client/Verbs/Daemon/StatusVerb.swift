internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import UV

/// `status`: how the daemon does. Never starts one.
struct StatusVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Say how the daemon does; exit code 5 if none runs.",
    discussion: """
      Example:
        stack-client status --json
      """)

  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      let link = try context.connectToRunning()
      defer { link.close() }
      let status: DaemonStatus = try link.call(Method.getStatus, EmptyMessage())
      let now = Loop.wallClockMilliseconds
      try context.console.write(
        options.wantsJSON
          ? StatusReport.json(status, socket: context.address.endpoint.description, now: now)
          : StatusReport.lines(status, socket: context.address.endpoint.description, now: now, traits: context.traits))
    }
  }
}

/// `version`: this client's, and the daemon's if one runs.
struct VersionVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version", abstract: "Print the versions of the client and of the daemon that runs.")

  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      var daemon: DaemonStatus?
      if let link = try? context.connectOnce() {
        defer { link.close() }
        daemon = try link.call(Method.getStatus, EmptyMessage())
      }
      try context.console.write(StatusReport.versions(of: daemon, asJSON: options.wantsJSON))
    }
  }
}

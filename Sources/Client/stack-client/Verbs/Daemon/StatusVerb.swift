internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import UV

/// `status`: the status of the daemon. Never starts one.
struct StatusVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Print the daemon's status; exits with 5 if it is not running.",
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
      try context.write(
        status.record(socket: context.address.endpoint.description, now: Loop.wallClockMilliseconds))
    }
  }
}

/// `version`: the version of this client, and of the daemon if it is running.
struct VersionVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version", abstract: "Print the versions of the client and of the running daemon.")

  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      var daemon: DaemonStatus?
      var trouble: ClientFailure?
      do throws(ClientFailure) {
        if let link = try context.connectIfRunning() {
          defer { link.close() }
          daemon = try link.call(Method.getStatus, EmptyMessage())
        }
      } catch {
        trouble = error
      }
      try context.write(.versions(of: daemon))
      guard let trouble else { return }
      // The client's own version is printed even if the daemon refuses.
      try context.console.flush()
      context.console.notice("unknown daemon version: \(trouble.message)")
    }
  }
}

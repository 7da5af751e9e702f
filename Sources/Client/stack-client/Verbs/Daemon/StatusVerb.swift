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
      try context.tell(
        status.record(socket: context.address.endpoint.description, now: Loop.wallClockMilliseconds))
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
      var trouble: ClientFailure?
      do throws(ClientFailure) {
        if let link = try context.connectIfRunning() {
          defer { link.close() }
          daemon = try link.call(Method.getStatus, EmptyMessage())
        }
      } catch {
        trouble = error
      }
      try context.tell(.versions(of: daemon))
      guard let trouble else { return }
      // One's own version needs nobody's leave.
      try context.console.flush()
      context.console.notice("the daemon's version is not known: \(trouble.message)")
    }
  }
}

internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import RPC

/// `export`: all posts as JSON Lines, as fast as they are read.
struct ExportVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Export all posts as JSON Lines, oldest first.",
    discussion: """
      Examples:
        stack-client export > everything.jsonl
        stack-client export --public-only | gzip > public.jsonl.gz
      """)

  @Flag(help: "Only public and unlisted posts.")
  var publicOnly = false

  @OptionGroup var options: CommonOptions

  func validate() throws {
    if options.plain || options.json {
      throw ValidationError("export always writes JSON Lines; it has no --plain or --json")
    }
  }

  func run() throws {
    try ClientContext.run(options) { context in
      let link = try context.connect()
      defer { link.close() }
      let call = try link.start(Method.export, ExportRequest(publicOnly: publicOnly))
      var failure: ClientFailure?
      var end: Status?
      call.onMessage = { _, bytes in
        guard failure == nil else { return }
        do throws(ClientFailure) {
          let lines: ExportResponse = try DaemonLink.decode(bytes)
          try context.console.write(lines.lines)
        } catch {
          failure = error
        }
      }
      call.onEnd = { _, status, _ in end = status }
      link.run { end != nil || failure != nil }
      if let failure { throw failure }
      if let end, !end.isOK { throw link.failure(end) }
    }
  }
}

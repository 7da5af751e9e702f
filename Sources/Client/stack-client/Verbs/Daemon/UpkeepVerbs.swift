internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `integrity`: checks the store for damage.
struct IntegrityVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "integrity",
    abstract: "Check the whole store for damage; exits with 1 if there is any.",
    discussion: """
      Example:
        stack-client integrity && stack-client backup /backups/$(date +%F).db
      """)

  /// The time limit for checking or copying a whole store.
  static let patience = Duration.seconds(3600)

  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      let answer: CheckIntegrityResponse = try context.ask(
        Method.checkIntegrity, EmptyMessage(), timeout: Self.patience)
      try context.write(answer.record)
      guard answer.findings.isEmpty else {
        try context.console.flush()
        throw ClientFailure(
          .failure, "the store is damaged",
          hint: "stop the daemon and start it on a backup: `stack-daemon --store PATH`")
      }
    }
  }
}

/// `backup`: copies the store.
struct BackupVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy the store while the daemon is running.",
    discussion: """
      Examples:
        stack-client backup stack.db
        stack-daemon --store stack.db --socket /tmp/copy/daemon.sock
      """)

  @Argument(help: ArgumentHelp("A new file on the daemon's machine.", valueName: "path"), completion: .file())
  var path: String

  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      guard path.hasPrefix("/") || context.address.isOnThisMachine else {
        throw ClientFailure(
          .usage, "the path of a backup over TCP must be absolute, not '\(path)'",
          hint: "it is a path on the daemon's machine")
      }
      let request = BackupRequest(path: context.absolute(path))
      let answer: BackupResponse = try context.ask(Method.backup, request, timeout: IntegrityVerb.patience)
      try context.write(answer.record)
    }
  }
}

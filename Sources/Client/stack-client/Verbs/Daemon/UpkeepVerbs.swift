internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `integrity`: whether the store is sound.
struct IntegrityVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "integrity",
    abstract: "Read all of the store and say what is wrong with it; exit code 1 if anything is.",
    discussion: """
      Example:
        stack-client integrity && stack-client backup /backups/stack-$(date +%F).db
      """)

  /// How long all of a store may take to be read or copied.
  static let patience = Duration.seconds(3600)

  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      let answer: CheckIntegrityResponse = try context.ask(
        Method.checkIntegrity, EmptyMessage(), timeout: Self.patience)
      try context.tell(answer.record)
      guard answer.findings.isEmpty else {
        try context.console.flush()
        throw ClientFailure(
          .failure, "the store is damaged", hint: "end the daemon and start one on a backup: stack-daemon --store PATH")
      }
    }
  }
}

/// `backup`: a copy of the store.
struct BackupVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Write a copy of the store while everything goes on.",
    discussion: """
      Examples:
        stack-client backup stack.db
        stack-daemon --store stack.db --socket /tmp/copy/daemon.sock      looks into it
      """)

  @Argument(help: ArgumentHelp("A file that does not exist yet, on the daemon's machine.", valueName: "path"))
  var path: String

  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      guard path.hasPrefix("/") || context.address.isOnThisMachine else {
        throw ClientFailure(
          .usage, "'\(path)' has to begin with /",
          hint: "it is on the daemon's machine, which does not know your folder")
      }
      let request = BackupRequest(path: context.absolute(path))
      let answer: BackupResponse = try context.ask(Method.backup, request, timeout: IntegrityVerb.patience)
      try context.tell(answer.record)
    }
  }
}

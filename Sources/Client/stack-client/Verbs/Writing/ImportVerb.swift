internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import UV

/// `import`: brings posts in from files.
struct ImportVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Bring posts in from files or an archive's folder.",
    discussion: """
      Examples:
        stack-client import tweets.js account.js --me
        stack-client import twitter-2024/ --me
        stack-client import mastodon-json home.json --source mastodon.example
        stack-client import jsonl everything.jsonl --dry-run

      Formats:
      \(ImportSelection.formatTable)

      A second import of the same file adds nothing. Ctrl-C keeps what is stored by then.
      """)

  @Argument(
    help: ArgumentHelp(
      "A format, which may be left out, then files, folders of archives, or -.", valueName: "format|file"))
  var words: [String]

  @Option(help: ArgumentHelp("Name of the space of ids the posts come from, such as a server's.", valueName: "name"))
  var source: String?

  @Flag(help: "The author of the archive is me.")
  var me = false

  @Flag(help: "Read and report, store nothing.")
  var dryRun = false

  @Flag(help: "Exit with 7 if anything was skipped.")
  var strict = false

  @OptionGroup var options: CommonOptions

  func validate() throws {
    if ImportSelection.split(words).files.isEmpty { throw ValidationError("import needs a file") }
    if options.plain { throw ValidationError("import has no --plain; --json reports for programs") }
  }

  func run() throws {
    try ClientContext.run(options) { context in
      let (format, names) = ImportSelection.split(words)
      let files = try ImportFiles(names)
      let upload = ImportUpload(
        context: context, files: files,
        header: .header(format: format, source: source ?? "", isMe: me, dryRun: dryRun))
      let link = try context.connect()
      defer { link.close() }
      let outcome = try upload.run(link)
      try report(outcome, context)
      if outcome.isInterrupted { throw ClientFailure(.interrupted, "") }
      let response = outcome.response
      if response.skipped > 0, response.new + response.changed + response.same == 0 {
        throw ClientFailure(.failure, "nothing in \(names.joined(separator: ", ")) could be imported")
      }
      if !outcome.claimTrouble.isEmpty {
        throw ClientFailure.told(.partlyDone, "the posts are stored, but not as yours: \(outcome.claimTrouble)")
      }
      if strict && response.skipped > 0 { throw ClientFailure(.partlyDone, ImportProgress.strict(response)) }
    }
  }

  private func report(_ outcome: ImportUpload.Outcome, _ context: ClientContext) throws(ClientFailure) {
    let isWhole = !outcome.isInterrupted
    if options.wantsJSON {
      try context.console.write(
        ImportProgress.json(outcome.response, skips: outcome.skips, isDryRun: dryRun, isWhole: isWhole))
    } else {
      let lines = ImportProgress.report(outcome.response, skips: outcome.skips, isDryRun: dryRun, isWhole: isWhole)
      var text = TerminalText(.bare)
      for line in lines {
        text.append(line)
        text.endLine()
      }
      try context.console.write(text.bytes)
    }
    try context.console.flush()
  }
}

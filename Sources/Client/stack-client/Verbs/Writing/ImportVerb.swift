internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import UV

/// `import`: imports posts from files.
struct ImportVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import posts from files or from the directory of an archive.",
    discussion: """
      Examples:
        stack-client import tweets.js account.js --me
        stack-client import twitter-2024/ --me
        stack-client import mastodon-json home.json --source mastodon.example
        stack-client import jsonl everything.jsonl --dry-run
        stack-client import --undo last

      Formats:
      \(ImportSelection.formatTable)

      Importing the same file again adds nothing. Ctrl-C keeps the posts stored so far.
      --source names the source of posts that name none; those of an export keep theirs.
      """)

  @Argument(
    help: ArgumentHelp(
      "A format (optional), then files, archive directories, or - for standard input.", valueName: "format|file"),
    completion: .file())
  var words: [String] = []

  @Option(
    help: ArgumentHelp(
      "Take an import back, by its number as shown by imports, or the last one; without a terminal it needs --yes.",
      valueName: "number|last"))
  var undo: String?

  @Flag(name: .shortAndLong, help: "With --undo: do not ask.")
  var yes = false

  @Option(help: ArgumentHelp("Source of posts that name none, such as the name of a server.", valueName: "name"))
  var source: String?

  @Flag(help: "Claim the posts of the archive's author as yours.")
  var me = false

  @Flag(help: "Show public posts by others to every account, if the daemon has several.")
  var publish = false

  @Flag(help: "Read and report, but store nothing.")
  var dryRun = false

  @Flag(help: "Exit with code 7 if anything was skipped.")
  var strict = false

  @OptionGroup var options: CommonOptions

  func validate() throws {
    if let undo {
      guard words.isEmpty else { throw ValidationError("--undo takes no files") }
      guard undo == "last" || UInt64(undo) != nil else {
        throw ValidationError("not an import: '\(undo)'; give its number, or last")
      }
      return
    }
    if words.isEmpty { throw ValidationError("an argument is missing: <format|file>") }
    if options.plain { throw ValidationError("import has no --plain; use --json for programs") }
  }

  func run() throws {
    if let undo { return try takeBack(undo) }
    try ClientContext.run(options) { context in
      let (format, names) = ImportSelection.split(words)
      let files = try ImportFiles(names)
      let upload = ImportUpload(
        context: context, files: files,
        header: .header(format: format, source: source ?? "", isMe: me, dryRun: dryRun, publishes: publish))
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
        throw ClientFailure.fromDaemon(
          .partlyDone, "the posts were imported, but not as yours: \(outcome.claimTrouble)")
      }
      if strict && response.skipped > 0 { throw ClientFailure(.partlyDone, ImportProgress.strict(response)) }
    }
  }

  private func takeBack(_ wanted: String) throws {
    try ClientContext.run(options) { context in
      let imports = try context.list(Method.listImports, ListImportsResponse.self) { page in
        var request = ListImportsRequest()
        request.page = page
        return request
      }
      let id = UInt64(wanted) ?? imports.first?.importID
      guard let id else { throw ClientFailure(.notFound, "there is no import to take back") }
      let known = imports.first { $0.importID == id }
      let what =
        known.map { "import \(id) (\($0.file), \(NumberText.count(Int(clamping: $0.new), "post", "posts")))" }
        ?? "import \(id)"
      try context.confirm("take back \(what)? This cannot be undone.", isAnswered: yes)
      // The import of another account is for administrators, with forget.
      try ImportForgetting(context).forget(.importID(id))
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
    let id = outcome.response.importID
    if id != 0, context.console.noticesGoToTerminal {
      context.console.notice("this is import \(id); `stack-client import --undo \(id)` takes it back")
    }
  }
}

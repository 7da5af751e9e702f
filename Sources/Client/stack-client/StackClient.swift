internal import ArgumentParser
internal import ClientCore
internal import UV

/// The command line as a whole.
struct StackClient: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stack-client",
    abstract: "Reads and writes the timeline that stack-daemon keeps.",
    discussion: """
      Examples:
        stack-client                              the whole screen; in a pipe, the newest posts
        stack-client post "Hello, harbour"        write one; prints its number
        deploy.sh | stack-client post -           post what a script says
        stack-client watch mentions               stay, and print what arrives
        stack-client conversation 42              all of a thread
        stack-client search 'otter from:ann'      find posts
        stack-client import tweets.js --me        bring in an archive of your own
        stack-client timeline --since 2h --plain | cut -f 3,5
        stack-client export > everything.jsonl    take everything out again

      A post is named by the number under it, or by source:native-id. If no daemon runs, one is started. \
      Exit codes: 0 done, 1 failure, 2 usage, 3 not found, 4 refused, 5 daemon unreachable, 6 timeout, 7 partly done, \
      8 version mismatch, 130 interrupted, 141 output closed.
      """,
    version: "stack-client \(ClientVersion.current)",
    groupedSubcommands: [
      CommandGroup(
        name: "Reading",
        subcommands: [
          TimelineVerb.self, MentionsVerb.self, MessagesVerb.self, ProfileVerb.self, SearchVerb.self,
          ConversationVerb.self,
          ShowVerb.self, WatchVerb.self, CountVerb.self, MarkVerb.self, MeasureVerb.self,
        ]),
      CommandGroup(
        name: "Writing",
        subcommands: [
          PostVerb.self, ReplyVerb.self, EditVerb.self, DeleteVerb.self, DraftsVerb.self,
        ] + MarkArguments.verbs + [
          UndoVerb.self, RedoVerb.self, OutboxVerb.self, RetryVerb.self, DiscardVerb.self, ImportVerb.self,
          ExportVerb.self,
        ]),
      CommandGroup(
        name: "People",
        subcommands: [
          FollowVerb.self, UnfollowVerb.self, FollowsVerb.self, ListVerb.self, MuteVerb.self, UnmuteVerb.self,
          BlockVerb.self,
          UnblockVerb.self, MuteWordVerb.self, UnmuteWordVerb.self, MutedVerb.self,
        ]),
      CommandGroup(
        name: "Panes", subcommands: [AttachVerb.self, PaneVerb.self, SessionVerb.self, ReadPositionVerb.self]),
      CommandGroup(
        name: "Daemon",
        subcommands: [
          StatusVerb.self, DaemonVerb.self, WhoAmIVerb.self, AccountVerb.self, TokenVerb.self, IntegrityVerb.self,
          BackupVerb.self,
          VersionVerb.self,
        ]),
    ])

  /// All verbs.
  static var verbs: [any ParsableCommand.Type] { configuration.groupedSubcommands.flatMap(\.subcommands) }

  /// The names of `commands`, other ones too.
  private static func names(of commands: [any ParsableCommand.Type]) -> Set<String> {
    commands.reduce(into: []) { names, command in
      names.insert(command._commandName)
      names.formUnion(command.configuration.aliases)
    }
  }

  /// The verbs, those of groups beneath theirs, as `CommandLineOrder` wants them.
  static var order: CommandLineOrder {
    var groups: [String: Set<String>] = [:]
    for verb in verbs where !verb.configuration.subcommands.isEmpty {
      for name in names(of: [verb]) { groups[name] = names(of: verb.configuration.subcommands) }
    }
    return CommandLineOrder(verbs: names(of: verbs).union(["help"]), groups: groups)
  }

  /// Does what the words say, and tells of a failure in one line on standard error.
  static func run(_ words: [String]) -> ClientCore.ExitCode {
    do {
      let isOnTerminal =
        Descriptor.standardInput.isTerminal && Descriptor.standardOutput.isTerminal && ScreenProgram.canPlaceText
      var command = try parse(words: words, onTerminal: isOnTerminal)
      try command.run()
      return .done
    } catch let failure as ClientFailure {
      // A closed pipe is how the reader says "enough".
      if failure.exitCode != .closedPipe && !failure.message.isEmpty { tell(failure, words) }
      return failure.exitCode
    } catch {
      return finish(error, words)
    }
  }

  /// The command that the words stand for.
  static func parse(words: [String], onTerminal: Bool = false) throws -> any ParsableCommand {
    try parseAsRoot(try settle(try order.arrange(words, onTerminal: onTerminal)))
  }

  /// The arranged words with what is text told from options.
  private static func settle(_ words: [String]) throws(ClientFailure) -> [String] {
    var head = 0
    var found: (any ParsableCommand.Type)?
    var candidates = verbs
    while head < words.count, let next = candidates.first(where: { names(of: [$0]).contains(words[head]) }) {
      head += 1
      found = next
      candidates = next.configuration.subcommands
    }
    guard let verb = found as? any TextVerb.Type else {
      try DashWords.refuseHiddenHelp(words)
      return words
    }
    return Array(words[..<head])
      + (try DashWords(verb.optionNames, isQuery: verb.isQuery).arrange(Array(words[head...])))
  }

  /// What the parser throws: a request for help, which is no failure, or a command line it does not understand.
  private static func finish(_ error: any Error, _ words: [String]) -> ClientCore.ExitCode {
    let text = fullMessage(for: error)
    if exitCode(for: error).isSuccess {
      try? Descriptor.standardOutput.write(Array((text + "\n").utf8))
      return .done
    }
    tell(usageFailure(error), words)
    return .usage
  }

  /// A misunderstood command line as a failure.
  static func usageFailure(_ error: any Error) -> ClientFailure {
    let lines = message(for: error).split(separator: "\n")
    // What is possible may stand below, each in a line of its own behind a dash.
    let choices = lines.dropFirst().filter { $0.hasPrefix("  - ") }.map { $0.dropFirst(4) }.joined(separator: ", ")
    let first = lines.first.map(String.init) ?? "the command line is not understood"
    let text = choices.isEmpty ? first : "\(first) \(choices)"
    // A sentence that ends in a question already says what to do.
    if text.hasSuffix("?") { return ClientFailure(.usage, text) }
    return ClientFailure(
      .usage, text.hasSuffix(".") ? String(text.dropLast()) : text, hint: "`stack-client --help` shows how")
  }

  private static func tell(_ failure: ClientFailure, _ words: [String]) {
    let wantsJSON = words.prefix { $0 != "--" }.contains { $0 == "--json" || $0 == "--jsonl" }
    try? Descriptor.standardError.write(failure.report(asJSON: wantsJSON))
  }
}

internal import ArgumentParser
internal import ClientCore
internal import UV
internal import ViewState

/// The root command.
struct StackClient: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stack-client",
    abstract: "Read and write the timeline of stack-daemon.",
    discussion: """
      Examples:
        stack-client                            the full screen, or posts in a pipe
        stack-client post "Hello, harbour"      write a post; prints its ID
        deploy.sh | stack-client post -         post the output of a script
        stack-client watch mentions             print new mentions as they arrive
        stack-client conversation 42            print a whole thread
        stack-client search 'otter from:ann'    find posts
        stack-client import tweets.js --me      import an archive of your own
        stack-client timeline --since 2h --plain | cut -f 3,5
        stack-client export > everything.jsonl  export all posts

      A post is named by its ID, the number under it, or by source:native-id. If no daemon is running, one is started. \
      `shell-setup` prints an alias and completion for your shell. Exit codes: 0 done, 1 failure, \
      2 usage, 3 not found, 4 refused, 5 daemon unreachable, 6 timeout, 7 partly done, 8 version mismatch, \
      130 interrupted, 141 output closed.
      """,
    version: "stack-client \(Release.version)",
    groupedSubcommands: [
      CommandGroup(
        name: "Reading",
        subcommands: [
          TimelineVerb.self, MentionsVerb.self, MessagesVerb.self, ProfileVerb.self, SavedVerb.self,
          FavouritesVerb.self,
          SearchVerb.self, ConversationVerb.self,
          ShowVerb.self, DetailsVerb.self, WatchVerb.self, CountVerb.self, MarkVerb.self, MeasureVerb.self,
          FetchVerb.self,
        ]),
      CommandGroup(
        name: "Writing",
        subcommands: [
          PostVerb.self, ReplyVerb.self, EditVerb.self, DeleteVerb.self, DraftsVerb.self, FavouriteVerb.self,
          RepostVerb.self, SaveVerb.self, MuteConversationVerb.self,
          UndoVerb.self, RedoVerb.self, OutboxVerb.self, RetryVerb.self, DiscardVerb.self, ImportVerb.self,
          ImportsVerb.self, ForgetVerb.self, ExportVerb.self,
        ]),
      CommandGroup(
        name: "People",
        subcommands: [
          PeopleVerb.self, FollowVerb.self, UnfollowVerb.self, FollowsVerb.self, FollowersVerb.self,
          FeedVerb.self, ListVerb.self,
          MuteVerb.self,
          UnmuteVerb.self, BlockVerb.self,
          UnblockVerb.self, MuteWordVerb.self, UnmuteWordVerb.self, MutedVerb.self,
        ]),
      CommandGroup(
        name: "Panes", subcommands: [AttachVerb.self, PaneVerb.self, SessionVerb.self, ReadPositionVerb.self]),
      CommandGroup(
        name: "Daemon",
        subcommands: [
          StatusVerb.self, SourcesVerb.self, LoginVerb.self, LogoutVerb.self,
          DaemonVerb.self, WhoAmIVerb.self, AccountVerb.self, TokenVerb.self,
          StoreVerb.self, IntegrityVerb.self, BackupVerb.self, ShellSetupVerb.self, VersionVerb.self,
        ]),
    ])

  /// All verbs.
  static var verbs: [any ParsableCommand.Type] { configuration.groupedSubcommands.flatMap(\.subcommands) }

  /// Returns the names of `commands`, aliases included.
  private static func names(of commands: [any ParsableCommand.Type]) -> Set<String> {
    commands.reduce(into: []) { names, command in
      names.insert(command._commandName)
      names.formUnion(command.configuration.aliases)
    }
  }

  /// The verbs and their subcommands, for finding the verb in a command line.
  static var order: CommandLineOrder {
    var groups: [String: Set<String>] = [:]
    for verb in verbs where !verb.configuration.subcommands.isEmpty {
      for name in names(of: [verb]) { groups[name] = names(of: verb.configuration.subcommands) }
    }
    return CommandLineOrder(verbs: names(of: verbs).union(["help"]), groups: groups)
  }

  /// Runs a command line. Reports a failure in one line on standard error.
  static func run(_ words: [String]) -> ClientCore.ExitCode {
    let isOnTerminal =
      Descriptor.standardInput.isTerminal && Descriptor.standardOutput.isTerminal && ScreenProgram.canPlaceText
    do {
      var command = try parse(words: words, onTerminal: isOnTerminal)
      try command.run()
      return .done
    } catch let failure as ClientFailure {
      // A closed pipe means that the reader has seen enough.
      if failure.exitCode == .closedPipe || failure.message.isEmpty { return failure.exitCode }
      var reported = failure
      if failure.exitCode == .usage && failure.hint.isEmpty {
        reported.hint = ParserMessage.helpHint(verb: verbPath(words, onTerminal: isOnTerminal))
      }
      report(reported, words)
      return failure.exitCode
    } catch {
      // A request for help is not a failure.
      guard exitCode(for: error).isSuccess else {
        report(usageFailure(error, verb: verbPath(words, onTerminal: isOnTerminal)), words)
        return .usage
      }
      return printHelp(fullMessage(for: error), words)
    }
  }

  /// Prints what was asked for instead of running a verb: a help text, the version or a completion script.
  private static func printHelp(_ text: String, _ words: [String]) -> ClientCore.ExitCode {
    let console = Console(isQuiet: false)
    do throws(ClientFailure) {
      try console.write(text + "\n")
      try console.flush()
      return .done
    } catch {
      if error.exitCode != .closedPipe { report(error, words) }
      return error.exitCode
    }
  }

  /// Parses a command line.
  static func parse(words: [String], onTerminal: Bool = false) throws -> any ParsableCommand {
    let arranged = try order.arrange(words, onTerminal: onTerminal)
    try checkTopic(of: arranged)
    try checkCommand(in: arranged)
    let separated = try separateText(in: arranged)
    let (verb, end) = findVerb(in: separated)
    // A verb alone is parsed faster than among all others; help names the whole command.
    guard let verb, verb.configuration.subcommands.isEmpty,
      !separated.prefix(while: { $0 != "--" }).contains(where: CommandLineOrder.belongsToProgram)
    else { return try parseAsRoot(separated) }
    return try verb.parseAsRoot(Array(separated[end...]))
  }

  /// Refuses arranged words that ask for the help of something that is not a verb: the parser would print the overview.
  private static func checkTopic(of words: [String]) throws(ClientFailure) {
    guard words.first == "help" else { return }
    let topic = words.dropFirst().filter { !$0.hasPrefix("-") }
    let known = findVerb(in: topic).end
    guard topic.indices.contains(known), topic != ["help"] else { return }
    if known == 0 { throw order.unknownVerb(topic[0]) }
    throw ClientFailure(
      .usage, "unknown verb '\(topic.joined(separator: " "))'",
      hint: ParserMessage.helpHint(verb: Array(topic[..<known])))
  }

  /// Refuses arranged words in which a verb with commands of its own, such as `mark`, is followed by something else.
  private static func checkCommand(in words: [String]) throws(ClientFailure) {
    let (verb, end) = findVerb(in: words)
    guard let verb, !verb.configuration.subcommands.isEmpty, words.indices.contains(end), !words[end].hasPrefix("-")
    else { return }
    let commands = verb.configuration.subcommands.map { $0._commandName }
    throw CommandLineOrder.unknownCommand(words[end], of: Array(words[..<end]), commands)
  }

  /// Moves text behind the options in arranged words, for a verb that takes text.
  private static func separateText(in words: [String]) throws(ClientFailure) -> [String] {
    let (found, end) = findVerb(in: words)
    let path = Array(words[..<end])
    guard let verb = found as? any TextVerb.Type else {
      try DashWords.refuseHiddenHelp(words, verb: path)
      guard let found, words[end...].contains(where: DashWords.isNumber) else { return words }
      return path + DashWords.separateNumbers(in: words[end...], OptionNames(of: found))
    }
    // The names are read from the help, which takes time.
    guard words[end...].contains(where: DashWords.hasDash) else { return words }
    let text = DashWords(OptionNames(of: verb), isQuery: verb.isQuery, verb: path)
    return path + (try text.arrange(Array(words[end...])))
  }

  /// Finds the verb at the front of arranged words, and the index of the first word after it.
  private static func findVerb(in words: [String]) -> (verb: (any ParsableCommand.Type)?, end: Int) {
    var end = 0
    var found: (any ParsableCommand.Type)?
    var candidates = verbs
    while end < words.count, let next = candidates.first(where: { names(of: [$0]).contains(words[end]) }) {
      end += 1
      found = next
      candidates = next.configuration.subcommands
    }
    return (found, end)
  }

  /// Returns the words of a command line that name its verb, such as `pane push`; empty if there is none.
  static func verbPath(_ words: [String], onTerminal: Bool = false) -> [String] {
    guard let arranged = try? order.arrange(words, onTerminal: onTerminal) else { return [] }
    return Array(arranged[..<findVerb(in: arranged).end])
  }

  /// Returns the failure for an error of the parser.
  static func usageFailure(_ error: any Error, verb: [String] = []) -> ClientFailure {
    ParserMessage.failure(message(for: error), hint: ParserMessage.helpHint(verb: verb))
  }

  private static func report(_ failure: ClientFailure, _ words: [String]) {
    let wantsJSON = words.prefix { $0 != "--" }.contains { $0 == "--json" || $0 == "--jsonl" }
    try? Descriptor.standardError.write(failure.report(asJSON: wantsJSON))
  }
}

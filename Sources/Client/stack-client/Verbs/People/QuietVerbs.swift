internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `mute`: an author is not seen any more.
struct MuteVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mute",
    abstract: "Hide an author's posts from your timeline, mentions, lists and searches; they are not told.",
    discussion: """
      Examples:
        stack-client mute @ann
        stack-client unmute @ann
        stack-client muted
      """)

  @OptionGroup var subject: QuietAuthor

  func run() throws { try subject.change(Method.mute) }
}

/// `unmute`: they are seen again.
struct UnmuteVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unmute", abstract: "Show an author's posts again.",
    discussion: """
      Example:
        stack-client unmute @ann
      """)

  @OptionGroup var subject: QuietAuthor

  func run() throws { try subject.change(Method.unmute) }
}

/// `block`: neither sees the other.
struct BlockVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "block", abstract: "Mute an author, and have neither of you follow the other; they are not told.",
    discussion: """
      Example:
        stack-client block @ann
      """)

  @OptionGroup var subject: QuietAuthor

  func run() throws { try subject.block() }
}

/// `unblock`: the end of that.
struct UnblockVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unblock", abstract: "Block an author no longer; who follows whom stays as it is.",
    discussion: """
      Example:
        stack-client unblock @ann
      """)

  @OptionGroup var subject: QuietAuthor

  func run() throws { try subject.change(Method.unblock) }
}

/// `mute-word`: posts with it are not seen any more.
struct MuteWordVerb: TextVerb {
  static let configuration = CommandConfiguration(
    commandName: "mute-word",
    abstract: "Hide posts of others with a word, a phrase or a #tag; searches still find them.",
    discussion: """
      Examples:
        stack-client mute-word otter
        stack-client mute-word "otter of the year"
        stack-client mute-word '#otter'
      """)

  @OptionGroup var subject: QuietWord

  func run() throws { try subject.change(Method.muteWord) }
}

/// `unmute-word`: they are seen again.
struct UnmuteWordVerb: TextVerb {
  static let configuration = CommandConfiguration(
    commandName: "unmute-word", abstract: "Show posts with a muted word again.",
    discussion: """
      Example:
        stack-client unmute-word otter
      """)

  @OptionGroup var subject: QuietWord

  func run() throws { try subject.change(Method.unmuteWord) }
}

/// `muted`: all of it.
struct MutedVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "muted", abstract: "Print whom and which words you have muted, and whom you have blocked.",
    discussion: """
      Examples:
        stack-client muted
        stack-client muted --json | jq -r '.words[]'
      """)

  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      try context.tell(MutedItem.record(of: try context.list(Method.listMuted, ListMutedResponse.self)))
    }
  }
}

/// Whom one mutes or blocks, or no longer does.
struct QuietAuthor: ParsableArguments {
  @Argument(help: AuthorArgument.help)
  var author: String

  @OptionGroup var options: CommonOptions

  func validate() throws { try AuthorArgument.check(author) }

  /// Mutes the author, or takes that or a block back, and tells what came of it.
  func change(_ method: String) throws {
    try ClientContext.run(options) { context in
      let answer: MuteResponse = try context.command(method, request)
      try context.tell(answer.record)
    }
  }

  /// Blocks the author, and tells what came of it.
  func block() throws {
    try ClientContext.run(options) { context in
      let answer: BlockResponse = try context.command(Method.block, request)
      try context.tell(answer.record)
    }
  }

  private var request: AuthorRequest { AuthorRequest(author: AuthorArgument.reference(author)) }
}

/// What one mutes, or no longer does.
struct QuietWord: ParsableArguments {
  @Argument(help: ArgumentHelp("A word, several that follow one another, or #tag.", valueName: "word"))
  var words: [String]

  @OptionGroup var options: CommonOptions

  /// Does it, and tells what came of it.
  func change(_ method: String) throws {
    try ClientContext.run(options) { context in
      let answer: MuteResponse = try context.command(method, MutedWordRequest(word: words.joined(separator: " ")))
      try context.tell(answer.record)
    }
  }
}

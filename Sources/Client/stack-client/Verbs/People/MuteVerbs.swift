internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `mute`: hides an author's posts.
struct MuteVerb: AuthorVerb {
  static let configuration = CommandConfiguration(
    commandName: "mute",
    abstract: "Hide an author's posts from your timeline, mentions, lists and searches. They are not notified.",
    discussion: """
      Examples:
        stack-client mute @ann
        stack-client unmute @ann
        stack-client muted
      """)

  @Argument(help: AuthorArgument.help)
  var author: String

  @OptionGroup var options: CommonOptions

  func run() throws { try change(Method.mute) }
}

/// `unmute`: shows an author's posts again.
struct UnmuteVerb: AuthorVerb {
  static let configuration = CommandConfiguration(
    commandName: "unmute", abstract: "Show an author's posts again.",
    discussion: """
      Example:
        stack-client unmute @ann
      """)

  @Argument(help: AuthorArgument.help)
  var author: String

  @OptionGroup var options: CommonOptions

  func run() throws { try change(Method.unmute) }
}

/// `block`: mutes an author and ends following both ways.
struct BlockVerb: AuthorVerb {
  static let configuration = CommandConfiguration(
    commandName: "block",
    abstract: "Block an author: hide their posts and messages and end following both ways. They are not notified.",
    discussion: """
      Example:
        stack-client block @ann
      """)

  @Argument(help: AuthorArgument.help)
  var author: String

  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      let answer: BlockResponse = try context.command(Method.block, request)
      try context.write(answer.record)
    }
  }
}

/// `unblock`: unblocks an author.
struct UnblockVerb: AuthorVerb {
  static let configuration = CommandConfiguration(
    commandName: "unblock", abstract: "Unblock an author. This does not restore any following.",
    discussion: """
      Example:
        stack-client unblock @ann
      """)

  @Argument(help: AuthorArgument.help)
  var author: String

  @OptionGroup var options: CommonOptions

  func run() throws { try change(Method.unblock) }
}

/// `mute-word`: hides posts with a word.
struct MuteWordVerb: WordVerb {
  static let configuration = CommandConfiguration(
    commandName: "mute-word",
    abstract: "Hide others' posts with a word, phrase or #tag; several words are one phrase. Searches still find them.",
    discussion: """
      Examples:
        stack-client mute-word otter
        stack-client mute-word "otter of the year"
        stack-client mute-word '#otter'
      """)

  @Argument(help: mutedWordHelp)
  var words: [String]

  @OptionGroup var options: CommonOptions

  func run() throws { try change(Method.muteWord, isOn: true) }
}

/// `unmute-word`: shows posts with a word again.
struct UnmuteWordVerb: WordVerb {
  static let configuration = CommandConfiguration(
    commandName: "unmute-word", abstract: "Show posts with a muted word again.",
    discussion: """
      Example:
        stack-client unmute-word otter
      """)

  @Argument(help: mutedWordHelp)
  var words: [String]

  @OptionGroup var options: CommonOptions

  func run() throws { try change(Method.unmuteWord, isOn: false) }
}

/// `muted`: everything that is muted or blocked.
struct MutedVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "muted",
    abstract: "Print the authors, words and conversations that you have muted, and the authors you have blocked.",
    discussion: """
      Examples:
        stack-client muted
        stack-client muted --json | jq -r '.words[]'
      """)

  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      let items = try context.list(Method.listMuted, ListMutedResponse.self)
      try context.write(MutedItem.record(of: items))
      if items.isEmpty { context.noticeEmpty("nothing is muted") }
    }
  }
}

extension AuthorVerb {
  /// Mutes, unmutes or unblocks the author, and prints the outcome.
  fileprivate func change(_ method: String) throws {
    try ClientContext.run(options) { context in
      let answer: MuteResponse = try context.command(method, request)
      try context.write(answer.record)
    }
  }
}

private let mutedWordHelp = ArgumentHelp("A word, a phrase, or one #tag.", valueName: "word")

/// A verb that mutes or unmutes a word or phrase.
protocol WordVerb: TextVerb {
  var words: [String] { get }
  var options: CommonOptions { get }
}

extension WordVerb {
  /// Mutes or unmutes the word and prints the outcome; a notice if nothing changed, or if words became a phrase.
  fileprivate func change(_ method: String, isOn: Bool) throws {
    let word = words.joined(separator: " ")
    try ClientContext.run(options) { context in
      let answer: MuteResponse = try context.command(method, MutedWordRequest(word: word))
      try context.write(answer.record)
      if !answer.hasChanged {
        context.console.notice(isOn ? "“\(word)” is already muted" : "“\(word)” is not muted")
      } else if words.count > 1 {
        context.console.notice("\(isOn ? "muted" : "unmuted") the phrase “\(word)”")
      }
    }
  }
}

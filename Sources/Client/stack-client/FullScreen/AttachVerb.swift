internal import ArgumentParser
internal import ClientCore

/// `attach`: the whole screen.
struct AttachVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "attach",
    abstract: "Show your panes on the whole screen; what stack-client does on a terminal without a verb.",
    discussion: """
      Examples:
        stack-client
        stack-client attach --session work
        stack-client attach --theme light --no-animation

      ? shows the keys. What you leave stays: the daemon keeps panes and places, and any other screen of the session shows them too.
      """)

  @OptionGroup private var screen: ScreenOptions
  @OptionGroup var options: CommonOptions

  func validate() throws {
    if options.json || options.jsonl || options.plain {
      throw ValidationError("a screen is for people: it has no --json and no --plain")
    }
  }

  func run() throws {
    try ClientContext.run(options) { context in try ScreenProgram.run(context, screen) }
  }
}

internal import ArgumentParser
internal import ClientCore

/// `attach`: the full screen.
struct AttachVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "attach",
    abstract: "Show your panes in the full screen (the default on a terminal).",
    discussion: """
      Examples:
        stack-client
        stack-client attach --session work
        stack-client attach --theme light --no-animation

      Press ? for the keys. The daemon keeps your panes and positions after you quit, and every screen of a session \
      shows the same panes.
      """)

  @OptionGroup private var screen: ScreenOptions
  @OptionGroup var options: CommonOptions

  func validate() throws {
    if options.json || options.jsonl || options.plain {
      throw ValidationError("attach has no --json, --jsonl or --plain")
    }
  }

  func run() throws {
    try ClientContext.run(options) { context in try ScreenProgram.run(context, screen) }
  }
}

internal import ArgumentParser
internal import ClientCore

/// `watch`: stays, and prints each new post as it comes.
struct WatchVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Stay, and print what arrives.",
    discussion: """
      Examples:
        stack-client watch
        stack-client watch --jsonl | jq -r 'select(.event == "inserted") | .row.text'

      Reconnects by itself when the daemon restarts. Ctrl-C ends it.
      """)

  @Option(
    name: [.customShort("n"), .customLong("lines")],
    help: ArgumentHelp("Begin with the newest N posts, as far as the view's window holds them.", valueName: "N"))
  var count = 0

  @OptionGroup var options: CommonOptions

  func validate() throws {
    if !(0...200).contains(count) { throw ValidationError("-n is \(count); 0 to 200 is possible") }
  }

  func run() throws {
    try ClientContext.run(options) { context in
      let watch = Watching(context: context, initialCount: count)
      try watch.run()
    }
  }
}

internal import ArgumentParser

/// The options of the full screen.
struct ScreenOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The session whose panes are shown; main.", valueName: "name"))
  var session = ""

  @Option(
    help: ArgumentHelp(
      "How it looks: dark, light, high-contrast, or the name of a file in the themes folder.", valueName: "name"))
  var theme: String?

  @Flag(help: "Nothing moves by itself: panes are where they go at once.")
  var noAnimation = false

  @Flag(help: "Draw with ASCII alone.")
  var ascii = false

  @Flag(help: "Take the mouse from the beginning on.")
  var mouse = false

  @Flag(help: "Say everything once, in lines, for a screen reader; the keys are the same.")
  var linear = false

  func validate() throws { try SessionOptions.check(session) }
}

internal import ArgumentParser

/// The options of the full screen.
struct ScreenOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The session to show (default: main).", valueName: "name"))
  var session = ""

  @Option(
    help: ArgumentHelp(
      "Theme: dark, light, high-contrast, or the name of a file in the themes directory.", valueName: "name"))
  var theme: String?

  @Flag(help: "Turn off animations.")
  var noAnimation = false

  @Flag(help: "Draw with ASCII characters only.")
  var ascii = false

  @Flag(help: "Start with the mouse enabled.")
  var mouse = false

  @Flag(help: "Print lines for a screen reader; the keys are the same.")
  var linear = false

  func validate() throws { try SessionOptions.check(session) }
}

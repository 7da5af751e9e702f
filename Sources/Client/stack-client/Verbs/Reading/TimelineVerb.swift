internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import ViewState

/// `timeline`: the account's own and imported posts, and those of the authors it follows.
struct TimelineVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline", abstract: "Print the posts of your timeline.",
    discussion: """
      Examples:
        stack-client timeline -n 50
        stack-client timeline --since 2h
        stack-client timeline --since 2024-03-03 --jsonl
        stack-client timeline --before 42 -n 10
      """)

  @OptionGroup var wanted: ReadingOptions
  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      try context.printRows(
        of:
          .section(.timeline), wanted,
        whenEmpty: "no posts yet: `stack-client post` and `stack-client import` add some")
    }
  }
}

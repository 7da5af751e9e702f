internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import ViewState

/// `show`: one post with all its details.
struct ShowVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print one post in full.",
    discussion: """
      Examples:
        stack-client show 42
        stack-client show twitter:20 --json
      """)

  @OptionGroup var subject: PostArgument
  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      try context.readRows(of: .post(subject.post)) { reader in
        try RowPrinter(context: context, isSingle: true).row(try reader.row(named: subject.post))
      }
    }
  }
}

internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `saved`: the posts that this account saved.
struct SavedVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "saved", abstract: "Print the posts that you saved.",
    discussion: """
      Examples:
        stack-client saved
        stack-client search is:saved otter
      """)

  @OptionGroup var wanted: ReadingOptions
  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      try context.printRows(of: .search("is:saved"), wanted, whenEmpty: "you have saved nothing")
    }
  }
}

/// `favourites`: the posts that this account favourited.
struct FavouritesVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "favourites", abstract: "Print the posts that you favourited.",
    discussion: """
      Examples:
        stack-client favourites
        stack-client search is:favourited from:ann
      """, aliases: ["favorites"])

  @OptionGroup var wanted: ReadingOptions
  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      try context.printRows(of: .search("is:favourited"), wanted, whenEmpty: "you have favourited nothing")
    }
  }
}

internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `undo`: takes back what was done last.
struct UndoVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Take back what you did last, from whatever terminal.",
    discussion: """
      Favourites, reposts, what is saved or marked read, posts written, edited and deleted, whom you follow, mute or block, your lists.
      Again takes back what came before it.

      Example:
        stack-client undo
      """)

  @OptionGroup var options: CommonOptions

  func run() throws { try Undoing.run(options, isRedo: false) }
}

/// `redo`: does it again.
struct RedoVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Do again what you took back last.",
    discussion: """
      Example:
        stack-client redo
      """)

  @OptionGroup var options: CommonOptions

  func run() throws { try Undoing.run(options, isRedo: true) }
}

/// Taking back, and doing again.
private enum Undoing {
  /// Does it, and tells what.
  static func run(_ options: CommonOptions, isRedo: Bool) throws {
    try ClientContext.run(options) { context in
      var request = UndoRequest(isRedo: isRedo)
      request.requestID = try RequestID.make()
      let answer: UndoResponse = try context.command(Method.undo, request)
      try context.tell(answer.record(isRedo: isRedo))
    }
  }
}

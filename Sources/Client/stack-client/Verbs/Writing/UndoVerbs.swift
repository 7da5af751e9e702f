internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `undo`: undoes the last action.
struct UndoVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo your last action, from any terminal.",
    discussion: """
      Undoes favourites, reposts, saves and read marks; writing, editing and deleting posts; follows, mutes and blocks; \
      and changes to lists. Repeat it to undo earlier actions.

      Example:
        stack-client undo
      """)

  @OptionGroup var options: CommonOptions

  func run() throws { try Undoing.run(options, isRedo: false) }
}

/// `redo`: redoes the last undone action.
struct RedoVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Redo the action that you undid last.",
    discussion: """
      Example:
        stack-client redo
      """)

  @OptionGroup var options: CommonOptions

  func run() throws { try Undoing.run(options, isRedo: true) }
}

/// Undo and redo.
private enum Undoing {
  /// Undoes or redoes an action and prints its description.
  static func run(_ options: CommonOptions, isRedo: Bool) throws {
    try ClientContext.run(options) { context in
      var request = UndoRequest(isRedo: isRedo)
      request.requestID = try RequestID.make()
      let answer: UndoResponse = try context.command(Method.undo, request)
      try context.write(answer.record(isRedo: isRedo))
    }
  }
}

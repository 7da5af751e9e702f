internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `session`: named pane stacks.
struct SessionVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "session", abstract: "Print, rename and delete sessions, which are named pane stacks.",
    discussion: """
      Examples:
        stack-client session list
        stack-client pane open search '#harbour' --session work  # makes "work"
        stack-client session rename work harbour
      """, subcommands: [List.self, Rename.self, Delete.self], defaultSubcommand: List.self)

  /// Prints all sessions.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Print your sessions and their panes.")

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        let sessions = try context.list(Method.listSessions, ListSessionsResponse.self)
        try context.write(
          sessions.map(\.record), whenEmpty: "no sessions yet: opening a screen makes one")
      }
    }
  }

  /// Renames a session.
  struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rename", abstract: "Rename a session; its views stay open.")

    @Argument(help: ArgumentHelp("The session.", valueName: "old"))
    var old: String

    @Argument(help: ArgumentHelp("The new name, at most 64 bytes.", valueName: "new"))
    var new: String

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        var request = RenameSessionRequest(name: new)
        request.command.session = old
        request.command.requestID = try RequestID.make()
        let answer: RevisionResponse = try context.command(Method.renameSession, request)
        try context.write(.done(answer.revision))
      }
    }
  }

  /// Deletes a session.
  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "delete",
      abstract: "Delete a session and close its views; asks first; without a terminal it needs --yes.")

    @Argument(help: ArgumentHelp("The session.", valueName: "name"))
    var name: String

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        try context.confirm("delete session \(name) and its panes?", isAnswered: yes)
        var request = SessionRequest()
        request.command.session = name
        request.command.requestID = try RequestID.make()
        let answer: RevisionResponse = try context.command(Method.deleteSession, request)
        try context.write(.done(answer.revision))
      }
    }
  }
}

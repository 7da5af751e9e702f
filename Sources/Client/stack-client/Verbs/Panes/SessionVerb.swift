internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `session`: named pane stacks.
struct SessionVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "session", abstract: "Print, rename and delete sessions: pane stacks with names.",
    discussion: """
      Examples:
        stack-client session list
        stack-client pane open search '#harbour' --session work      makes the session
        stack-client session rename work harbour
      """, subcommands: [List.self, Rename.self, Delete.self], defaultSubcommand: List.self)

  /// All of them.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Print your sessions and their panes.")

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        let sessions = try context.list(Method.listSessions, ListSessionsResponse.self)
        try context.tell(
          sessions.map(\.record), whenEmpty: "there are no sessions: the first view makes one")
      }
    }
  }

  /// Another name.
  struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rename", abstract: "Give a session another name; its views stay.")

    @Argument(help: ArgumentHelp("The session.", valueName: "old"))
    var old: String

    @Argument(help: ArgumentHelp("Its new name, at most 64 bytes.", valueName: "new"))
    var new: String

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        var request = RenameSessionRequest(name: new)
        request.command.session = old
        request.command.requestID = try RequestID.make()
        let answer: RevisionResponse = try context.command(Method.renameSession, request)
        try context.tell(.done(answer.revision))
      }
    }
  }

  /// Away with it.
  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "delete", abstract: "Forget a session and end its views; on a terminal you are asked first.")

    @Argument(help: ArgumentHelp("The session.", valueName: "name"))
    var name: String

    @Flag(name: .shortAndLong, help: "Ask nothing.")
    var yes = false

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        try context.confirm("forget the session \(name) and its panes?", isAnswered: yes)
        var request = SessionRequest()
        request.command.session = name
        request.command.requestID = try RequestID.make()
        let answer: RevisionResponse = try context.command(Method.deleteSession, request)
        try context.tell(.done(answer.revision))
      }
    }
  }
}

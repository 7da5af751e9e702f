internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import ViewState

/// `pane`: the pane stack of a session, which every view of it shows.
struct PaneVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pane", abstract: "Print and change the pane stack that all your screens share.",
    discussion: """
      Examples:
        stack-client pane open mentions
        stack-client pane push conversation 42
        stack-client pane push author @ann
        stack-client pane back
        stack-client pane list --session work

      A command prints the number of the affected pane, or of the topmost one. With --if-revision it fails if the \
      session has changed meanwhile.
      """,
    subcommands: [
      List.self, Open.self, Push.self, Replace.self, Pop.self, PopTo.self, Drop.self, Back.self, Forward.self,
      Select.self,
      Resize.self, Filter.self, Collapse.self, Expand.self, Fold.self, Unfold.self, Slide.self, Reveal.self,
    ], defaultSubcommand: List.self)

  /// Prints the panes of a session.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Print the panes, bottom first.")

    @Option(help: ArgumentHelp("The session (default: main).", valueName: "name"))
    var session = ""

    @OptionGroup var options: CommonOptions

    func validate() throws { try SessionOptions.check(session) }

    func run() throws {
      try ClientContext.run(options) { context in
        let link = try context.connect()
        defer { link.close() }
        // Opening a view creates the session, which a mistyped name should not.
        let known = try link.list(Method.listSessions, ListSessionsResponse.self)
        guard session.isEmpty || known.contains(where: { $0.name == session }) else {
          throw ClientFailure(
            .notFound, "there is no session \(session)", hint: "`stack-client session list` shows them")
        }
        let panes = try ShortView.look(link, session: session, layout: context.layout).panes
        try context.write(panes.map(\.record), whenEmpty: "no panes")
      }
    }
  }

  /// Opens a section as the new root.
  struct Open: TextVerb {
    static let isQuery = true
    static let configuration = CommandConfiguration(
      commandName: "open", abstract: "Close every pane and open a section as the root.")

    @Argument(help: ArgumentHelp("The section.", valueName: "section"))
    var chosen: SectionArgument<SectionChoices.All>

    @Argument(help: ArgumentHelp("The query, with search.", valueName: "query"))
    var words: [String] = []

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: CommonOptions

    private var section: Section { chosen.section }

    func validate() throws {
      if section != .search && !words.isEmpty { throw ValidationError("only search takes a query") }
    }

    func run() throws {
      try ClientContext.run(options) { context in
        var request = OpenRequest(section)
        request.command = try session.command()
        request.query = words.joined(separator: " ")
        try StackChange.send(Method.open, request, context)
      }
    }
  }

  /// Opens a pane.
  struct Push: TextVerb {
    static let isQuery = true
    static let configuration = CommandConfiguration(
      commandName: "push", abstract: "Open a pane to the right of the topmost one or another.",
      discussion: """
        Examples:
          stack-client pane push conversation 42
          stack-client pane push search '#harbour otter'
          stack-client pane push list harbour --from 3 --pane-width 40
        """)

    @OptionGroup var subject: PaneSubject

    @Option(
      help: ArgumentHelp(
        "The pane to open it from, or 0 for the topmost; panes to its right are closed.", valueName: "pane"))
    var from: UInt64 = 0

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { try StackChange.send(Method.push, try subject.request(from: from, session), $0) }
    }
  }

  /// Replaces a pane.
  struct Replace: TextVerb {
    static let isQuery = true
    static let configuration = CommandConfiguration(
      commandName: "replace",
      abstract: "Replace the topmost pane, or another and those to its right.",
      discussion: """
        Example:
          stack-client pane replace conversation 43
        """)

    @OptionGroup var subject: PaneSubject

    @Option(help: ArgumentHelp("The pane to replace, or 0 for the topmost.", valueName: "id"))
    var pane: UInt64 = 0

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        let push = try subject.request(from: pane, session)
        var request = ReplaceRequest(push.subject)
        request.push = push
        try StackChange.send(Method.replace, request, context)
      }
    }
  }
}

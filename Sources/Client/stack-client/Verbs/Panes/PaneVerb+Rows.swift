internal import ArgumentParser
internal import ClientCore
internal import Messages

extension PaneVerb {
  /// A row is selected.
  struct Select: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "select", abstract: "Select a row of the topmost pane, or of another; 0 for none.")

    @Argument(help: ArgumentHelp("The row: the number under a post; 0 for none.", valueName: "row"))
    var row: UInt64

    @OptionGroup var place: PaneOption
    @OptionGroup var session: SessionOptions
    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        var request = SelectRequest()
        request.command = try session.command()
        (request.paneID, request.rowID) = (place.pane, row)
        try StackChange.send(Method.select, request, context)
      }
    }
  }

  /// A pane gets a width.
  struct Resize: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "resize", abstract: "Give a pane a width, in every view; 0 for what panes have by themselves.")

    @Argument(help: ArgumentHelp("The pane; 0 for the topmost.", valueName: "pane"))
    var pane: UInt64

    @Argument(help: ArgumentHelp("The width it wants, in the units of the views that show it.", valueName: "width"))
    var cells: Int

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: CommonOptions

    func validate() throws {
      if !(0...10_000).contains(cells) { throw ValidationError("a width of \(cells) is not possible; 0 to 10000 is") }
    }

    func run() throws {
      try ClientContext.run(options) { context in
        var request = ResizePaneRequest()
        request.command = try session.command()
        (request.paneID, request.width) = (pane, cells)
        try StackChange.send(Method.resizePane, request, context)
      }
    }
  }

  /// A pane is limited.
  struct Filter: TextVerb {
    static let isQuery = true
    static let configuration = CommandConfiguration(
      commandName: "filter", abstract: "Limit a pane to some of its posts, in every view; without words to none.",
      discussion: """
        Examples:
          stack-client pane filter -is:repost
          stack-client pane filter has:media lang:de
          stack-client pane filter '/ott.r|sea +lion/' '-/^rt /'
          stack-client pane filter
        """)

    @Argument(
      help: ArgumentHelp(
        "is:repost, is:reply, is:unread, has:media, lang:de, words, /pattern/; - before one for the others.",
        valueName: "filter"))
    var words: [String] = []

    @OptionGroup var place: PaneOption
    @OptionGroup var session: SessionOptions
    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        var request = SetFilterRequest(filter: words.joined(separator: " "))
        request.command = try session.command()
        request.paneID = place.pane
        try StackChange.send(Method.setFilter, request, context)
      }
    }
  }

  /// Replies are hidden.
  struct Collapse: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "collapse", abstract: "Hide the replies below a post of a conversation, in every view.")

    @OptionGroup var branch: Branch
    @OptionGroup var session: SessionOptions
    @OptionGroup var options: CommonOptions

    func run() throws { try ClientContext.run(options) { try branch.send($0, session, isCollapsed: true) } }
  }

  /// Replies are shown again.
  struct Expand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "expand", abstract: "Show the replies below a post of a conversation again.")

    @OptionGroup var branch: Branch
    @OptionGroup var session: SessionOptions
    @OptionGroup var options: CommonOptions

    func run() throws { try ClientContext.run(options) { try branch.send($0, session, isCollapsed: false) } }
  }

  /// Which pane a command is about.
  struct PaneOption: ParsableArguments {
    @Option(help: ArgumentHelp("The pane; the topmost one.", valueName: "id"))
    var pane: UInt64 = 0
  }

  /// A post of a conversation, and what answers it.
  struct Branch: ParsableArguments {
    @Argument(help: ArgumentHelp("The number of the post.", valueName: "row"))
    var row: UInt64

    @OptionGroup var place: PaneOption

    /// Hides or shows the replies.
    func send(_ context: ClientContext, _ session: SessionOptions, isCollapsed: Bool) throws(ClientFailure) {
      var request = CollapseRequest()
      request.command = try session.command()
      (request.paneID, request.rowID, request.isCollapsed) = (place.pane, row, isCollapsed)
      try StackChange.send(Method.collapse, request, context)
    }
  }
}

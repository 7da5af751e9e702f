internal import ArgumentParser
internal import ClientCore
internal import Messages

extension PaneVerb {
  /// Selects a row.
  struct Select: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "select", abstract: "Select a row of the topmost pane or another.")

    @Argument(help: ArgumentHelp("The row: the ID under a post, or 0 for none.", valueName: "row"))
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

  /// Sets the width of a pane.
  struct Resize: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "resize", abstract: "Set the width of a pane, in every view.")

    @Argument(help: ArgumentHelp("The pane, or 0 for the topmost.", valueName: "pane"))
    var pane: UInt64

    @Argument(
      help: ArgumentHelp("The width, in the units of the views that show it; 0 for the default.", valueName: "width"))
    var cells: Int

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: CommonOptions

    func validate() throws {
      if !(0...10_000).contains(cells) { throw ValidationError("the width must be 0 to 10000, not \(cells)") }
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

  /// Filters a pane.
  struct Filter: TextVerb {
    static let isQuery = true
    static let configuration = CommandConfiguration(
      commandName: "filter", abstract: "Filter the posts of a pane, in every view; without words, remove the filter.",
      discussion: """
        Examples:
          stack-client pane filter -is:repost
          stack-client pane filter has:media lang:de
          stack-client pane filter '/ott.r|sea +lion/' '-/^rt /'
          stack-client pane filter
        """)

    @Argument(
      help: ArgumentHelp(
        "is:repost, is:reply, is:unread, has:media, lang:de, words, /pattern/; - excludes.",
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

  /// Hides replies.
  struct Collapse: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "collapse", abstract: "Hide the replies to a post of a conversation, in every view.")

    @OptionGroup var branch: Branch
    @OptionGroup var session: SessionOptions
    @OptionGroup var options: CommonOptions

    func run() throws { try ClientContext.run(options) { try branch.send($0, session, isCollapsed: true) } }
  }

  /// Shows replies again.
  struct Expand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "expand", abstract: "Show the replies to a post of a conversation again.")

    @OptionGroup var branch: Branch
    @OptionGroup var session: SessionOptions
    @OptionGroup var options: CommonOptions

    func run() throws { try ClientContext.run(options) { try branch.send($0, session, isCollapsed: false) } }
  }

  /// Folds a long text again.
  struct Fold: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "fold", abstract: "Fold a long post of a pane again, in every view.")

    @OptionGroup var branch: Branch
    @OptionGroup var session: SessionOptions
    @OptionGroup var options: CommonOptions

    func run() throws { try ClientContext.run(options) { try branch.send($0, session, isFolded: true) } }
  }

  /// Shows the whole of a long text.
  struct Unfold: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "unfold", abstract: "Show all lines of a long post of a pane, in every view.")

    @OptionGroup var branch: Branch
    @OptionGroup var session: SessionOptions
    @OptionGroup var options: CommonOptions

    func run() throws { try ClientContext.run(options) { try branch.send($0, session, isFolded: false) } }
  }

  /// The pane that a command acts on.
  struct PaneOption: ParsableArguments {
    @Option(help: ArgumentHelp("The pane, or 0 for the topmost.", valueName: "id"))
    var pane: UInt64 = 0
  }

  /// A post of a pane, with its replies.
  struct Branch: ParsableArguments {
    @Argument(help: ArgumentHelp("The post ID.", valueName: "row"))
    var row: UInt64

    @OptionGroup var place: PaneOption

    /// Hides or shows the replies.
    func send(_ context: ClientContext, _ session: SessionOptions, isCollapsed: Bool) throws(ClientFailure) {
      var request = CollapseRequest()
      request.command = try session.command()
      (request.paneID, request.rowID, request.isCollapsed) = (place.pane, row, isCollapsed)
      try StackChange.send(Method.collapse, request, context)
    }

    /// Folds or unfolds the post.
    func send(_ context: ClientContext, _ session: SessionOptions, isFolded: Bool) throws(ClientFailure) {
      var request = FoldRequest()
      request.command = try session.command()
      (request.paneID, request.rowID, request.isFolded) = (place.pane, row, isFolded)
      try StackChange.send(Method.fold, request, context)
    }
  }
}

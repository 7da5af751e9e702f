internal import ArgumentParser
internal import ClientCore
internal import Messages

extension PaneVerb {
  /// Which way.
  enum Way: String, CaseIterable, ExpressibleByArgument {
    case left, right

    /// The direction in the schema.
    var direction: MoveStackRequest.Direction { self == .left ? .left : .right }
  }

  /// The stack of one view slides.
  struct Slide: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "slide", abstract: "Slide the panes of one screen; prints where they are then.",
      discussion: """
        Example:
          stack-client pane slide left --view 7
        """)

    @Argument(help: ArgumentHelp("left shows newer panes, right older ones and the menu.", valueName: "way"))
    var way: Way

    @OptionGroup var view: ViewOption
    @OptionGroup var options: CommonOptions

    func run() throws { try ClientContext.run(options) { try view.move($0, .slide(way.direction)) } }
  }

  /// The stack of one view slides to a pane.
  struct Reveal: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "reveal", abstract: "Slide the panes of one screen until one is whole and uncovered.")

    @Argument(help: ArgumentHelp("The pane.", valueName: "pane"))
    var pane: UInt64

    @OptionGroup var view: ViewOption
    @OptionGroup var options: CommonOptions

    func run() throws { try ClientContext.run(options) { try view.move($0, .reveal(pane)) } }
  }

  /// Whose panes slide: where they lie is not the session's, but each view's.
  struct ViewOption: ParsableArguments {
    @Option(
      help: ArgumentHelp("The view: the number that its first frame says, and that a client can show.", valueName: "id")
    )
    var view: UInt64

    /// Slides them.
    func move(_ context: ClientContext, _ move: MoveStackRequest.Move) throws(ClientFailure) {
      let answer: MoveStackResponse = try context.ask(Method.moveStack, MoveStackRequest(viewID: view, move))
      try context.tell(answer.record)
      if !answer.hasMoved { context.console.notice("nothing moved: the panes are there already") }
    }
  }
}

internal import ArgumentParser
internal import ClientCore
internal import Messages

extension PaneVerb {
  /// The direction of a slide.
  enum Way: String, CaseIterable, ExpressibleByArgument {
    case left, right

    /// The direction of the schema.
    var direction: MoveStackRequest.Direction { self == .left ? .left : .right }
  }

  /// Slides the stack of one view.
  struct Slide: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "slide", abstract: "Slide the panes of one screen; prints their new position.",
      discussion: """
        `session list` tells the numbers of views.

        Example:
          stack-client pane slide left --view 7
        """)

    @Argument(
      help: ArgumentHelp("Direction: left for newer panes, right for older ones and the menu.", valueName: "way"))
    var way: Way

    @OptionGroup var view: ViewOption
    @OptionGroup var options: CommonOptions

    func run() throws { try ClientContext.run(options) { try view.move($0, .slide(way.direction)) } }
  }

  /// Slides the stack of one view to a pane.
  struct Reveal: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "reveal", abstract: "Slide the panes of one screen until a pane is fully visible.")

    @Argument(help: ArgumentHelp("The pane.", valueName: "pane"))
    var pane: UInt64

    @OptionGroup var view: ViewOption
    @OptionGroup var options: CommonOptions

    func run() throws { try ClientContext.run(options) { try view.move($0, .reveal(pane)) } }
  }

  /// The view whose panes slide: positions belong to views, not to the session.
  struct ViewOption: ParsableArguments {
    @Option(
      help: ArgumentHelp("The view, by its number in session list.", valueName: "id")
    )
    var view: UInt64

    /// Slides the panes.
    func move(_ context: ClientContext, _ move: MoveStackRequest.Move) throws(ClientFailure) {
      let answer: MoveStackResponse = try context.ask(Method.moveStack, MoveStackRequest(viewID: view, move))
      try context.write(answer.record)
      if !answer.hasMoved { context.console.notice("nothing moved: the panes are already there") }
    }
  }
}

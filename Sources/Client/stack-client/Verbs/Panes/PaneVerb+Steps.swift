internal import ArgumentParser
internal import ClientCore
internal import Messages

extension PaneVerb {
  /// The topmost pane away.
  struct Pop: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "pop", abstract: "Close the topmost pane; the root stays.")

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: CommonOptions

    func run() throws { try ClientContext.run(options) { try StackChange.send(Method.pop, try session.request(), $0) } }
  }

  /// All panes away but the root.
  struct Drop: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "drop", abstract: "Close all panes but the root, until back.")

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { try StackChange.send(Method.dropAll, try session.request(), $0) }
    }
  }

  /// One step back in the stack's history.
  struct Back: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "back", abstract: "Go back to the panes before the last change.")

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { try StackChange.send(Method.back, try session.request(), $0) }
    }
  }

  /// One step forward again.
  struct Forward: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "forward", abstract: "Take a back back.")

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { try StackChange.send(Method.forward, try session.request(), $0) }
    }
  }

  /// All panes right of one away.
  struct PopTo: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "pop-to", abstract: "Close every pane right of one.")

    @Argument(help: ArgumentHelp("The pane that becomes the topmost.", valueName: "pane"))
    var pane: UInt64

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        var request = PopToRequest(paneID: pane)
        request.command = try session.command()
        try StackChange.send(Method.popTo, request, context)
      }
    }
  }
}

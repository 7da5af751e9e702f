internal import ArgumentParser
internal import ClientCore
internal import Messages

extension PaneVerb {
  /// Closes the topmost pane.
  struct Pop: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "pop", abstract: "Close the topmost pane, except the root.")

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: CommonOptions

    func run() throws { try ClientContext.run(options) { try StackChange.send(Method.pop, try session.request(), $0) } }
  }

  /// Closes all panes except the root.
  struct Drop: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "drop", abstract: "Close all panes except the root; `pane back` restores them.")

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { try StackChange.send(Method.dropAll, try session.request(), $0) }
    }
  }

  /// Goes one step back in the history of the stack.
  struct Back: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "back", abstract: "Go back to the panes before the last change.")

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { try StackChange.send(Method.back, try session.request(), $0) }
    }
  }

  /// Goes one step forward again.
  struct Forward: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "forward", abstract: "Undo `pane back`.")

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { try StackChange.send(Method.forward, try session.request(), $0) }
    }
  }

  /// Closes all panes to the right of one.
  struct PopTo: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "pop-to", abstract: "Close every pane to the right of one.")

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

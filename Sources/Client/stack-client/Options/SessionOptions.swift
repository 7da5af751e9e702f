internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import ViewState

/// Which session a command is about, and under which condition.
struct SessionOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The session; main.", valueName: "name"))
  var session = ""

  @Option(
    help: ArgumentHelp(
      "Only if nothing has changed since this revision, which session list tells.", valueName: "revision"))
  var ifRevision: UInt64 = 0

  func validate() throws { try SessionOptions.check(session) }

  /// Refuses a name that no session can have, before a daemon is asked.
  static func check(_ name: String) throws {
    guard name.utf8.count <= SharedLimits.sessionNameBytes else {
      throw ValidationError("the name of a session has at most \(SharedLimits.sessionNameBytes) bytes")
    }
  }

  /// The head of a command, with an id of its own: sent again, it is done once.
  func command() throws(ClientFailure) -> SessionCommand {
    var command = SessionCommand()
    command.session = session
    command.ifRevision = ifRevision
    command.requestID = try RequestID.make()
    return command
  }

  /// A command that needs no more than that.
  func request() throws(ClientFailure) -> SessionRequest {
    var request = SessionRequest()
    request.command = try command()
    return request
  }
}

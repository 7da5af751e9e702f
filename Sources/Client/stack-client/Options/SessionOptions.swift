internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import ViewState

/// The session of a command, and its precondition.
struct SessionOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The session (default: main).", valueName: "name"))
  var session = ""

  @Option(
    help: ArgumentHelp(
      "Fail if the session has changed since this revision, as shown by session list.", valueName: "revision"))
  var ifRevision: UInt64 = 0

  func validate() throws { try SessionOptions.check(session) }

  /// Refuses a name that no session can have, before asking a daemon.
  static func check(_ name: String) throws {
    guard name.utf8.count <= SharedLimits.sessionNameBytes else {
      throw ValidationError("a session name can have at most \(SharedLimits.sessionNameBytes) bytes")
    }
  }

  /// Returns the head of a command, with a new ID: sent twice, the command is carried out once.
  func command() throws(ClientFailure) -> SessionCommand {
    var command = SessionCommand()
    command.session = session
    command.ifRevision = ifRevision
    command.requestID = try RequestID.make()
    return command
  }

  /// Returns a command without further fields.
  func request() throws(ClientFailure) -> SessionRequest {
    var request = SessionRequest()
    request.command = try command()
    return request
  }
}

/// A connection between two simulated processes: a pipe each way.
final class Link {
  let toServer: Pipe
  let toClient: Pipe
  /// Both ends, while they exist.
  weak var client: MachineDriver?
  weak var server: MachineDriver?
  private(set) var isCut = false

  init(toServer: Pipe, toClient: Pipe) {
    self.toServer = toServer
    self.toClient = toClient
  }

  /// Cuts the connection and drops all bytes in flight. Notifies each end only if asked to.
  func cut(notifiesClient: Bool, notifiesServer: Bool, clientLoop: SimulatedLoop, serverLoop: SimulatedLoop) {
    if !isCut {
      isCut = true
      toServer.cut()
      toClient.cut()
    }
    if notifiesClient { clientLoop.post { [weak client] in client?.lost() } }
    if notifiesServer { serverLoop.post { [weak server] in server?.lost() } }
  }
}

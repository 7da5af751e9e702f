/// A connection between two simulated processes: a pipe each way.
final class Link {
  let toServer: Pipe
  let toClient: Pipe
  /// Both ends, while they live.
  weak var client: MachineDriver?
  weak var server: MachineDriver?
  private(set) var isCut = false

  init(toServer: Pipe, toClient: Pipe) {
    self.toServer = toServer
    self.toClient = toClient
  }

  /// Loses the connection with everything on its way. The ends are told now or not by this.
  func cut(tellsClient: Bool, tellsServer: Bool, clientLoop: SimulatedLoop, serverLoop: SimulatedLoop) {
    if !isCut {
      isCut = true
      toServer.cut()
      toClient.cut()
    }
    if tellsClient { clientLoop.post { [weak client] in client?.lost() } }
    if tellsServer { serverLoop.post { [weak server] in server?.lost() } }
  }
}

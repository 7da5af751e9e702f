internal import Messages
internal import Services
public import UV

/// A daemon that offers nothing but `grpc.testing.TestService`, health and reflection: what the interoperability suite
/// talks to.
public enum InteropServer {
  /// Listens and serves until SIGINT or SIGTERM.
  ///
  /// - Parameters:
  ///   - tokenPath: the file of the token for TCP; made if it is missing.
  ///   - ready: called once, with the TCP address if there is one, when clients can connect.
  /// - Throws: `TransportError` if it cannot listen, `UVError` if the loop cannot be made.
  public static func run(
    configuration: TransportConfiguration, tokenPath: String, ready: @escaping (SocketAddress?) -> Void
  ) throws {
    let loop = try Loop()
    defer {
      // The loop has run dry, or nothing was ever opened on it: closing it cannot fail.
      try? loop.close()
    }
    let tokens = configuration.listen == nil ? nil : try TokenVerifier(file: tokenPath)
    let registry = ServiceRegistry(tokens: tokens)
    let test = TestService(loop: loop)
    let health = HealthService(services: [TestService.name])
    registry.register(test)
    registry.register(health)
    registry.registerReflection()
    registry.drawExtraDelay = { .random(in: 0...$0) }
    let transport = try Transport(loop: loop, configuration: configuration, registry: registry)
    ready(transport.tcpAddress)
    let stop = {
      health.setAll(.notServing)
      health.endWatches()
      transport.shutDown { loop.stop() }
    }
    let interrupt = try Signal(loop: loop, .interrupt, stop)
    let terminate = try Signal(loop: loop, .terminate, stop)
    loop.run()
    interrupt.close()
    terminate.close()
  }
}

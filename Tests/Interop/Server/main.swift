import InteropService
import Messages
import Server
import Services
import UV

// A server with only `grpc.testing.TestService`, health and reflection, for the interoperability suite. Usage:
// stack-interop-server --socket PATH --listen HOST:PORT --token-file PATH

func fail(_ message: String) -> Never {
  // Standard error may be closed; the exit code reports the failure too.
  try? Process.write("stack-interop-server: \(message)\n", to: .error)
  Process.exit(2)
}

var configuration = TransportConfiguration()
var tokenPath = ""
var rest = CommandLine.arguments.dropFirst()
while let option = rest.popFirst() {
  guard let value = rest.popFirst() else { fail("missing value for \(option)") }
  switch option {
  case "--socket": configuration.socketPath = value
  case "--listen": configuration.listen = SocketAddress(value)
  case "--token-file": tokenPath = value
  default: fail("unknown option \(option)")
  }
}

let loop = try Loop()
let registry = ServiceRegistry(tokens: try TokenVerifier(file: tokenPath))
let health = HealthService(services: [TestService.name])
registry.register(TestService(loop: loop))
registry.register(health)
registry.registerReflection()
registry.drawExtraDelay = { .random(in: 0...$0) }
let transport = try Transport(loop: loop, configuration: configuration, registry: registry)
if let address = transport.tcpAddress { try Process.write("listening on \(address)\n", to: .output) }
try Process.write("ready\n", to: .output)
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
try loop.close()

internal import Server
internal import UV

/// What the command line may say; every mistake in it is one line and exit code 2.
let usage = "usage: stack-daemon [--socket PATH] [--group NAME] [--listen HOST:PORT] [--token-file PATH] --test-service"

/// Says what is wrong and ends.
func fail(_ message: String, exitCode: Int32) -> Never {
  // Nobody may be listening to standard error; the exit code says it too.
  try? Process.write("stack-daemon: \(message)\n", to: .error)
  Process.exit(exitCode)
}

var configuration = TransportConfiguration()
var tokenPath = "\(Process.environment("HOME") ?? ".")/.local/state/stack/token"
var isTestService = false
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
  switch argument {
  case "--test-service": isTestService = true
  case "--socket", "--group", "--listen", "--token-file":
    guard let value = arguments.popFirst() else { fail("\(argument) needs a value; \(usage)", exitCode: 2) }
    switch argument {
    case "--socket": configuration.socketPath = value
    case "--group": configuration.group = value
    case "--token-file": tokenPath = value
    default:
      guard let address = SocketAddress(value) else {
        fail("--listen \(value) is not HOST:PORT with a numeric host; try 127.0.0.1:7825", exitCode: 2)
      }
      configuration.listen = address
    }
  default: fail("\(argument) is not known; \(usage)", exitCode: 2)
  }
}
guard isTestService else { fail("only --test-service can be run yet; \(usage)", exitCode: 2) }
configuration.log = { line in try? Process.write("stack-daemon: \(line)\n", to: .error) }
do {
  try InteropServer.run(configuration: configuration, tokenPath: tokenPath) { address in
    if let address { try? Process.write("listening on \(address)\n", to: .output) }
    try? Process.write("ready\n", to: .output)
  }
} catch {
  fail("\(error)", exitCode: 1)
}

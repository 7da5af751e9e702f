internal import Dates
internal import Server
internal import DaemonSettings
internal import UV

/// Prints an error and exits.
func fail(_ message: String, exitCode: Int32) -> Never {
  // Standard error may be closed; the exit code reports the failure too.
  try? Process.write("stack-daemon: \(message)\n", to: .error)
  Process.exit(exitCode)
}

/// Prints a line for the program that started the daemon; its end of the pipe may be closed.
func printLine(_ line: String) { try? Process.write("\(line)\n", to: .output) }

/// Writes a line to the log, which is standard error, with the time in UTC.
func log(_ line: String) {
  let time = Instant(milliseconds: Loop.wallClockMilliseconds / 1000 * 1000).iso8601
  try? Process.write("\(time) stack-daemon: \(line)\n", to: .error)
}

/// Returns the programs beside this one that speak for sources, by source.
func programsOnDemand() -> [String: String] {
  guard let folder = Process.executablePath.flatMap({ FileSystem.parent(of: $0) }) else { return [:] }
  return ["feed": "\(folder)/stack-feeds", "mastodon": "\(folder)/stack-mastodon"]
    .filter { FileSystem.isExecutable($0.value) }
}

let settings: Settings
let file: String?
do throws(SettingsError) {
  let options = try DaemonOptions(Array(CommandLine.arguments.dropFirst()))
  if options.wantsHelp {
    printLine(DaemonOptions.help)
    Process.exit(0)
  }
  if options.wantsVersion {
    printLine("stack-daemon \(Daemon.version)")
    Process.exit(0)
  }
  (settings, file) = try options.settings(environment: Process.environment)
  if options.checksConfiguration {
    printLine(settings.toml)
    Process.exit(0)
  }
} catch {
  fail(error.isInFile ? error.message : "\(error.message); try stack-daemon --help", exitCode: 2)
}
if let file { log("settings of \(file)") }
var transport = settings.transport
transport.log = log
transport.inheritedSockets = Process.takeInheritedSockets()
let ready = { (address: SocketAddress?) in
  if let address { printLine("listening on \(address)") }
  printLine("ready")
}
do {
  var configuration = Daemon.Configuration(
    storePath: settings.storePath, transport: transport, tokenPath: settings.tokenPath)
  configuration.clock = settings.clock
  configuration.upstreams = settings.upstreams
  configuration.upstreamPatience = settings.upstreamPatience
  configuration.programsOnDemand = programsOnDemand()
  configuration.makesAllFolders = !settings.namesStore
  configuration.manager = ServiceManager.take()
  try Daemon.run(configuration, ready: ready)
} catch {
  log("\(error)")
  Process.exit(1)
}

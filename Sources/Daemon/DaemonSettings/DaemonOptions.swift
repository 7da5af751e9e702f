internal import UV

/// The daemon's command line.
///
/// Parsed by hand instead of by a library: there are few options, and the library would bring in Foundation, which
/// costs more memory than the rest of an idle daemon (docs/adr/0004).
public struct DaemonOptions {
  public static let help = """
    Usage: stack-daemon [OPTION]...

    Keeps a timeline and serves it to any number of clients. stack-client starts it when it is needed.

      stack-daemon                          serve this user on the usual socket
      stack-daemon --group staff            share the socket with a group
      stack-daemon --listen 127.0.0.1:7825  also serve clients with a token over TCP

    Options:
      --socket PATH      the Unix socket (default $XDG_RUNTIME_DIR/stack/daemon.sock)
      --group NAME       let members of this group connect too
      --listen HOST:PORT also listen on a loopback address; clients need a token
      --token-file PATH  the token's file, created if missing (default $XDG_STATE_HOME/stack/token)
      --max-connections N  connections that may be open at once (default 1024)
      --upstream NAME=COMMAND  carry out actions on posts from source NAME through this
                         program (docs/UPSTREAM.md); may be repeated
      --upstream-patience SECONDS  resend a command unanswered for this long (default 30)
      --store PATH       the store's file, created if missing (default $XDG_DATA_HOME/stack/store.db)
      --clock CLOCK      the clock: system, frozen:INSTANT or from:INSTANT, such as from:2026-03-01T12:00:00Z
      --config PATH      the configuration file (default $XDG_CONFIG_HOME/stack/daemon.toml, if it is there)
      --check-config     print all settings with where each comes from, and exit
      --version          print the version
      --help             print this help
    """

  /// The configuration file that was named; nil for the usual one.
  public private(set) var configurationFile: String?
  public private(set) var checksConfiguration = false
  public private(set) var wantsHelp = false
  public private(set) var wantsVersion = false
  private var settings: [(setting: Setting, text: String)] = []
  private var upstreams: [(source: String, command: [String])] = []

  /// Parses a command line. Values are checked by ``settings(environment:)``.
  public init(_ arguments: [String]) throws(SettingsError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": wantsHelp = true
      case "--version": wantsVersion = true
      case "--check-config": checksConfiguration = true
      case "--config": configurationFile = try Self.value(of: argument, &rest)
      case "--upstream": upstreams.append(try Self.upstream(try Self.value(of: argument, &rest)))
      default:
        guard argument.hasPrefix("--"), let setting = Setting(rawValue: String(argument.dropFirst(2))) else {
          throw SettingsError("unknown option \(argument)")
        }
        settings.append((setting, try Self.value(of: argument, &rest)))
      }
    }
  }

  /// Changes settings as the command line says.
  func apply(to result: inout Settings) throws(SettingsError) {
    for (setting, text) in settings { try result.set(setting, to: text, from: .commandLine) }
    for (source, command) in upstreams { try result.setUpstream(source, to: command, from: .commandLine) }
  }

  /// Reads the configuration file and applies the command line to it. The usual file may be missing, one that is named
  /// may not.
  ///
  /// - Returns: the settings, and the path of the file if it was read.
  public func settings(
    environment: (String) -> String?
  ) throws(SettingsError) -> (settings: Settings, file: String?) {
    var result = Settings(environment: environment)
    let path = configurationFile ?? Settings.usualFile(environment: environment)
    let bytes: [UInt8]?
    do throws(UVError) {
      bytes = try FileSystem.read(path, limit: Settings.fileBytes)
    } catch {
      guard error == .noSuchFile, configurationFile == nil else {
        throw SettingsError("\(path): \(error)", isInFile: true)
      }
      bytes = nil
    }
    if let bytes {
      do throws(SettingsError) {
        try result.read(file: bytes, at: path)
      } catch {
        throw SettingsError(error.message, isInFile: true)
      }
    }
    try apply(to: &result)
    return (result, bytes == nil ? nil : path)
  }

  /// Parses the value of `--upstream`: a source, and a program with its arguments, separated by spaces.
  private static func upstream(_ value: String) throws(SettingsError) -> (source: String, command: [String]) {
    guard let sign = value.firstIndex(of: "=") else {
      throw SettingsError("--upstream \(value) is not NAME=COMMAND, such as fake=/usr/local/bin/fake --verbose")
    }
    let command = value[value.index(after: sign)...].split(separator: " ").map(String.init)
    return (String(value[..<sign]), command)
  }

  private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(SettingsError) -> String {
    guard let value = rest.popFirst(), !value.isEmpty else { throw SettingsError("\(option) needs a value") }
    return value
  }
}

public import Server
public import Services
internal import UV

/// The settings of a daemon, from the lowest layer to the highest: what is built in, the configuration file, and the
/// command line.
public struct Settings {
  /// A program that speaks for a source.
  struct Upstream {
    let source: String
    let command: [String]
    let origin: SettingOrigin
  }

  public private(set) var transport = TransportConfiguration()
  public private(set) var tokenPath: String
  public private(set) var storePath: String
  public private(set) var clock = DaemonClock.system
  public private(set) var upstreamPatience = Duration.seconds(30)
  private(set) var programs: [Upstream] = []
  /// The texts of all settings that have one, each with its origin.
  private(set) var values: [Setting: (text: String, origin: SettingOrigin)] = [:]

  /// What is built in; folders come from the XDG base directories.
  public init(environment: (String) -> String?) {
    tokenPath = "\(Self.folder("XDG_STATE_HOME", ".local/state", environment))/token"
    storePath = "\(Self.folder("XDG_DATA_HOME", ".local/share", environment))/store.db"
    transport.socketPath = Endpoint.defaultSocketPath
    values = [
      .socket: (Endpoint.defaultSocketPath, .builtIn), .tokenFile: (tokenPath, .builtIn),
      .maximumConnections: ("\(TransportConfiguration.usualConnections)", .builtIn),
      .upstreamPatience: ("30", .builtIn),
      .store: (storePath, .builtIn), .clock: ("system", .builtIn),
    ]
  }

  /// The configuration file that is read if the command line names none: `daemon.toml` among the user's own.
  public static func usualFile(environment: (String) -> String?) -> String {
    "\(folder("XDG_CONFIG_HOME", ".config", environment))/daemon.toml"
  }

  private static func folder(_ variable: String, _ fallback: String, _ environment: (String) -> String?) -> String {
    let value = environment(variable) ?? ""
    // The specification says to ignore relative paths.
    let base = value.hasPrefix("/") ? value : "\(environment("HOME") ?? "")/\(fallback)"
    return "\(base)/stack"
  }

  /// True if the store's place was chosen by a person.
  public var namesStore: Bool { values[.store]?.origin != .builtIn }

  /// The programs that speak for sources, each with its arguments.
  public var upstreams: [(source: String, command: [String])] { programs.map { ($0.source, $0.command) } }

  /// Changes a setting.
  mutating func set(_ setting: Setting, to text: String, from origin: SettingOrigin) throws(SettingsError) {
    let subject = origin.subject(setting.rawValue)
    guard !text.isEmpty else { throw SettingsError("\(subject) needs a value") }
    switch setting {
    case .socket: transport.socketPath = text
    case .group: transport.group = text
    case .tokenFile: tokenPath = text
    case .store: storePath = text
    case .listen:
      guard let address = SocketAddress(text) else {
        throw SettingsError("\(subject) \(text) is not HOST:PORT with a numeric host, such as 127.0.0.1:7825")
      }
      transport.listen = address
    case .maximumConnections:
      guard let count = Int(text), (1...1_000_000).contains(count) else {
        throw SettingsError("\(subject) \(text) is not a number from 1 to 1000000")
      }
      transport.maximumConnections = count
    case .upstreamPatience:
      guard let seconds = Double(text), (0.01...86_400).contains(seconds) else {
        throw SettingsError("\(subject) \(text) is not a number of seconds from 0.01 to 86400")
      }
      upstreamPatience = .milliseconds(Int(seconds * 1000))
    case .clock:
      guard let clock = DaemonClock(text) else {
        throw SettingsError(
          "\(subject) \(text) is not system, frozen:INSTANT or from:INSTANT with an instant such as 2026-03-01T12:00:00Z"
        )
      }
      self.clock = clock
    }
    values[setting] = (text, origin)
  }

  /// Gives a source a program. One from a lower layer is replaced.
  mutating func setUpstream(_ source: String, to command: [String], from origin: SettingOrigin) throws(SettingsError) {
    let subject = origin.subject(origin == .commandLine ? "upstream" : "upstream.\(source)")
    let isName = source.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: "_")
    }
    guard !source.isEmpty, source.utf8.count <= 64, isName else {
      throw SettingsError("\(subject): \(source) is not a name of at most 64 letters, digits, hyphens and underscores")
    }
    guard let program = command.first, !program.isEmpty else {
      throw SettingsError("\(subject): the command is missing, such as /usr/local/bin/fake --verbose")
    }
    guard source != "stack" else {
      throw SettingsError("\(subject): the source stack is this daemon itself")
    }
    if let index = programs.firstIndex(where: { $0.source == source }) {
      guard programs[index].origin != origin else {
        throw SettingsError("\(subject) names source \(source) twice; a source can have one program")
      }
      programs[index] = Upstream(source: source, command: command, origin: origin)
    } else {
      programs.append(Upstream(source: source, command: command, origin: origin))
    }
  }

  /// All settings as a configuration file would have them, each with its origin as a comment.
  public var toml: String {
    var lines: [String] = []
    for setting in Setting.allCases {
      if let (text, origin) = values[setting] {
        let value = setting.isNumber ? text : Self.quoted(text)
        lines.append("\(setting.rawValue) = \(value)  # \(origin.described(setting.rawValue))")
      } else {
        lines.append("# \(setting.rawValue) is not set")
      }
    }
    for program in programs {
      let words = program.command.map(Self.quoted).joined(separator: ", ")
      lines += [
        "", "[upstream.\(program.source)]", "command = [\(words)]  # \(program.origin.described("upstream"))",
      ]
    }
    return lines.joined(separator: "\n")
  }

  /// A basic string of TOML 1.0.
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

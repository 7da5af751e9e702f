/// A setting of the daemon: an option of its command line, without the dashes, and a key of its configuration file.
public enum Setting: String, CaseIterable, Sendable {
  case socket
  case group
  case listen
  case tokenFile = "token-file"
  case maximumConnections = "max-connections"
  case upstreamPatience = "upstream-patience"
  case store
  case clock

  /// True if its value is a number, which a file writes without quotes.
  var isNumber: Bool { self == .maximumConnections || self == .upstreamPatience }
}

/// Where a value comes from.
enum SettingOrigin: Equatable, Sendable {
  case builtIn
  case file(String, line: Int, column: Int)
  case commandLine

  /// What a message about a mistake begins with: the place, and the name as it is written there.
  func subject(_ name: String) -> String {
    switch self {
    case .builtIn: name
    case .file(let path, let line, let column): "\(path):\(line):\(column): \(name)"
    case .commandLine: "--\(name)"
    }
  }

  /// The place, for people who ask why a value is as it is.
  func described(_ name: String) -> String {
    switch self {
    case .builtIn: "built in"
    case .file(let path, let line, _): "\(path):\(line)"
    case .commandLine: "--\(name)"
    }
  }
}

/// A setting that cannot be used, in a sentence for the person who made it.
public struct SettingsError: Error, Equatable {
  public let message: String
  /// True if it is in the configuration file, about which `--help` says nothing.
  public let isInFile: Bool

  init(_ message: String, isInFile: Bool = false) { (self.message, self.isInFile) = (message, isInFile) }
}

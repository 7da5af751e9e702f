/// Why a verb did not do what it was asked.
public struct ClientFailure: Error, Equatable, Sendable {
  /// How the client ends.
  public var exitCode: ExitCode
  /// What went wrong, as one sentence without a final stop.
  public var message: String
  /// What to do about it; empty where nobody knows.
  public var hint: String

  /// Puts the parts together.
  public init(_ exitCode: ExitCode, _ message: String, hint: String = "") {
    self.exitCode = exitCode
    self.message = message
    self.hint = hint
  }

  /// The one line for standard error, LF included; with `asJSON` an object for programs. A message may quote what the
  /// daemon, a file name or a post says, so it is filtered like everything that is painted.
  public func report(asJSON: Bool) -> [UInt8] {
    if asJSON {
      var json = JSONWriter()
      json.object { json in
        json.key("error")
        json.object { json in
          json.key("code")
          json.string(exitCode.name)
          json.key("message")
          json.string(message)
          json.key("hint")
          json.string(hint)
        }
      }
      return json.bytes + [0x0A]
    }
    return Notice.line(hint.isEmpty ? message : "\(message); \(hint)")
  }
}

/// Lines for standard error.
public enum Notice {
  /// `stack-client: TEXT`, filtered, LF included.
  public static func line(_ text: String) -> [UInt8] {
    var output = TerminalText(.bare)
    output.append("stack-client: " + text)
    output.endLine()
    return output.bytes
  }
}

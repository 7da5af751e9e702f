/// The failure of a verb.
public struct ClientFailure: Error, Equatable, Sendable {
  /// The exit code of the client.
  public var exitCode: ExitCode
  /// The error, as one sentence without a full stop.
  public var message: String
  /// The remedy; empty if there is none.
  public var hint: String
  /// The interruption that a client which follows something survives; nil for every other failure.
  public var interruption: Interruption?

  public init(_ exitCode: ExitCode, _ message: String, hint: String = "") {
    self.exitCode = exitCode
    self.message = message
    self.hint = hint
  }

  /// Returns the line for standard error, LF included; with `asJSON` an object for programs. A message may quote the
  /// daemon, a file name or a post, so it is filtered like everything that is painted.
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
  /// Returns `stack-client: TEXT`, filtered, LF included.
  public static func line(_ text: String) -> [UInt8] {
    var output = TerminalText(.bare)
    output.append("stack-client: " + text)
    output.endLine()
    return output.bytes
  }
}

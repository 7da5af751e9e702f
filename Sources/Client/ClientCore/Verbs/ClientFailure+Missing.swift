extension ClientFailure {
  /// The verb that lists what exists, by the kind of thing that the daemon did not find.
  private static let listings: [(what: String, hint: String)] = [
    ("account", "`stack-client account list` shows them"), ("list", "`stack-client lists` shows yours"),
    ("pane", "`stack-client pane list` shows them"), ("session", "`stack-client session list` shows them"),
    ("token", "`stack-client token list` shows yours"),
  ]

  /// Returns the failure for a daemon's NOT_FOUND. The daemon's advice is for programs, so a verb that helps replaces it
  /// as the hint.
  public static func notFound(_ message: String) -> ClientFailure {
    guard let hint = listings.first(where: { message.hasPrefix("there is no \($0.what) ") })?.hint else {
      return fromDaemon(.notFound, message)
    }
    return ClientFailure(.notFound, fromDaemon(.notFound, message).message, hint: hint)
  }

  /// Returns the failure for a message from the daemon that cannot be decoded, for this reason.
  public static func invalidResponse(_ reason: String) -> ClientFailure {
    ClientFailure(
      .versionMismatch, "the daemon sent an invalid response (\(reason))",
      hint: "client and daemon may be different versions: see `stack-client version`")
  }

  /// Splits a message of the daemon: the error, then, after a semicolon, the remedy.
  public static func fromDaemon(_ exitCode: ExitCode, _ message: String) -> ClientFailure {
    // The remedy comes last and contains no semicolon; a name quoted before it may contain one.
    let bytes = Array(message.utf8)
    guard let end = bytes.indices.dropLast().last(where: { bytes[$0] == 0x3B && bytes[$0 + 1] == 0x20 }) else {
      return ClientFailure(exitCode, message)
    }
    let hint = String(decoding: bytes[(end + 2)...], as: UTF8.self)
    // A remedy within parentheses stays in the message.
    if hint.hasSuffix(")") && !hint.contains("(") { return ClientFailure(exitCode, message) }
    return ClientFailure(exitCode, String(decoding: bytes[..<end], as: UTF8.self), hint: hint)
  }
}

extension ClientFailure {
  /// Which verb prints what there is, by what the daemon says is not there.
  private static let listings: [(what: String, hint: String)] = [
    ("account", "`stack-client account list` prints them"), ("list", "`stack-client lists` prints yours"),
    ("pane", "`stack-client pane list` prints them"), ("session", "`stack-client session list` prints them"),
    ("token", "`stack-client token list` prints yours"),
  ]

  /// A daemon's NOT_FOUND: what it advises is for programs, so where a verb of this one helps, that is the hint in its
  /// place.
  public static func missing(_ message: String) -> ClientFailure {
    guard let hint = listings.first(where: { message.hasPrefix("there is no \($0.what) ") })?.hint else {
      return told(.notFound, message)
    }
    return ClientFailure(.notFound, told(.notFound, message).message, hint: hint)
  }

  /// What a daemon says: what went wrong, then, behind a semicolon, what to do about it.
  public static func told(_ exitCode: ExitCode, _ message: String) -> ClientFailure {
    // The advice comes last, and has no semicolon in it; a name that is repeated before it may have one.
    let bytes = Array(message.utf8)
    guard let end = bytes.indices.dropLast().last(where: { bytes[$0] == 0x3B && bytes[$0 + 1] == 0x20 }) else {
      return ClientFailure(exitCode, message)
    }
    let hint = String(decoding: bytes[(end + 2)...], as: UTF8.self)
    // One that stands between parentheses is not cut out of them.
    if hint.hasSuffix(")") && !hint.contains("(") { return ClientFailure(exitCode, message) }
    return ClientFailure(exitCode, String(decoding: bytes[..<end], as: UTF8.self), hint: hint)
  }
}

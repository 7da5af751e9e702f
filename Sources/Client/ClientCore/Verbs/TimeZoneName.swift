/// The name of the local IANA time zone, from the environment.
public enum TimeZoneName {
  /// Finds the name.
  ///
  /// - Parameters:
  ///   - variable: `TZ`; nil if unset.
  ///   - localTimeTarget: the target of the symbolic link `/etc/localtime`; nil if it is not a link.
  /// - Returns: a name such as "Europe/Berlin"; empty, which the daemon treats as UTC, if `TZ` is a POSIX rule or nothing
  ///   is known.
  public static func find(variable: String?, localTimeTarget: String?) -> String {
    if let variable { return name(inPath: variable.hasPrefix(":") ? String(variable.dropFirst()) : variable) }
    return localTimeTarget.map { name(inPath: $0) } ?? ""
  }

  private static func name(inPath path: String) -> String {
    var parts = path.split(separator: "/", omittingEmptySubsequences: true)
    if path.hasPrefix("/") || path.hasPrefix(".") {
      guard let zoneinfo = parts.lastIndex(of: "zoneinfo") else { return "" }
      parts = Array(parts[(zoneinfo + 1)...])
    }
    if parts.first == "posix" || parts.first == "right" { parts.removeFirst() }
    let name = parts.joined(separator: "/")
    // A POSIX rule such as "CET-1CEST,M3.5.0" is not a name. "UTC" is the same as an empty name.
    let isName = name.utf8.allSatisfy { byte in
      switch byte {
      case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x2F, 0x5F, 0x2D, 0x2B: true
      default: false
      }
    }
    return isName && name != "UTC" ? name : ""
  }
}

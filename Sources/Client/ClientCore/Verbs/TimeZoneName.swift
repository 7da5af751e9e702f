/// Which IANA zone a person is in, from what Unix has to say about it.
public enum TimeZoneName {
  /// - Parameters:
  ///   - variable: `TZ`, nil where unset.
  ///   - localTimeTarget: what the symbolic link `/etc/localtime` points to, nil where it is none.
  /// - Returns: a name such as "Europe/Berlin"; empty (UTC to the daemon) where `TZ` is a POSIX rule or nothing is
  ///   known.
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
    // A POSIX rule such as "CET-1CEST,M3.5.0" is not a name; "UTC" is one, and the daemon knows no better word for
    // nothing.
    let isName = name.utf8.allSatisfy { byte in
      switch byte {
      case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x2F, 0x5F, 0x2D, 0x2B: true
      default: false
      }
    }
    return isName && name != "UTC" ? name : ""
  }
}

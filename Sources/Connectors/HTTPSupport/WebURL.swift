/// The address of something that can be fetched: http or https, read and resolved as browsers do (WHATWG URL, which
/// agrees with RFC 3986 on everything that is well-formed).
public struct WebURL: Hashable, Sendable {
  /// True for https.
  public let isSecure: Bool
  /// `user` or `user:password`, percent-encoded; nil for none.
  public let credentials: String?
  /// In lower case; an IPv6 address in brackets.
  public let host: String
  /// Nil for the scheme's own port, 80 or 443.
  public let port: Int?
  /// Percent-encoded, without dot segments; begins with `/`.
  public let path: String
  /// Percent-encoded, without its `?`; nil for none.
  public let query: String?

  /// The longest address that is read, in bytes.
  public static let limitBytes = 8_192

  /// Reads an absolute address. Nil for other schemes, for what is no address, and for more than ``limitBytes``. A
  /// fragment is left out, since it is never sent. O(length).
  public init?(_ text: some Collection<UInt8>) {
    let text = Self.clean(text)
    guard let scheme = Self.scheme(of: text) else { return nil }
    self.init(isSecure: scheme.isSecure, rest: text[scheme.end...])
  }

  /// Reads an absolute address from a string.
  public init?(_ text: String) { self.init(text.utf8) }

  private init?(isSecure: Bool, rest: ArraySlice<UInt8>) {
    // Browsers take any number of slashes, and either of them.
    let rest = rest.drop { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    let end = rest.firstIndex { Self.endsAuthority($0) } ?? rest.endIndex
    guard let authority = Authority(rest[..<end], isSecure: isSecure) else { return nil }
    self.init(isSecure: isSecure, authority: authority, rest[end...], baseSegments: [])
  }

  private init(
    isSecure: Bool, authority: Authority, _ rest: ArraySlice<UInt8>, baseSegments: [String], baseQuery: String? = nil
  ) {
    self.isSecure = isSecure
    credentials = authority.credentials
    host = authority.host
    port = authority.port
    let beforeFragment = rest.prefix { $0 != UInt8(ascii: "#") }
    let path = beforeFragment.prefix { $0 != UInt8(ascii: "?") }
    if path.isEmpty, !baseSegments.isEmpty {
      self.path = "/" + baseSegments.joined(separator: "/")
      query =
        path.endIndex < beforeFragment.endIndex
        ? Self.encoded(beforeFragment[(path.endIndex + 1)...], in: .query) : baseQuery
      return
    }
    self.path = "/" + Self.resolved(path, from: baseSegments).joined(separator: "/")
    query =
      path.endIndex < beforeFragment.endIndex ? Self.encoded(beforeFragment[(path.endIndex + 1)...], in: .query) : nil
  }

  /// Resolves a reference against this address (RFC 3986, section 5.2). Nil if it leads to another scheme or is no
  /// address.
  public func resolving(_ reference: some Collection<UInt8>) -> WebURL? {
    let text = Self.clean(reference)
    if Self.hasScheme(text) {
      guard let scheme = Self.scheme(of: text) else { return nil }
      let rest = text[scheme.end...]
      // `https:path` is a relative reference of the same scheme, as old pages write it.
      guard let first = rest.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "\\") else {
        return scheme.isSecure == isSecure ? resolving(Array(rest)) : WebURL(isSecure: scheme.isSecure, rest: rest)
      }
      return WebURL(isSecure: scheme.isSecure, rest: rest)
    }
    guard text.count <= Self.limitBytes else { return nil }
    let isSlash: (UInt8) -> Bool = { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    if text.count >= 2, isSlash(text[0]), isSlash(text[1]) { return WebURL(isSecure: isSecure, rest: text[...]) }
    let authority = Authority(credentials: credentials, host: host, port: port)
    if text.first.map(isSlash) == true {
      return WebURL(isSecure: isSecure, authority: authority, text[...], baseSegments: [])
    }
    let own = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    return WebURL(isSecure: isSecure, authority: authority, text[...], baseSegments: own, baseQuery: query)
  }

  /// True if the host is written as an address of this machine or of a private network. A name may lead to one too.
  public var isPrivate: Bool {
    if host == "localhost" || host == "[::1]" || host.hasPrefix("[fd") || host.hasPrefix("[fe80:") { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    guard numbers.count == 4, let first = numbers[0], let second = numbers[1], numbers.allSatisfy({ $0 != nil }) else {
      return false
    }
    return switch first {
    case 10, 127: true
    case 172: (16...31).contains(second)
    case 192: second == 168
    default: false
    }
  }

  /// The address as text.
  public var text: String {
    let user = credentials.map { $0 + "@" } ?? ""
    return "\(origin.replacing("://", with: "://\(user)", maxReplacements: 1))\(path)\(query.map { "?" + $0 } ?? "")"
  }

  /// Scheme, host and port, such as `https://example.org:8443` (RFC 6454).
  public var origin: String { "\(isSecure ? "https" : "http")://\(host)\(port.map { ":\($0)" } ?? "")" }

  // MARK: - Parts

  /// The part before the path.
  private struct Authority {
    var credentials: String?
    var host: String
    var port: Int?

    init(credentials: String?, host: String, port: Int?) {
      self.credentials = credentials
      self.host = host
      self.port = port
    }

    init?(_ text: ArraySlice<UInt8>, isSecure: Bool) {
      var rest = text
      if let at = text.lastIndex(of: UInt8(ascii: "@")) {
        credentials = WebURL.encoded(text[..<at], in: .credentials)
        rest = text[(at + 1)...]
      }
      var end = rest.endIndex
      if rest.first == UInt8(ascii: "[") {
        guard let close = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
        end = close + 1
        guard rest[(rest.startIndex + 1)..<close].allSatisfy(WebURL.isAddressByte), close - rest.startIndex > 2 else {
          return nil
        }
      } else if let colon = rest.lastIndex(of: UInt8(ascii: ":")) {
        end = colon
      }
      host = String(decoding: rest[..<end], as: UTF8.self).lowercased()
      guard !host.isEmpty, host.utf8.first == UInt8(ascii: "[") || host.utf8.allSatisfy(WebURL.isHostByte) else {
        return nil
      }
      guard end < rest.endIndex else { return }
      let digits = rest[(end + 1)...]
      guard rest[end] == UInt8(ascii: ":"), digits.allSatisfy({ 0x30...0x39 ~= $0 }), digits.count <= 5 else {
        return nil
      }
      let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
      guard number <= 65_535 else { return nil }
      port = digits.isEmpty || number == (isSecure ? 443 : 80) ? nil : number
    }
  }

  private static func isAddressByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: ":"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// The forbidden host code points of WHATWG URL, section 3.2.
  private static func isHostByte(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte != 0x7F && !Array("#%/:<>?@[\\]^|".utf8).contains(byte)
  }

  private static func endsAuthority(_ byte: UInt8) -> Bool { Array("/\\?#".utf8).contains(byte) }

  /// Removes white space and controls from both ends, and tabs and line feeds everywhere, as browsers do.
  private static func clean(_ text: some Collection<UInt8>) -> [UInt8] {
    let text = text.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    guard let start = text.firstIndex(where: { $0 > 0x20 }), let end = text.lastIndex(where: { $0 > 0x20 }) else {
      return []
    }
    return Array(text[start...end])
  }

  /// True if a text begins with the name of a scheme and a colon.
  private static func hasScheme(_ text: [UInt8]) -> Bool {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), let first = text.first, isLetter(first) else {
      return false
    }
    return text[..<colon].allSatisfy { isLetter($0) || 0x30...0x39 ~= $0 || Array("+-.".utf8).contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  private static func scheme(of text: [UInt8]) -> (isSecure: Bool, end: Int)? {
    guard text.count <= limitBytes, let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    switch String(decoding: text[..<colon], as: UTF8.self).lowercased() {
    case "http": return (false, colon + 1)
    case "https": return (true, colon + 1)
    default: return nil
    }
  }

  /// Returns the segments of a path, resolved against those of a base (RFC 3986, section 5.2.4).
  private static func resolved(_ path: ArraySlice<UInt8>, from base: [String]) -> [String] {
    let isAbsolute = path.first == UInt8(ascii: "/") || path.first == UInt8(ascii: "\\")
    var segments = isAbsolute ? [] : Array(base.dropLast())
    let parts = (isAbsolute ? path.dropFirst() : path).split(omittingEmptySubsequences: false) {
      $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\")
    }
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      let segment = encoded(part, in: .path)
      switch segment.lowercased().replacing("%2e", with: ".") {
      case ".": if isLast { segments.append("") }
      case "..":
        _ = segments.popLast()
        if isLast { segments.append("") }
      default: segments.append(segment)
      }
    }
    return segments
  }

  private enum Component { case path, query, credentials }

  /// Percent-encodes what may not stand in a component (WHATWG URL, section 1.3); what is encoded stays as it is.
  private static func encoded(_ text: some Sequence<UInt8>, in component: Component) -> String {
    let forbidden: [UInt8] =
      switch component {
      case .path: Array("\"#<>?`{}^".utf8)
      case .query: Array("\"#<>'".utf8)
      case .credentials: Array("\"#<>?`{}/;=@[\\]^|".utf8)
      }
    let digits = Array("0123456789ABCDEF".utf8)
    var output: [UInt8] = []
    for byte in text {
      if byte <= 0x20 || byte >= 0x7F || forbidden.contains(byte) {
        output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      } else {
        output.append(byte)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}

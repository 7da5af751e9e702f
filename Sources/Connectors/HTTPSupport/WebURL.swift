internal import Codecs

/// The address of something that can be fetched: http or https, read and resolved as browsers do (WHATWG URL, which
/// agrees with RFC 3986 on everything that is well-formed). Only ``init(given:)`` also reads the address of a file.
public struct WebURL: Hashable, Sendable {
  /// True for https.
  public let isSecure: Bool
  /// `user` or `user:password`, percent-encoded; nil for none.
  public let credentials: String?
  /// In lower case and ASCII, as far as that is plain (``Punycode``); an IPv4 address in decimal, an IPv6 address in
  /// brackets; empty for a file.
  public let host: String
  /// Nil for the scheme's own port, 80 or 443.
  public let port: Int?
  /// Percent-encoded, without dot segments; begins with `/`.
  public let path: String
  /// Percent-encoded, without its `?`; nil for none.
  public let query: String?

  /// The longest address in bytes, as it is read and with all that must be percent-encoded.
  public static let limitBytes = 8_192

  /// Reads an absolute address. Nil for other schemes, for an invalid address, and for more than ``limitBytes``. A
  /// fragment is left out, since it is never sent. O(length).
  public init?(_ text: some Collection<UInt8>) {
    let text = Self.clean(text)
    guard let scheme = Self.scheme(of: text) else { return nil }
    self.init(isSecure: scheme.isSecure, rest: text[scheme.end...])
  }

  /// Reads an absolute address from a string.
  public init?(_ text: String) { self.init(text.utf8) }

  /// Reads an address that a person has given: of the web, or of a file of this machine, as in
  /// `file:///home/ann/feed.xml` (RFC 8089). Nothing that a document says leads to a file.
  public init?(given text: String) {
    if let address = WebURL(text) {
      self = address
      return
    }
    let text = Self.clean(text.utf8)
    let prefix = "file:///"
    guard text.count <= Self.limitBytes,
      String(decoding: text.prefix(prefix.count), as: UTF8.self).lowercased() == prefix
    else { return nil }
    (isSecure, credentials, host, port, query) = (false, nil, "", nil, nil)
    path = Self.resolved(text[(prefix.count - 1)...], from: "")
    guard filePath != nil, self.text.utf8.count <= Self.limitBytes else { return nil }
  }

  private init?(isSecure: Bool, rest: ArraySlice<UInt8>) {
    // Browsers take any number of slashes, and either of them.
    let rest = rest.drop(while: Self.isSlash)
    let end = rest.firstIndex { Self.endsAuthority($0) } ?? rest.endIndex
    guard let authority = Authority(rest[..<end], isSecure: isSecure) else { return nil }
    self.init(isSecure: isSecure, authority: authority, rest[end...])
  }

  /// Resolves what follows the authority against the path and query of a base. Nil if the address is too long.
  private init?(
    isSecure: Bool, authority: Authority, _ rest: ArraySlice<UInt8>, basePath: String = "", baseQuery: String? = nil
  ) {
    self.isSecure = isSecure
    credentials = authority.credentials
    host = authority.host
    port = authority.port
    let beforeFragment = rest.prefix { $0 != UInt8(ascii: "#") }
    let path = beforeFragment.prefix { $0 != UInt8(ascii: "?") }
    let query = beforeFragment[path.endIndex...].dropFirst()
    let hasQuery = path.endIndex < beforeFragment.endIndex
    let isWhole = path.isEmpty && !basePath.isEmpty
    self.path = isWhole ? basePath : Self.resolved(path, from: basePath)
    self.query = hasQuery ? Self.encoded(query, in: .query) : isWhole ? baseQuery : nil
    guard text.utf8.count <= Self.limitBytes else { return nil }
  }

  /// Resolves a reference against this address (RFC 3986, section 5.2). Nil if it has another scheme or is
  /// invalid.
  public func resolving(_ reference: some Collection<UInt8>) -> WebURL? {
    let text = Self.clean(reference)
    if Self.hasScheme(text) {
      guard let scheme = Self.scheme(of: text) else { return nil }
      let rest = text[scheme.end...]
      // `https:path` is a relative reference of the same scheme, as old pages write it.
      guard rest.first.map(Self.isSlash) == true else {
        return scheme.isSecure == isSecure ? resolving(Array(rest)) : WebURL(isSecure: scheme.isSecure, rest: rest)
      }
      return WebURL(isSecure: scheme.isSecure, rest: rest)
    }
    guard text.count <= Self.limitBytes, !isFile else { return nil }
    if text.count >= 2, Self.isSlash(text[0]), Self.isSlash(text[1]) {
      return WebURL(isSecure: isSecure, rest: text[...])
    }
    let authority = Authority(credentials: credentials, host: host, port: port)
    if text.first.map(Self.isSlash) == true { return WebURL(isSecure: isSecure, authority: authority, text[...]) }
    return WebURL(isSecure: isSecure, authority: authority, text[...], basePath: path, baseQuery: query)
  }

  /// The numeric address as which the host is written; nil for a name.
  private var address: IPAddress? {
    host.hasPrefix("[") ? IPAddress(ipv6: host.dropFirst().dropLast()) : IPAddress(ipv4: host)
  }

  private var isLocalhost: Bool { host == "localhost" || host.hasSuffix(".localhost") }

  /// True if the host is written as an address of this machine or of a private network. A name may lead to one too.
  public var isPrivate: Bool { address?.isPrivate ?? isLocalhost }

  /// True if the host is written as an address of this machine.
  public var isLoopback: Bool { address?.isLoopback ?? isLocalhost }

  /// True if what is at this address may send us on to another one: to no less secure one, and from the Internet to
  /// none of this machine or a private network.
  public func mayLead(to other: WebURL) -> Bool {
    (other.isSecure || !isSecure) && (!other.isPrivate || isPrivate)
  }

  /// True for the address of a file.
  public var isFile: Bool { host.isEmpty }

  /// The path of a file, decoded; nil for any other address, and for a path that is not valid UTF-8 or has a zero.
  public var filePath: String? {
    guard isFile else { return nil }
    let bytes = PercentCoding.decode(path).bytes
    return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
  }

  /// The address as text.
  public var text: String {
    let user = credentials.map { $0 + "@" } ?? ""
    return "\(scheme)://\(user)\(hostAndPort)\(path)\(query.map { "?" + $0 } ?? "")"
  }

  /// Scheme, host and port, such as `https://example.org:8443` (RFC 6454).
  public var origin: String { "\(scheme)://\(hostAndPort)" }

  private var scheme: String { isFile ? "file" : isSecure ? "https" : "http" }
  /// The host, with its port if that is not the scheme's own.
  public var hostAndPort: String { port.map { "\(host):\($0)" } ?? host }

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
      } else if let colon = rest.lastIndex(of: UInt8(ascii: ":")) {
        end = colon
      }
      guard let host = WebURL.host(String(decoding: rest[..<end], as: UTF8.self).lowercased()) else { return nil }
      self.host = host
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

  /// Returns a host in the one form in which it is compared; nil if it is invalid (WHATWG URL, section 3.5).
  private static func host(_ text: String) -> String? {
    if text.hasPrefix("[") { return IPAddress(ipv6: text.dropFirst().dropLast()).map { "[\($0.ipv6Text)]" } }
    if IPAddress.looksLikeIPv4(text) { return IPAddress(ipv4: text)?.ipv4Text }
    guard !text.isEmpty, text.utf8.allSatisfy(isHostByte) else { return nil }
    let name = Punycode.ascii(text)
    return name.utf8.count <= hostBytes ? name : nil
  }

  /// The longest name of a host in bytes (RFC 1035, section 2.3.4).
  private static let hostBytes = 253

  /// The forbidden host code points of WHATWG URL, section 3.2.
  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, 0x7F, UInt8(ascii: "#"), UInt8(ascii: "%"), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "<"),
      UInt8(ascii: ">"), UInt8(ascii: "?"), UInt8(ascii: "@"), UInt8(ascii: "["), UInt8(ascii: "\\"),
      UInt8(ascii: "]"), UInt8(ascii: "^"), UInt8(ascii: "|"):
      false
    default: true
    }
  }

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    isSlash(byte) || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }

  private static func isSlash(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") }

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
    return text[..<colon].allSatisfy {
      isLetter($0) || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
    }
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

  /// Returns a path resolved against that of a base, which is empty or begins with "/" (RFC 3986, section 5.2.4).
  /// O(length of both).
  private static func resolved(_ path: ArraySlice<UInt8>, from base: String) -> String {
    let isAbsolute = path.first.map(isSlash) == true
    var output = isAbsolute ? [] : Array(base.utf8)
    func removeLast() { output.removeSubrange((output.lastIndex(of: UInt8(ascii: "/")) ?? output.endIndex)...) }
    removeLast()
    var rest = isAbsolute ? path.dropFirst() : path
    while true {
      let segment = rest.prefix { !isSlash($0) }
      let isLast = segment.endIndex == rest.endIndex
      let dots = countDots(segment)
      if dots == 2 { removeLast() }
      if dots == 0 {
        output.append(UInt8(ascii: "/"))
        append(segment, in: .path, to: &output)
      } else if isLast {
        output.append(UInt8(ascii: "/"))
      }
      if isLast { return String(decoding: output, as: UTF8.self) }
      rest = rest[(segment.endIndex + 1)...]
    }
  }

  /// Returns 1 or 2 for a segment of so many dots, which may be percent-encoded; 0 for any other.
  private static func countDots(_ segment: ArraySlice<UInt8>) -> Int {
    var rest = segment
    var count = 0
    while let byte = rest.first, count < 3 {
      let isEncoded = rest.prefix(3).elementsEqual("%2e".utf8) || rest.prefix(3).elementsEqual("%2E".utf8)
      guard byte == UInt8(ascii: ".") || isEncoded else { return 0 }
      rest = rest.dropFirst(isEncoded ? 3 : 1)
      count += 1
    }
    return count < 3 ? count : 0
  }

  private enum Component { case path, query, credentials }

  private static func encoded(_ text: some Sequence<UInt8>, in component: Component) -> String {
    var output: [UInt8] = []
    append(text, in: component, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  /// Percent-encodes what may not stand in a component; what is encoded stays as it is.
  private static func append(_ text: some Sequence<UInt8>, in component: Component, to output: inout [UInt8]) {
    PercentCoding.append(text, to: &output) { 0x21...0x7E ~= $0 && !isForbidden($0, in: component) }
  }

  /// The percent-encode sets of WHATWG URL, section 1.3.
  private static func isForbidden(_ byte: UInt8, in component: Component) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "<"), UInt8(ascii: ">"): true
    case UInt8(ascii: "'"): component == .query
    case UInt8(ascii: "?"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "^"):
      component != .query
    case UInt8(ascii: "/"), UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "@"), UInt8(ascii: "["),
      UInt8(ascii: "\\"), UInt8(ascii: "]"), UInt8(ascii: "|"):
      component == .credentials
    default: false
    }
  }
}

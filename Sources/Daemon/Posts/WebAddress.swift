/// The parts of an http(s) URL that name accounts and posts: its host and path segments. Both are empty for other
/// strings.
public struct WebAddress {
  /// In lower case, with the port if there is one.
  public let host: String
  /// The path split at "/", without query, fragment and empty segments.
  public let segments: [Substring]

  /// Reads a URL. O(n).
  public init(_ url: String) {
    let text = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let parts = Substring(text).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[0] == "https:" || parts[0] == "http:", parts[1].isEmpty else {
      host = ""
      segments = []
      return
    }
    host = parts[2].lowercased()
    segments = parts[3...].filter { !$0.isEmpty }
  }

  /// The name of the account that the URL is or belongs to: `…/@name`, `…/@name/123`, `…/users/name`,
  /// `…/users/name/statuses/123`; nil for other forms. URLs with only the account's number (`…/ap/users/123`) have no
  /// name.
  public var accountName: String? {
    if let first = segments.first, first.hasPrefix("@"), first.count > 1 { return String(first.dropFirst()) }
    guard segments.count >= 2, segments[0] == "users" else { return nil }
    return String(segments[1])
  }
}

extension SafeText {
  /// Maximum length of a URL in bytes.
  public static let urlBytes = 8 << 10

  /// The text if it is an http(s) URL of usable length, else empty.
  public var webAddress: SafeText { count <= Self.urlBytes && !WebAddress(string).host.isEmpty ? self : .empty }
}

/// The parts of an http(s) URL that name people and posts: its host and path segments. Other strings have none.
struct WebAddress {
  /// With the port where there is one; in lower case.
  let host: String
  /// The path cut at "/", without query and fragment; no empty segments.
  let segments: [Substring]

  init(_ url: String) {
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

  /// The name of the account the URL is or belongs to: `…/@name`, `…/@name/123`, `…/users/name`,
  /// `…/users/name/statuses/123`; nil for other forms. Accounts whose URL has only their number (`…/ap/users/123`) have
  /// no name in it.
  var accountName: String? {
    if let first = segments.first, first.hasPrefix("@"), first.count > 1 { return String(first.dropFirst()) }
    guard segments.count >= 2, segments[0] == "users" else { return nil }
    return String(segments[1])
  }
}

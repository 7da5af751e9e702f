internal import HTTPSupport

/// Where a person wants to sign in, as they wrote it: `ann@social.example`, `social.example`, or an address of the web.
enum ServerAddress {
  /// Returns the address of the server; nil for anything else. Plain http is for servers on this machine.
  static func url(_ text: String) -> WebURL? {
    let words = text.filter { $0 != " " }
    guard !words.contains("://") else {
      guard let url = WebURL(words), url.credentials == nil, url.isSecure || url.isLoopback else { return nil }
      return WebURL(url.origin + "/")
    }
    let host = words.split(separator: "@", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    guard !host.isEmpty, !host.contains("/"), let url = WebURL("https://\(host)/"), url.path == "/", url.query == nil
    else {
      return nil
    }
    return url
  }
}

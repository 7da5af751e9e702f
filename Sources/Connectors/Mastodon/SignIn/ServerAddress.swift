internal import HTTPSupport

/// Where a person wants to sign in, as they wrote it: `ann@social.example`, `social.example`, or an address of the web.
struct ServerAddress: Equatable {
  /// The address of the host.
  let url: WebURL
  /// The person's name there; nil if only a host was given.
  let name: String?

  /// Reads what a person wrote. Nil if it is no server. Plain http is for servers on this machine.
  init?(_ text: String) {
    let words = text.filter { $0 != " " }
    guard !words.contains("://") else {
      guard let url = WebURL(words), url.credentials == nil, url.isSecure || url.isLoopback,
        let root = WebURL(url.origin + "/")
      else { return nil }
      (self.url, name) = (root, nil)
      return
    }
    let parts = words.split(separator: "@", omittingEmptySubsequences: false)
    let host = parts.last.map(String.init) ?? ""
    guard !host.isEmpty, !host.contains("/"), let url = WebURL("https://\(host)/"), url.path == "/", url.query == nil
    else {
      return nil
    }
    self.url = url
    // "@ann@social.example" is how a handle is shown.
    let named = parts.dropLast().last.map(String.init) ?? ""
    name = named.isEmpty ? nil : named
  }
}

internal import Engine
internal import HTTPSupport
internal import Posts
internal import Store

/// An address that a feed may have, as the program that asks it reads it.
struct FeedAddress {
  let url: String
  let host: String
  /// True if it has a user name or a password, or may lead to this machine or its network: what is there is nobody
  /// else's business.
  let isSecret: Bool

  /// Checks an address that a caller names.
  ///
  /// - Throws: INVALID_ARGUMENT for anything but an http(s) URL with a host or a `file:` URL; PERMISSION_DENIED if it may
  ///   lead to this machine or its network and the caller does not administer the daemon.
  init(_ text: String, by caller: Caller) throws(EngineError) {
    let isWhole = ["https://", "http://", "file:///"].contains { text.hasPrefix($0) }
    guard isWhole, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), let address = WebURL(given: text) else {
      throw EngineError(
        .invalidArgument,
        "\(text.shortened) is not an address of a feed; give it whole, as in https://example.org/feed.xml or "
          + "file:///home/ann/feed.xml", field: "url")
    }
    let isLocal = Self.isLocal(address.host)
    guard !isLocal || caller.scopes.contains(.admin) else {
      let problem = address.isFile ? "is a file of the daemon's machine" : "has no domain name"
      throw EngineError(
        .permissionDenied, "\(text.shortened) \(problem); only an administrator may add such an address")
    }
    url = address.text
    host = address.isFile ? String(address.path.split(separator: "/").last ?? "/") : address.host
    isSecret = isLocal || address.credentials != nil
  }

  /// True if a host is an IP address or a name without a domain. Names that lead to addresses of this machine or its
  /// network are refused by the program that asks them.
  static func isLocal(_ host: String) -> Bool {
    let labels = host.split(separator: ".")
    guard !host.hasPrefix("["), labels.count > 1, let last = labels.last else { return true }
    // A last label that begins with a digit makes a name a number (WHATWG URL, "ends in a number").
    return last.first?.isNumber == true
  }
}

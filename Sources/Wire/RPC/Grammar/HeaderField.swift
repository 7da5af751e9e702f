/// An HTTP header field to send.
struct HeaderField: Hashable {
  /// Lower-case, as HTTP/2 requires.
  let name: String
  /// ASCII.
  let value: String
  /// True if the value must stay out of compression tables (RFC 7541 section 7.1.3).
  let isSecret: Bool

  init(_ name: String, _ value: String, isSecret: Bool = false) {
    self.name = name
    self.value = value
    self.isSecret = isSecret
  }

  /// Returns true if the name belongs to HTTP/1.1 connections and makes an HTTP/2 message malformed (RFC 9113 section
  /// 8.2.2).
  static func isConnectionSpecific(_ name: String) -> Bool {
    switch name {
    case "connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade": true
    default: false
    }
  }
}

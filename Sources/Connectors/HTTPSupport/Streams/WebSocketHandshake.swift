internal import Codecs

/// The opening handshake of a client (RFC 6455, section 4.1).
struct WebSocketHandshake {
  /// The most bytes of the server's answer.
  static let byteLimit = 64 << 10

  let request: [UInt8]
  private let expectedAccept: String
  private let protocols: [String]
  /// What has arrived of the answer's head.
  private var head: [UInt8] = []

  /// Makes the request for `target`, a path with its query, at `host` with its port. `nonce` are 16 random bytes. Other
  /// fields, such as Authorization, are sent as they are: they may not contain line ends.
  init(host: String, target: String, nonce: [UInt8], protocols: [String], fields: [(name: String, value: String)]) {
    let key = Base64.encode(nonce) + "=="
    var lines = [
      "GET \(target) HTTP/1.1", "Host: \(host)", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Key: \(key)",
      "Sec-WebSocket-Version: 13",
    ]
    if !protocols.isEmpty { lines.append("Sec-WebSocket-Protocol: \(protocols.joined(separator: ", "))") }
    lines += fields.map { "\($0.name): \($0.value)" }
    request = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    expectedAccept = Self.accept(key: key)
    self.protocols = protocols
  }

  /// Returns the value with which a server accepts a key.
  static func accept(key: String) -> String {
    Base64.encode(SHA1.digest(of: Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8))) + "="
  }

  /// Reads bytes of the answer's head, and removes them from `bytes`. Returns true when the head is whole. O(bytes).
  mutating func accepts(_ bytes: inout ArraySlice<UInt8>) throws(WebSocketFailure) -> Bool {
    while !head.suffix(4).elementsEqual([0x0D, 0x0A, 0x0D, 0x0A]) {
      guard head.count < Self.byteLimit else { throw .invalidHandshake }
      guard let byte = bytes.popFirst() else { return false }
      head.append(byte)
    }
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    head = []
    let status = (lines.first ?? "").split(separator: " ")
    guard status.count >= 2, status[0].hasPrefix("HTTP/1."), let code = Int(status[1]) else { throw .invalidHandshake }
    guard code == 101 else { throw .refused(status: code) }
    try check(lines.dropFirst())
    return true
  }

  private func check(_ lines: ArraySlice<Substring>) throws(WebSocketFailure) {
    var fields: [String: String] = [:]
    for line in lines {
      let name = line.prefix { $0 != ":" }
      let value = line.dropFirst(name.count + 1).drop { $0 == " " || $0 == "\t" }
      let trimmed = String(String(value.reversed()).drop { $0 == " " || $0 == "\t" }.reversed())
      // A field that comes twice is a list.
      fields[name.lowercased()] = fields[name.lowercased()].map { "\($0), \(trimmed)" } ?? trimmed
    }
    let connection = (fields["connection"] ?? "").lowercased().split { $0 == "," || $0 == " " }
    guard fields["upgrade"]?.lowercased() == "websocket", connection.contains("upgrade"),
      fields["sec-websocket-accept"] == expectedAccept,
      // No extension was offered, so none may be used.
      (fields["sec-websocket-extensions"] ?? "").isEmpty,
      fields["sec-websocket-protocol"].map(protocols.contains) ?? true
    else { throw .invalidHandshake }
  }
}

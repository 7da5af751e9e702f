internal import UV

/// Waits at 127.0.0.1 for the browser that a server sends back with a code (RFC 8252, section 7.3). Each request gets a
/// plain page; the first that belongs to this attempt to sign in is the one.
final class RedirectListener {
  /// The most bytes of a request's head, and the most connections that are open.
  private static let headBytes = 16 << 10
  private static let connectionLimit = 8

  private var listener: Listener?
  private var streams: [Stream] = []
  /// The attempt, as `state` in the query of the page's address and of the one that the browser is sent to; without it
  /// no request is taken, since any page in a browser can make one.
  var state = ""
  private let onAddress: (String) -> Void

  /// Begins to listen on a free port. `onAddress` is called on the loop, once, with the whole address that the browser
  /// was sent to.
  init(loop: Loop, onAddress: @escaping (String) -> Void) throws(UVError) {
    self.onAddress = onAddress
    guard let address = SocketAddress(host: "127.0.0.1", port: 0) else { throw .invalidArgument }
    listener = try Listener(loop: loop, .tcp(address)) { [weak self] in self?.accepted($0) }
  }

  /// The port.
  var port: UInt16 { listener?.localAddress?.port ?? 0 }

  /// Closes everything.
  func close() {
    listener?.close()
    listener = nil
    for stream in streams { stream.close() }
    streams = []
  }

  private func accepted(_ stream: Stream) {
    streams.removeAll { !$0.isOpen }
    if streams.count >= Self.connectionLimit { streams.removeFirst().close() }
    streams.append(stream)
    var head: [UInt8] = []
    do throws(UVError) {
      try stream.startReadingArrays { [weak self, unowned stream] bytes in
        head += bytes
        self?.received(head, by: stream)
      } onEnd: { [unowned stream] _ in
        stream.close()
      }
    } catch {
      stream.close()
    }
  }

  private func received(_ head: [UInt8], by stream: Stream) {
    guard head.count <= Self.headBytes else { return stream.close() }
    guard head.suffix(4) == [0x0D, 0x0A, 0x0D, 0x0A] else { return }
    let words = String(decoding: head.prefix { $0 != 0x0D }, as: UTF8.self).split(separator: " ")
    let target = words.count == 3 && words[0] == "GET" ? words[1] : ""
    let fields = target.hasPrefix("/?") ? target.dropFirst(2).split(separator: "&") : []
    guard !state.isEmpty, fields.contains("state=\(state)") else {
      return stream.close(after: Self.page("404 Not Found", "This is not the address that the server gave."))
    }
    stream.close(after: Self.page("200 OK", "You can close this page and return to the terminal."))
    let port = port
    close()
    onAddress("http://127.0.0.1:\(port)\(target)")
  }

  /// Returns a response with a plain text, which no browser keeps.
  private static func page(_ status: String, _ text: String) -> [UInt8] {
    Array(
      """
      HTTP/1.1 \(status)\r
      Content-Type: text/plain; charset=utf-8\r
      Content-Length: \(text.utf8.count + 1)\r
      Cache-Control: no-store\r
      Connection: close\r
      \r
      \(text)

      """.utf8)
  }
}

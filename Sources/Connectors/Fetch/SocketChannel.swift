internal import CCurl
internal import HTTPSupport
internal import UV

/// A connection that libcurl has opened, with TLS if its address says so, by which bytes come and go.
@safe final class SocketChannel {
  /// The most bytes that wait to be sent.
  private static let waitingBytes = 256 << 10
  private static let chunkBytes = 16 << 10

  private let transfer: Transfer
  private let onEvent: (Fetcher.StreamEvent) -> Void
  private var poll: DescriptorPoll?
  private var waiting: [UInt8] = []

  /// Takes the connection of a transfer that has ended well, and begins to read.
  init(_ transfer: Transfer, loop: Loop, onEvent: @escaping (Fetcher.StreamEvent) -> Void) throws(UVError) {
    (self.transfer, self.onEvent) = (transfer, onEvent)
    poll = try DescriptorPoll(loop: loop, descriptor: unsafe ccurl_socket(transfer.easy)) { [weak self] _, _ in
      self?.act()
    }
    try poll?.wait(readable: true, writable: false)
  }

  /// Sends bytes once the peer accepts them. Never calls back: the caller may be handling an event.
  func send(_ bytes: [UInt8]) {
    // A peer that does not read is reported by the next event.
    guard poll != nil, waiting.count <= Self.waitingBytes else { return }
    waiting += bytes
    try? poll?.wait(readable: true, writable: true)
  }

  /// Ends it without another event. The connection itself is closed with the transfer.
  func close() {
    poll?.close()
    poll = nil
  }

  private func act() {
    flush()
    receive()
    guard poll != nil else { return }
    do throws(UVError) {
      try poll?.wait(readable: true, writable: !waiting.isEmpty)
    } catch {
      end("the connection broke: \(error)")
    }
  }

  private func flush() {
    while poll != nil, !waiting.isEmpty {
      var count = 0
      let code = unsafe waiting.withUnsafeBytes { bytes in
        unsafe curl_easy_send(transfer.easy, bytes.baseAddress, bytes.count, &count)
      }
      guard code != CURLE_AGAIN else { break }
      guard code == CURLE_OK else { return end(transfer.reason(code)) }
      waiting.removeFirst(count)
    }
    if waiting.count > Self.waitingBytes { end("\(transfer.url.host) does not read") }
  }

  /// Reads until there is nothing more: TLS may hold bytes of which the kernel does not know.
  private func receive() {
    while poll != nil {
      var count = 0
      var code = CURLE_OK
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Self.chunkBytes) { buffer, filled in
        code = unsafe curl_easy_recv(transfer.easy, buffer.baseAddress, buffer.count, &count)
        filled = code == CURLE_OK ? count : 0
      }
      guard code != CURLE_AGAIN else { return }
      guard code == CURLE_OK else { return end(transfer.reason(code)) }
      guard !bytes.isEmpty else { return end("the server closed the stream") }
      onEvent(.bytes(bytes))
    }
  }

  private func end(_ reason: String) {
    guard poll != nil else { return }
    close()
    onEvent(.ended(reason))
  }
}

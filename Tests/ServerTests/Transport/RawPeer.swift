import Server
import TestSupport
import Testing
import UV

/// A client of a real socket that writes its own HTTP/2 frames.
final class RawPeer {
  private var stream: UV.Stream?
  /// All bytes that the server has sent.
  private(set) var received: [UInt8] = []
  /// True if the server, or a failure, has ended the connection.
  private(set) var hasEnded = false

  /// Connects and sends bytes; each later `write` sends more.
  init(_ bench: TransportBench, to endpoint: Endpoint, reads: Bool = true, sending bytes: [UInt8]) throws {
    try UV.Stream.connect(loop: bench.loop, to: endpoint) { [self] result in
      guard let stream = try? result.get() else { return hasEnded = true }
      self.stream = stream
      if reads {
        try? stream.startReading(
          onBytes: { [self] bytes in unsafe bytes.withUnsafeBytes { unsafe received.append(contentsOf: $0) } },
          onEnd: { [self] _ in end() })
      }
      write(bytes)
    }
    try bench.run { stream != nil || hasEnded }
  }

  /// Sends bytes, which may be lost if the server has closed.
  func write(_ bytes: [UInt8]) {
    guard let stream, stream.isOpen else { return hasEnded = true }
    do {
      try unsafe stream.write(bytes.span.bytes) { [self] error in if error != nil { end() } }
    } catch {
      end()
    }
  }

  /// True while the last write is still waiting.
  var isWriting: Bool { stream?.isWriting ?? false }

  /// The frames that the server has sent.
  var frames: [RawHTTP2.Frame] { RawHTTP2.frames(in: received) }

  /// Closes without a GOAWAY.
  func close() { stream?.close() }

  private func end() {
    hasEnded = true
    stream?.close()
  }
}

/// The kinds of sockets.
enum SocketKind: CaseIterable, Sendable {
  case unix
  case tcp

  /// The endpoint at which a bench with TCP listens.
  func endpoint(_ bench: TransportBench) throws -> Endpoint {
    switch self {
    case .unix: .unix(path: bench.directory.socket)
    case .tcp: .tcp(try #require(bench.transport.tcpAddress))
    }
  }
}

import RPC
import TestSupport
import Testing

/// A header block from the server, as our client reads it.
struct ResponseBlock {
  /// `grpc-status`; nil if the block does not end a call.
  var status: Status?

  /// Decodes the block of a call's only HEADERS frame or of its trailers.
  init(_ block: [UInt8]) throws {
    let client = try #require(ClientConnection(limits: ConnectionLimits(), at: .zero))
    defer { client.connectionLost("done") }
    let call = try client.start("/a/b", at: .zero)
    var found: Status?
    call.onEnd = { _, status, _ in found = status }
    var output: [UInt8] = []
    client.takeOutput(into: &output, limit: 1 << 16)
    let bytes = RawHTTP2.frame(.settings) + RawHTTP2.frame(.headers, flags: 5, stream: 1, block)
    unsafe client.receive(bytes.span.bytes, at: .zero)
    status = found
  }
}

/// Receives the events of an HTTP/2 session.
protocol HTTP2SessionOwner: AnyObject {
  /// A header block begins: the first of a stream, or trailers.
  func headersBegan(on stream: Int32, areTrailers: Bool)
  /// One field of the block. Bytes that are not UTF-8 have been replaced.
  func received(name: String, value: String, on stream: Int32)
  /// The block is complete; its frames had `wireBytes` bytes.
  func headersEnded(on stream: Int32, endsStream: Bool, wireBytes: Int)
  /// Bytes of the body, valid only during the call.
  func received(_ bytes: RawSpan, on stream: Int32)
  /// The peer will send no more on the stream.
  func peerEnded(_ stream: Int32)
  /// The stream is closed. 0 means that both sides ended it gracefully.
  func streamClosed(_ stream: Int32, errorCode: UInt32)
  /// A stream was refused because too many are open.
  func refusedStream()
  /// The client lets a server send `increment` more bytes on a stream, or on the connection (stream 0). Returns false
  /// if the owner keeps no such window: nghttp2 then judges the frame.
  func windowOpened(_ stream: Int32, by increment: Int) -> Bool
  /// Our last frame of the stream has been sent.
  func sentLastFrame(of stream: Int32)
  /// The peer's SETTINGS have arrived.
  func receivedSettings()
  /// A ping has arrived from the peer; nghttp2 acknowledges it.
  func receivedPing()
  /// The acknowledgement of our ping has arrived.
  func receivedPingAnswer()
  /// The peer will process no stream above `lastStream`.
  func receivedGoAway(lastStream: Int32, errorCode: UInt32)
}

/// Provides the bodies of a client's requests.
protocol HTTP2BodySource: AnyObject {
  /// Returns what can be sent of the stream's body, with room for `room` bytes.
  func fill(_ stream: Int32, room: Int) -> HTTP2Fill
  /// Writes the `count` bytes promised by `fill`.
  func write(_ count: Int, of stream: Int32, to output: inout [UInt8])
}

/// The part of a request's body that can be sent now.
enum HTTP2Fill: Equatable {
  /// This many bytes: more than 0, and no more than there is room for.
  case bytes(Int)
  /// This many bytes, 0 or more, which are the last.
  case last(Int)
  /// Nothing until `resume`.
  case nothing
}

/// Whoever acts on what an HTTP/2 session receives.
protocol HTTP2SessionOwner: AnyObject {
  /// A header block begins: the first of a stream, or trailers.
  func headersBegan(on stream: Int32, areTrailers: Bool)
  /// One field of it. Bytes that are not UTF-8 have been replaced.
  func received(name: String, value: String, on stream: Int32)
  /// The block is complete; its frames had `wireBytes` bytes.
  func headersEnded(on stream: Int32, endsStream: Bool, wireBytes: Int)
  /// Bytes of the body, the owner's for the call only.
  func received(_ bytes: RawSpan, on stream: Int32)
  /// The peer will send no more on the stream.
  func peerEnded(_ stream: Int32)
  /// The stream is gone. 0 means that both sides ended it in good order.
  func streamClosed(_ stream: Int32, errorCode: UInt32)
  /// A stream was refused because too many are open.
  func refusedStream()
  /// The client lets a server send `increment` bytes more on a stream, or on the connection, which is stream 0. False
  /// if no such window is kept: nghttp2 then judges the frame.
  func windowOpened(_ stream: Int32, by increment: Int) -> Bool
  /// Our last frame of the stream is on its way.
  func sentLastFrame(of stream: Int32)
  /// The peer's SETTINGS.
  func receivedSettings()
  /// A ping from the peer, which nghttp2 answers.
  func receivedPing()
  /// The answer to our ping.
  func receivedPingAnswer()
  /// The peer will take no stream above `lastStream`.
  func receivedGoAway(lastStream: Int32, errorCode: UInt32)
}

/// Whoever has the bodies of a client's requests.
protocol HTTP2BodySource: AnyObject {
  /// There is room for `room` bytes of the stream's body.
  func fill(_ stream: Int32, room: Int) -> HTTP2Fill
  /// The `count` bytes promised by `fill` are due.
  func write(_ count: Int, of stream: Int32, to output: inout [UInt8])
}

/// What there is of a request's body.
enum HTTP2Fill: Equatable {
  /// This many bytes, more than 0 and no more than there is room for.
  case bytes(Int)
  /// This many bytes, 0 or more, and they are the last.
  case last(Int)
  /// Nothing until `resume`.
  case nothing
}

import Testing

@testable import RPC

@Suite("The streams that a client has ended")
struct RecentStreamsTests {
  @Test("are known by END_STREAM and by RST_STREAM, on HEADERS, DATA and trailers")
  func ends() {
    var streams = RecentStreams()
    for stream in [1, 3, 5, 7] { #expect(streams.receivedHeaders(on: stream, endsStream: stream == 1) == nil) }
    #expect(streams.receivedData(on: 3, endsStream: true) == nil)
    #expect(streams.receivedHeaders(on: 5, endsStream: true) == nil)
    streams.receivedReset(on: 7)
    for stream in [1, 3, 5, 7] {
      #expect(streams.receivedData(on: stream, endsStream: false) == .afterEnd)
      #expect(streams.receivedHeaders(on: stream, endsStream: false) == .afterEnd)
      streams.receivedReset(on: stream)
    }
  }

  @Test("do not include those that may still carry frames")
  func open() {
    var streams = RecentStreams()
    #expect(streams.receivedHeaders(on: 1, endsStream: false) == nil)
    for _ in 0..<3 { #expect(streams.receivedData(on: 1, endsStream: false) == nil) }
    // Trailers, which should have ended the stream; nghttp2's owner resets it.
    #expect(streams.receivedHeaders(on: 1, endsStream: false) == nil)
  }

  @Test("are apart from streams that were skipped, which may not be opened later")
  func skipped() {
    var streams = RecentStreams()
    #expect(streams.receivedHeaders(on: 9, endsStream: false) == nil)
    for stream in [1, 3, 5, 7] {
      #expect(streams.receivedHeaders(on: stream, endsStream: true) == .outOfOrder)
      #expect(streams.receivedData(on: stream, endsStream: true) == .afterEnd)
    }
    #expect(streams.receivedHeaders(on: 11, endsStream: false) == nil)
  }

  @Test("leave idle and even streams to nghttp2")
  func idle() {
    var streams = RecentStreams()
    streams.receivedReset(on: 1)
    for stream in [0, 1, 2] { #expect(streams.receivedData(on: stream, endsStream: true) == nil) }
    for stream in [0, 2] { #expect(streams.receivedHeaders(on: stream, endsStream: true) == nil) }
    #expect(streams.receivedHeaders(on: 1, endsStream: false) == nil)
    #expect(streams.receivedData(on: 1, endsStream: false) == nil, "what came before it was opened ended nothing")
  }

  @Test("are remembered for 64 IDs", arguments: [2 * 63, 2 * 64, 2 * 65, 1 << 30])
  func memory(distance: Int) {
    var streams = RecentStreams()
    #expect(streams.receivedHeaders(on: 1, endsStream: true) == nil)
    #expect(streams.receivedHeaders(on: 1 + distance, endsStream: true) == nil)
    let isKnown = distance < 2 * 64
    #expect(streams.receivedData(on: 1, endsStream: false) == (isKnown ? .afterEnd : nil))
    #expect(streams.receivedHeaders(on: 1, endsStream: false) == (isKnown ? .afterEnd : nil))
    #expect(streams.receivedData(on: 1 + distance, endsStream: false) == .afterEnd)
  }
}

internal import FuzzSupport
@testable internal import HTTPSupport

/// Fuzzes what connectors read of streams: the first byte says into which pieces the rest is cut. Cutting changes
/// neither the events nor the failure.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  var input = Input(start, count)
  let size = input.byte()
  let bytes = input.all()
  require(events(of: [bytes]) == events(of: Input.pieces(bytes, size: size)), "server-sent events depend on cuts")
  require(frames(of: [bytes]) == frames(of: Input.pieces(bytes, size: size)), "WebSocket depends on cuts")
  return 0
}

/// Returns the events of a stream, and one named `too long` where it cannot be read on.
private func events(of pieces: [[UInt8]]) -> [EventStreamParser.Event] {
  var parser = EventStreamParser(byteLimit: 256)
  let events = pieces.flatMap { parser.consume($0) }
  return parser.isTooLong ? events + [EventStreamParser.Event(name: "too long", data: "")] : events
}

private func frames(of pieces: [[UInt8]]) -> [WebSocketClient.Event] {
  var generator = Counter()
  var client = WebSocketClient(host: "a.example", target: "/", byteLimit: 256, using: &generator)
  let key = WebSocketHandshake.accept(key: "AAAAAAAAAAAAAAAAAAAAAA==")
  let head = "HTTP/1.1 101 OK\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(key)\r\n\r\n"
  var events = client.receive(head.utf8, using: &generator)
  for piece in pieces { events += client.receive(piece, using: &generator) }
  return events
}

/// Not random at all.
private struct Counter: RandomNumberGenerator {
  mutating func next() -> UInt64 { 0 }
}

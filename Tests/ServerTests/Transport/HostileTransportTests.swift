import ClientTransport
import Glibc
import RPC
import Server
import Services
import TestSupport
import Testing
import UV

private typealias Code = RawHTTP2.ErrorCode

@Suite("Hostile clients on a real socket", .timeLimit(.minutes(1)))
struct HostileTransportTests {
  /// Invalid input, and the code of the GOAWAY that ends the connection. Everything is sent at once; `Tests/RPCTests`
  /// has the long table.
  struct Wrong: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    var code: UInt32

    init(_ name: String, _ bytes: [UInt8], _ code: UInt32) {
      testDescription = name
      self.bytes = bytes
      self.code = code
    }

    private static func stream(_ index: UInt32) -> UInt32 { 2 * index + 1 }

    static let all = [
      Wrong("HTTP/1.1", Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), Code.protocolError),
      Wrong("TLS", [0x16, 3, 1, 1, 0, 1, 0, 0, 0xFC, 3, 3] + [UInt8](repeating: 7, count: 40), Code.protocolError),
      Wrong(
        "bad HPACK", RawHTTP2.preface + RawHTTP2.frame(.headers, flags: 5, stream: 1, [0xFF, 0x7F]),
        Code.compressionError),
      Wrong(
        "a frame that is too large", RawHTTP2.preface + RawHTTP2.frame(.ping, [UInt8](repeating: 0, count: 20_000)),
        Code.frameSizeError),
      Wrong("DATA on stream 0", RawHTTP2.preface + RawHTTP2.frame(.data, [1]), Code.protocolError),
      Wrong(
        "rapid reset",
        RawHTTP2.preface
          + (0..<300).flatMap {
            RawHTTP2.open(stream($0)) + RawHTTP2.frame(.reset, stream: stream($0), RawHTTP2.word(8))
          },
        Code.enhanceYourCalm),
      Wrong(
        "CONTINUATION without end",
        RawHTTP2.preface + RawHTTP2.frame(.headers, stream: 1, RawHTTP2.request())
          + (0..<100).flatMap { _ in RawHTTP2.frame(.continuation, stream: 1) }, Code.enhanceYourCalm),
      Wrong(
        "SETTINGS without end", RawHTTP2.preface + (0..<200).flatMap { _ in RawHTTP2.frame(.settings) },
        Code.enhanceYourCalm),
      Wrong(
        "PING without end",
        RawHTTP2.preface + (0..<50).flatMap { _ in RawHTTP2.frame(.ping, [UInt8](repeating: 0, count: 8)) },
        Code.enhanceYourCalm),
      Wrong(
        "WINDOW_UPDATE without end",
        RawHTTP2.preface + (0..<6000).flatMap { _ in RawHTTP2.frame(.windowUpdate, RawHTTP2.word(1)) },
        Code.enhanceYourCalm),
      Wrong(
        "DATA without data",
        RawHTTP2.preface + RawHTTP2.open(1) + (0..<8000).flatMap { _ in RawHTTP2.frame(.data, stream: 1) },
        Code.enhanceYourCalm),
    ]
  }

  @Test(
    "invalid input gets a GOAWAY and ends the connection, and others are served meanwhile", arguments: Wrong.all,
    SocketKind.allCases)
  func table(wrong: Wrong, kind: SocketKind) throws {
    try withLoop { loop in
      let bench = try TransportBench(loop, tcp: true)
      let channel = try bench.connect()
      let half = wrong.bytes.count / 2
      let peer = try RawPeer(bench, to: kind.endpoint(bench), sending: Array(wrong.bytes[..<half]))
      #expect(try bench.unary(channel, Call.empty) == .success([]))
      peer.write(Array(wrong.bytes[half...]))
      #expect(try bench.unary(channel, Call.empty) == .success([]))
      try bench.run { peer.hasEnded }
      #expect(peer.frames.goAways == [wrong.code])
      try bench.run { bench.transport.openConnections == 1 }
      #expect(try bench.unary(channel, Call.empty) == .success([]))
      channel.close()
      try bench.shutDown()
    }
  }

  @Test("a client that sends byte by byte is served like any other", arguments: SocketKind.allCases)
  func bytes(kind: SocketKind) throws {
    try withLoop { loop in
      let bench = try TransportBench(loop, tcp: true)
      let token = String(decoding: try FileSystem.read(bench.directory.token, limit: 1000).dropLast(), as: UTF8.self)
      let peer = try RawPeer(bench, to: kind.endpoint(bench), sending: [])
      let request = RawHTTP2.open(1, [(":path", Call.empty), ("authorization", "Bearer \(token)")])
      for byte in RawHTTP2.preface + request + RawHTTP2.frame(.data, flags: 1, stream: 1, [0, 0, 0, 0, 0]) {
        try bench.run { !peer.isWriting }
        peer.write([byte])
        loop.run(.withoutWaiting)
      }
      try bench.run { peer.frames.of(.headers).count == 2 }
      #expect(peer.frames.of(.data).map(\.payload) == [[0, 0, 0, 0, 0]])
      peer.close()
      try bench.shutDown()
    }
  }

  @Test("a client that stops half-way through the preface is closed in time", arguments: SocketKind.allCases)
  func halfOpen(kind: SocketKind) throws {
    try withLoop { loop in
      let bench = try TransportBench(loop, tcp: true) { $0.limits.times.preface = .milliseconds(5) }
      let peer = try RawPeer(bench, to: kind.endpoint(bench), sending: Array(RawHTTP2.preface.prefix(10)))
      try bench.run { peer.hasEnded }
      #expect(peer.frames.goAways == [Code.protocolError])
      try bench.shutDown()
    }
  }

  /// A call for 16 MiB of responses through windows that are wide open: more than the kernel buffers.
  private var greedy: [UInt8] {
    // StreamingOutputCallRequest: 16 response_parameters (field 2), each with a size (field 1) of 1 MiB.
    let request = (0..<16).flatMap { _ in [0x12, 4, 0x08, 0x80, 0x80, 0x40] as [UInt8] }
    let windows =
      RawHTTP2.frame(.settings, RawHTTP2.setting(4, 1 << 30)) + RawHTTP2.frame(.windowUpdate, RawHTTP2.word(1 << 30))
    let call = RawHTTP2.open(1, [(":path", "/grpc.testing.TestService/StreamingOutputCall")])
    let message = [0] + RawHTTP2.word(UInt32(request.count)) + request
    return RawHTTP2.preface + windows + call + RawHTTP2.frame(.data, flags: 1, stream: 1, message)
  }

  @Test("a client that reads nothing is closed in time, and others are served meanwhile")
  func stalled() throws {
    try withLoop { loop in
      let bench = try TransportBench(loop) { $0.stallTimeout = .milliseconds(20) }
      let peer = try RawPeer(bench, to: .unix(path: bench.directory.socket), reads: false, sending: greedy)
      let channel = try bench.connect()
      #expect(try bench.unary(channel, Call.empty) == .success([]))
      try bench.run { bench.transport.openConnections == 1 }
      #expect(try bench.unary(channel, Call.empty) == .success([]))
      #expect(bench.log == ["a connection failed: \(UVError.timedOut)"])
      peer.close()
      channel.close()
      try bench.shutDown()
    }
  }

  @Test("what a client does not read is counted until its connection closes")
  func counted() throws {
    try withLoop { loop in
      let bench = try TransportBench(loop)
      let peer = try RawPeer(bench, to: .unix(path: bench.directory.socket), reads: false, sending: greedy)
      let channel = try bench.connect()
      while bench.budget.totalBytes < 1 << 16 { #expect(try bench.unary(channel, Call.empty) == .success([])) }
      peer.close()
      try bench.run { bench.transport.openConnections == 1 }
      #expect(try bench.unary(channel, Call.empty) == .success([]))
      #expect(bench.budget.totalBytes == 0)
      channel.close()
      try bench.shutDown()
    }
  }

  @Test("a client that reads nothing does not delay shutdown")
  func stalledAtTheEnd() throws {
    try withLoop { loop in
      let bench = try TransportBench(loop) { $0.shutDownGrace = .milliseconds(1) }
      let peer = try RawPeer(bench, to: .unix(path: bench.directory.socket), reads: false, sending: greedy)
      let channel = try bench.connect()
      #expect(try bench.unary(channel, Call.empty) == .success([]))
      try bench.shutDown()
      peer.close()
    }
  }

  @Test("TCP connections have keepalive on, so that the kernel notices a vanished client")
  func keepAlive() throws {
    try withLoop { loop in
      let bench = try TransportBench(loop, tcp: true)
      let address = try #require(bench.transport.tcpAddress)
      let channel = try bench.connect(.tcp(address))
      try bench.run { bench.transport.openConnections == 1 }
      // proc(5), net/tcp: 2 in the timer column is keepalive, 1 a pending retransmission.
      let table = String(decoding: try FileSystem.read("/proc/net/tcp", limit: 1 << 26), as: UTF8.self)
      let port = String(address.port, radix: 16, uppercase: true)
      let padded = String(repeating: "0", count: 4 - port.count) + port
      let all = table.split(separator: "\n").map { $0.split(separator: " ") }.filter { $0.count > 5 }
      // Clients of other tests, in this process too, may be connected from this very port to their own listeners. They
      // have no keepalive, so a row that has it is ours.
      let own = ownSockets()
      let rows = all.filter {
        $0.count > 9 && $0[1].hasSuffix(":\(padded)") && $0[3] == "01" && own.contains(String($0[9]))
      }
      let kept = rows.filter { $0[5].hasPrefix("02:") || $0[5].hasPrefix("01:") }
      #expect(kept.count >= 1)
      channel.close()
      try bench.shutDown()
    }
  }

  @Test("more connections than descriptors are refused at the start, naming the limit to raise")
  func descriptors() throws {
    try withLoop { loop in
      let directory = try TemporaryDirectory()
      var configuration = TransportConfiguration()
      configuration.socketPath = directory.socket
      configuration.maximumConnections = 1 << 40
      let expected = TransportError.tooFewDescriptors(connections: 1 << 40, needed: 1 << 40 + 64)
      #expect(throws: expected) { try Transport(loop: loop, configuration: configuration, registry: ServiceRegistry()) }
      #expect(expected.description.contains("ulimit -Hn"))
      #expect(loop.openHandles == 0)
    }
  }
}

/// The inodes of this process's sockets (proc(5), fd).
private func ownSockets() -> Set<String> {
  var inodes: Set<String> = []
  for descriptor in 0..<Int32(4_096) {
    var target = [CChar](repeating: 0, count: 64)
    let length = unsafe readlink("/proc/self/fd/\(descriptor)", &target, target.count)
    let words = String(decoding: target.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if words.hasPrefix("socket:[") { inodes.insert(String(words.dropFirst(8).dropLast())) }
  }
  return inodes
}

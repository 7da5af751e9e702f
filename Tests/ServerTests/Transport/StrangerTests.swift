import ClientTransport
import RPC
import Services
@testable import Server
import TestSupport
import Testing
import UV

private typealias Code = RawHTTP2.ErrorCode

@Suite("Somebody over TCP who shows no token", .timeLimit(.minutes(1)))
struct StrangerTests {
  private func token(_ bench: TransportBench) throws -> String {
    String(decoding: try FileSystem.read(bench.directory.token, limit: 1000).dropLast(), as: UTF8.self)
  }

  private func stranger(_ bench: TransportBench) throws -> RawPeer {
    let peer = try RawPeer(bench, to: SocketKind.tcp.endpoint(bench), sending: RawHTTP2.preface)
    try bench.run { !peer.frames.of(.settings).isEmpty || peer.hasEnded }
    return peer
  }

  @Test("has a quarter of the places, and keeps neither the Unix socket's owner out nor who has a token")
  func share() throws {
    try withLoop { loop in
      let bench = try TransportBench(loop, tcp: true) { $0.maximumConnections = 8 }
      let strangers = try (0..<20).map { _ in try stranger(bench) }
      try bench.run { strangers.count(where: \.hasEnded) == 18 }
      #expect(bench.transport.openConnections == 2)
      #expect(strangers.dropLast(2).allSatisfy { $0.frames.goAways == [Code.enhanceYourCalm] }, "each is told why")
      let words = strangers.first?.frames.of(.goAway).first?.payload.dropFirst(8) ?? []
      #expect(String(decoding: words, as: UTF8.self).contains("no token"))
      #expect(bench.log == ["a connection was closed: 2 that have shown no token are open, and no more are allowed"])

      let owner = try bench.connect()
      #expect(try bench.unary(owner, Call.empty) == .success([]))
      // Each shows its token at once, and so takes none of the strangers' places.
      let shown = try token(bench)
      let holders = try (0..<4).map { _ in
        let holder = try bench.connect(try SocketKind.tcp.endpoint(bench), token: shown)
        #expect(try bench.unary(holder, Call.empty) == .success([]))
        return holder
      }
      _ = try (0..<5).map { _ in try stranger(bench) }
      #expect(([owner] + holders).allSatisfy { $0.isOpen })
      #expect(bench.log.count == 1)
      try bench.shutDown()
      let more =
        "22 more connections were closed in \(Duration.seconds(10)): 2 that have shown no token are open, and no more are allowed"
      #expect(bench.log.dropFirst() == [more])
    }
  }

  @Test("who has a token has no place that is kept for the Unix socket, and is told so")
  func reserved() throws {
    try withLoop { loop in
      let bench = try TransportBench(loop, tcp: true) { $0.maximumConnections = 4 }
      let shown = try token(bench)
      let holders = try (0..<3).map { _ in
        let holder = try bench.connect(try SocketKind.tcp.endpoint(bench), token: shown)
        #expect(try bench.unary(holder, Call.empty) == .success([]))
        return holder
      }
      let refused = try stranger(bench)
      try bench.run { refused.hasEnded }
      #expect(refused.frames.goAways == [Code.enhanceYourCalm])
      #expect(holders.allSatisfy { $0.isOpen })
      let owner = try bench.connect()
      #expect(try bench.unary(owner, Call.empty) == .success([]))
      try bench.shutDown()
    }
  }

  @Test("is sent away in good order when its time is over, whatever it called in vain; who has shown a token stays")
  func late() throws {
    try withLoop { loop in
      let bench = try TransportBench(loop, tcp: true) { $0.strangerTimeout = .milliseconds(50) }
      let holder = try bench.connect(try SocketKind.tcp.endpoint(bench), token: try token(bench))
      #expect(try bench.unary(holder, Call.empty) == .success([]))
      let open = OpenService()
      bench.registry.register(open)
      let watching = try RawPeer(
        bench, to: SocketKind.tcp.endpoint(bench),
        sending: RawHTTP2.preface + RawHTTP2.open(1, [(":path", OpenService.watch)]))
      try bench.run { open.call != nil }
      let silent = try stranger(bench)
      // The call is refused, and its stream left open.
      let refused = try RawPeer(
        bench, to: SocketKind.tcp.endpoint(bench), sending: RawHTTP2.preface + RawHTTP2.open(1, [(":path", Call.empty)])
      )
      try bench.run { silent.hasEnded && refused.hasEnded }
      #expect(silent.frames.goAways.allSatisfy { $0 == Code.none } && !silent.frames.goAways.isEmpty)
      #expect(
        bench.transport.openConnections == 2 && !watching.hasEnded,
        "a call that may be made signed out keeps its connection")
      open.call?.finish(.ok)
      try bench.run { watching.hasEnded }
      #expect(try bench.unary(holder, Call.empty) == .success([]))
      try bench.shutDown()
    }
  }

  @Test("refusals are told once in a while with their number, and never more often")
  func log() throws {
    try withLoop { loop in
      let bench = try TransportBench(loop, tcp: true) {
        $0.maximumConnections = 4
        $0.refusalInterval = .milliseconds(50)
      }
      for _ in 0..<4 { _ = try stranger(bench) }
      #expect(bench.log.count == 1)
      let timer = try Timer(loop: loop) {}
      timer.arm(after: .seconds(10))
      try bench.run { bench.log.count == 2 }
      #expect(bench.log[1].hasPrefix("2 more connections were closed in "))
      timer.close()
      try bench.shutDown()
    }
  }
}

/// A service that takes somebody who is signed out.
private final class OpenService: Service {
  static let name = "test.Open"
  static let watch = "/test.Open/Watch"
  private(set) var call: ServerCall?

  var methods: [String: ServiceMethod] { [Self.watch: .streaming(.viewOrSignedOut) { [unowned self] in call = $0 }] }
}

@Suite("Places of connections")
struct ConnectionPlacesTests {
  @Test(
    "a quarter is the Unix socket's, a quarter at most is strangers'",
    arguments: [
      (1, true, 1, 1), (2, true, 1, 1), (4, true, 3, 1), (8, true, 6, 2), (1024, true, 768, 256),
      (100_000, true, 75_000, 256),
      (1024, false, 1024, 256),
    ])
  func table(all: Int, hasUnixSocket: Bool, overTCP: Int, strangers: Int) {
    let places = ConnectionPlaces(all: all, hasUnixSocket: hasUnixSocket)
    #expect((places.all, places.overTCP, places.strangers) == (all, overTCP, strangers))
  }
}

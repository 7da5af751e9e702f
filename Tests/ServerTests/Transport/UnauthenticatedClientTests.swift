import ClientTransport
import RPC
import Services
@testable import Server
import TestSupport
import Testing
import UV

private typealias Code = RawHTTP2.ErrorCode

@Suite("Unauthenticated connections over TCP", .timeLimit(.minutes(1)))
struct UnauthenticatedClientTests {
  private func token(_ bench: TransportBench) throws -> String {
    String(decoding: try FileSystem.read(bench.directory.token, limit: 1000).dropLast(), as: UTF8.self)
  }

  private func unauthenticatedPeer(_ bench: TransportBench) throws -> RawPeer {
    let peer = try RawPeer(bench, to: SocketKind.tcp.endpoint(bench), sending: RawHTTP2.preface)
    try bench.run { !peer.frames.of(.settings).isEmpty || peer.hasEnded }
    return peer
  }

  @Test("they get a quarter of the places, and keep out neither the socket's owner nor clients with a token")
  func share() throws {
    try withLoop { loop in
      let bench = try TransportBench(loop, tcp: true) { $0.maximumConnections = 8 }
      let unauthenticated = try (0..<20).map { _ in try unauthenticatedPeer(bench) }
      try bench.run { unauthenticated.count(where: \.hasEnded) == 18 }
      #expect(bench.transport.openConnections == 2)
      #expect(
        unauthenticated.dropLast(2).allSatisfy { $0.frames.goAways == [Code.enhanceYourCalm] }, "each gets the reason")
      let reason = unauthenticated.first?.frames.of(.goAway).first?.payload.dropFirst(8) ?? []
      #expect(String(decoding: reason, as: UTF8.self).contains("no token"))
      #expect(bench.log == ["a connection was refused: the limit of 2 connections without a token is reached"])

      let owner = try bench.connect()
      #expect(try bench.unary(owner, Call.empty) == .success([]))
      // Each sends its token at once, and so takes none of the unauthenticated places.
      let shown = try token(bench)
      let holders = try (0..<4).map { _ in
        let holder = try bench.connect(try SocketKind.tcp.endpoint(bench), token: shown)
        #expect(try bench.unary(holder, Call.empty) == .success([]))
        return holder
      }
      _ = try (0..<5).map { _ in try unauthenticatedPeer(bench) }
      #expect(([owner] + holders).allSatisfy { $0.isOpen })
      #expect(bench.log.count == 1)
      try bench.shutDown()
      let more =
        "22 more connections were refused in \(Duration.seconds(10)): the limit of 2 connections without a token is reached"
      #expect(bench.log.dropFirst() == [more])
    }
  }

  @Test("clients with a token get none of the places reserved for the Unix socket, and are refused with the reason")
  func reserved() throws {
    try withLoop { loop in
      let bench = try TransportBench(loop, tcp: true) { $0.maximumConnections = 4 }
      let shown = try token(bench)
      let holders = try (0..<3).map { _ in
        let holder = try bench.connect(try SocketKind.tcp.endpoint(bench), token: shown)
        #expect(try bench.unary(holder, Call.empty) == .success([]))
        return holder
      }
      let refused = try unauthenticatedPeer(bench)
      try bench.run { refused.hasEnded }
      #expect(refused.frames.goAways == [Code.enhanceYourCalm])
      #expect(holders.allSatisfy { $0.isOpen })
      let owner = try bench.connect()
      #expect(try bench.unary(owner, Call.empty) == .success([]))
      try bench.shutDown()
    }
  }

  @Test("they are closed cleanly when their time is over, even after refused calls; clients with a token stay")
  func late() throws {
    try withLoop { loop in
      let bench = try TransportBench(loop, tcp: true) { $0.unauthenticatedTimeout = .milliseconds(50) }
      let holder = try bench.connect(try SocketKind.tcp.endpoint(bench), token: try token(bench))
      #expect(try bench.unary(holder, Call.empty) == .success([]))
      let open = OpenService()
      bench.registry.register(open)
      let watching = try RawPeer(
        bench, to: SocketKind.tcp.endpoint(bench),
        sending: RawHTTP2.preface + RawHTTP2.open(1, [(":path", OpenService.watch)]))
      try bench.run { open.call != nil }
      let silent = try unauthenticatedPeer(bench)
      // The call is refused, and its stream left open.
      let refused = try RawPeer(
        bench, to: SocketKind.tcp.endpoint(bench), sending: RawHTTP2.preface + RawHTTP2.open(1, [(":path", Call.empty)])
      )
      try bench.run { silent.hasEnded && refused.hasEnded }
      #expect(silent.frames.goAways.allSatisfy { $0 == Code.none } && !silent.frames.goAways.isEmpty)
      #expect(
        bench.transport.openConnections == 2 && !watching.hasEnded,
        "a running call that needs no token keeps its connection")
      open.call?.finish(.ok)
      try bench.run { watching.hasEnded }
      #expect(try bench.unary(holder, Call.empty) == .success([]))
      try bench.shutDown()
    }
  }

  @Test("refusals are logged once per interval, with their number")
  func log() throws {
    try withLoop { loop in
      let bench = try TransportBench(loop, tcp: true) {
        $0.maximumConnections = 4
        $0.refusalInterval = .milliseconds(50)
      }
      for _ in 0..<4 { _ = try unauthenticatedPeer(bench) }
      #expect(bench.log.count == 1)
      let timer = try Timer(loop: loop) {}
      timer.arm(after: .seconds(10))
      try bench.run { bench.log.count == 2 }
      #expect(bench.log[1].hasPrefix("2 more connections were refused in "))
      timer.close()
      try bench.shutDown()
    }
  }
}

/// A service with a method for signed-out clients.
private final class OpenService: Service {
  static let name = "test.Open"
  static let watch = "/test.Open/Watch"
  private(set) var call: ServerCall?

  var methods: [String: ServiceMethod] { [Self.watch: .streaming(.viewOrSignedOut) { [unowned self] in call = $0 }] }
}

@Suite("Connection limits")
struct ConnectionPlacesTests {
  @Test(
    "a quarter is reserved for the Unix socket, and at most a quarter is for unauthenticated connections",
    arguments: [
      (1, true, 1, 1), (2, true, 1, 1), (4, true, 3, 1), (8, true, 6, 2), (1024, true, 768, 256),
      (100_000, true, 75_000, 256),
      (1024, false, 1024, 256),
    ])
  func table(all: Int, hasUnixSocket: Bool, overTCP: Int, unauthenticated: Int) {
    let places = ConnectionPlaces(all: all, hasUnixSocket: hasUnixSocket)
    #expect((places.all, places.overTCP, places.unauthenticated) == (all, overTCP, unauthenticated))
  }
}

import ClientTransport
import Glibc
import RPC
import Server
import Services
import Testing
import UV

@Suite("A Unix socket whose file is removed", .timeLimit(.minutes(1)))
struct LostSocketTests {
  private func holder(_ bench: TransportBench) throws -> String {
    String(decoding: try FileSystem.read(bench.directory.socket + ".lock", limit: 100), as: UTF8.self)
  }

  @Test(
    "is bound again, and open connections stay",
    arguments: ["the socket", "socket and lock", "the folder", "the lock"])
  func removed(what: String) throws {
    try withLoop { loop in
      let bench = try TransportBench(loop) { $0.socketDelay = .milliseconds(1) }
      let before = try bench.connect()
      #expect(try holder(bench) == "\(getpid())\n")
      let path = bench.directory.socket
      if what != "the lock" { try FileSystem.remove(path) }
      if what != "the socket" { try FileSystem.remove(path + ".lock") }
      if what == "the folder" { unsafe rmdir(bench.directory.path + "/run") }
      let timer = try Timer(loop: loop) {}
      timer.arm(after: .seconds(60))
      try bench.run { (try? FileSystem.status(of: path)) != nil && (try? FileSystem.status(of: path + ".lock")) != nil }
      timer.close()
      let after = try bench.connect()
      for channel in [before, after] { #expect(try bench.unary(channel, Call.empty) == .success([])) }
      #expect(bench.log == (what == "the lock" ? [] : ["the socket \(path) was removed; bound it again"]))
      #expect(try holder(bench) == "\(getpid())\n")
      #expect(try FileSystem.status(of: path).permissions == 0o600)
      // The next daemon finds the lock.
      var configuration = TransportConfiguration()
      configuration.socketPath = path
      #expect(throws: TransportError.alreadyRunning(path: path, process: getpid())) {
        try Transport(loop: loop, configuration: configuration, registry: ServiceRegistry())
      }
      try bench.shutDown()
      #expect(throws: UVError.noSuchFile) { try FileSystem.status(of: path) }
      #expect(try holder(bench) == "")
    }
  }

  @Test("is not bound over another file, which stays untouched")
  func inTheWay() throws {
    try withLoop { loop in
      let bench = try TransportBench(loop) {
        $0.socketDelay = .milliseconds(1)
        $0.socketInterval = .milliseconds(5)
      }
      let path = bench.directory.socket
      try FileSystem.remove(path)
      try FileSystem.create(path, mode: 0o600, contents: [1])
      let timer = try Timer(loop: loop) {}
      timer.arm(after: .seconds(60))
      try bench.run { !bench.log.isEmpty }
      for _ in 0..<5 { loop.run(.once) }
      #expect(bench.log.count == 1 && bench.log[0].contains("is not a socket"), "\(bench.log)")
      #expect(try FileSystem.read(path, limit: 1) == [1])
      try FileSystem.remove(path)
      try bench.run { bench.log.count == 2 }
      #expect(try bench.unary(try bench.connect(), Call.empty) == .success([]))
      try FileSystem.remove(path)
      try FileSystem.create(path, mode: 0o600, contents: [2])
      try bench.run { bench.log.count == 3 }
      timer.close()
      try bench.shutDown()
      #expect(try FileSystem.read(path, limit: 1) == [2], "nor removed at the end")
    }
  }

  @Test("is not bound again if another daemon has taken its place")
  func taken() throws {
    try withLoop { loop in
      let bench = try TransportBench(loop) { $0.socketDelay = .milliseconds(1) }
      let path = bench.directory.socket
      try FileSystem.remove(path)
      try FileSystem.remove(path + ".lock")
      var configuration = TransportConfiguration()
      configuration.socketPath = path
      let second = try Transport(loop: loop, configuration: configuration, registry: bench.registry)
      let timer = try Timer(loop: loop) {}
      timer.arm(after: .seconds(60))
      try bench.run { !bench.log.isEmpty }
      timer.close()
      #expect(bench.log[0].contains("another daemon (process \(getpid())) is already listening"))
      try bench.shutDown()
      #expect(try FileSystem.status(of: path).kind == .socket)
      #expect(try bench.unary(try bench.connect(), Call.empty) == .success([]))
      #expect(second.openConnections == 1)
      var isDown = false
      second.shutDown { isDown = true }
      try bench.run { isDown }
    }
  }
}

import Glibc
import Testing
import UV

@Suite("A listener", .timeLimit(.minutes(1)))
struct ListenerTests {
  @Test(
    "creates a socket with exactly the requested mode, and removes it on close",
    arguments: [0o600, 0o660] as [UInt32])
  func mode(mode: UInt32) throws {
    let directory = try TemporaryDirectory()
    try withLoop { loop in
      let path = directory.file("a")
      let listener = try Listener(loop: loop, .unix(path: path), mode: mode) { _ in }
      let status = try FileSystem.status(of: path)
      #expect(status.kind == .socket)
      #expect(status.permissions == mode)
      listener.close()
      loop.run()
      #expect(throws: UVError.noSuchFile) { try FileSystem.status(of: path) }
    }
  }

  @Test("refuses a path that is too long instead of listening somewhere else")
  func longPath() throws {
    try withLoop { loop in
      let path = "/tmp/" + String(repeating: "x", count: Endpoint.maximumPathBytes - 4)
      #expect(throws: UVError.nameTooLong) { try Listener(loop: loop, .unix(path: path)) { _ in } }
      #expect(loop.openHandles == 0)
    }
  }

  @Test("refuses an address that is taken", arguments: SocketKind.allCases)
  func taken(kind: SocketKind) throws {
    let directory = try TemporaryDirectory()
    try withLoop { loop in
      let (listener, endpoint) = try kind.listen(loop, in: directory) { _ in }
      #expect(throws: UVError.addressInUse) { try Listener(loop: loop, endpoint) { _ in } }
      listener.close()
    }
  }

  @Test("adopts a socket bound by another process")
  func inherited() throws {
    let directory = try TemporaryDirectory()
    try withLoop { loop in
      let path = directory.file("a")
      let descriptor = try boundSocket(at: path)
      var accepted = 0
      var listener: Listener?
      listener = try Listener(loop: loop, inherited: descriptor) { stream in
        accepted += 1
        stream.close()
        listener?.close()
      }
      try UV.Stream.connect(loop: loop, to: .unix(path: path)) { try? $0.get().close() }
      loop.run()
      #expect(accepted == 1)
      #expect(try FileSystem.status(of: path).kind == .socket)
    }
  }

  @Test("refuses to adopt a descriptor that is not a socket")
  func inheritedFile() throws {
    let directory = try TemporaryDirectory()
    try withLoop { loop in
      let descriptor = unsafe creat(directory.file("a"), 0o600)
      defer { Glibc.close(descriptor) }
      #expect(throws: UVError.invalidArgument) { try Listener(loop: loop, inherited: descriptor) { _ in } }
    }
  }
}

@Suite("A socket address")
struct SocketAddressTests {
  @Test(
    "is parsed as on a command line",
    arguments: [
      ("127.0.0.1:80", "127.0.0.1:80", true), ("127.8.9.1:1", "127.8.9.1:1", true),
      ("localhost:7825", "127.0.0.1:7825", true),
      ("[::1]:80", "[::1]:80", true), ("0.0.0.0:80", "0.0.0.0:80", false), ("[::]:80", "[::]:80", false),
      ("192.168.1.1:65535", "192.168.1.1:65535", false), ("[::ffff:127.0.0.1]:1", "[::ffff:127.0.0.1]:1", true),
      ("[::ffff:10.0.0.1]:1", "[::ffff:10.0.0.1]:1", false),
    ])
  func read(text: String, written: String, isLoopback: Bool) throws {
    let address = try #require(SocketAddress(text))
    #expect(address.description == written)
    #expect(address.isLoopback == isLoopback)
  }

  @Test(
    "is not parsed from anything else",
    arguments: [
      "", ":80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "::1:80", "example.com:80", "256.0.0.1:80",
      "127.0.0.1:-1",
    ])
  func refused(text: String) {
    #expect(SocketAddress(text) == nil)
  }
}

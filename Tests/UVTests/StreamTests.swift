import Glibc
import Testing
import UV

@Suite("A stream", .timeLimit(.minutes(1)))
struct StreamTests {
  @Test("echoes a megabyte, however much the kernel accepts at once", arguments: SocketKind.allCases)
  func echo(kind: SocketKind) throws {
    let directory = try TemporaryDirectory()
    try withLoop { loop in
      let sent = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      var received: [UInt8] = []
      var outcome: UV.Stream.WriteOutcome?
      var wasSent = false
      let (listener, endpoint) = try kind.listen(loop, in: directory) { stream in
        try? stream.startReading(
          onBytes: { bytes in _ = try? stream.write(bytes) }, onEnd: { _ in stream.close() })
      }
      try UV.Stream.connect(loop: loop, to: endpoint) { result in
        guard let stream = connected(result) else { return }
        try? stream.startReading(
          onBytes: { bytes in
            unsafe bytes.withUnsafeBytes { unsafe received.append(contentsOf: $0) }
            if received.count == sent.count {
              stream.close()
              listener.close()
            }
          }, onEnd: { _ in Issue.record("the stream ended after \(received.count) bytes") })
        outcome = unsafe try? stream.write(sent.span.bytes) { error in wasSent = error == nil }
        #expect(stream.isWriting == (outcome == .queued))
      }
      loop.run()
      #expect(received == sent)
      #expect(outcome == .sent || wasSent)
    }
  }

  @Test("reports the end once, without an error", arguments: SocketKind.allCases)
  func end(kind: SocketKind) throws {
    let directory = try TemporaryDirectory()
    try withLoop { loop in
      var ends: [UVError?] = []
      let (listener, endpoint) = try kind.listen(loop, in: directory) { $0.close() }
      try UV.Stream.connect(loop: loop, to: endpoint) { result in
        guard let stream = connected(result) else { return }
        try? stream.startReading(
          onBytes: { _ in Issue.record("bytes arrived") },
          onEnd: { error in
            ends.append(error)
            stream.close()
            listener.close()
          })
      }
      loop.run()
      #expect(ends == [nil])
    }
  }

  @Test("ends a write that was waiting when it is closed")
  func closedWhileWriting() throws {
    let directory = try TemporaryDirectory()
    try withLoop { loop in
      var accepted: UV.Stream?
      var ends: [UVError?] = []
      let (listener, endpoint) = try SocketKind.unix.listen(loop, in: directory) { accepted = $0 }
      try UV.Stream.connect(loop: loop, to: endpoint) { result in
        guard let stream = connected(result) else { return }
        let bytes = [UInt8](repeating: 7, count: 8 << 20)
        let outcome = unsafe try? stream.write(bytes.span.bytes) { ends.append($0) }
        #expect(outcome == .queued)
        stream.close()
        listener.close()
        accepted?.close()
      }
      loop.run()
      #expect(ends == [.cancelled])
    }
  }

  @Test("knows its peer's user over a Unix socket, but not over TCP", arguments: SocketKind.allCases)
  func credentials(kind: SocketKind) throws {
    let directory = try TemporaryDirectory()
    try withLoop { loop in
      var peer: Result<PeerCredentials, UVError>?
      var listener: Listener?
      let (opened, endpoint) = try kind.listen(loop, in: directory) { stream in
        do throws(UVError) { peer = .success(try stream.peerCredentials()) } catch { peer = .failure(error) }
        stream.close()
        listener?.close()
      }
      listener = opened
      try UV.Stream.connect(loop: loop, to: endpoint) { try? $0.get().close() }
      loop.run()
      switch kind {
      case .unix:
        let credentials = try #require(try peer?.get())
        #expect(credentials.processID == getpid())
        #expect(credentials.userID == geteuid())
        #expect(credentials.groupID == getegid())
      case .tcp: #expect(peer == .failure(.invalidArgument))
      }
    }
  }

  @Test("reports the reason for a failed connection")
  func connectErrors() throws {
    let directory = try TemporaryDirectory()
    try withLoop { loop in
      var errors: [String: UVError] = [:]
      func attempt(_ name: String, _ endpoint: Endpoint) {
        do throws(UVError) {
          try UV.Stream.connect(loop: loop, to: endpoint) { if case .failure(let error) = $0 { errors[name] = error } }
        } catch {
          errors[name] = error
        }
      }
      let left = directory.file("b")
      try leaveSocket(at: left)
      attempt("missing", .unix(path: directory.file("c")))
      attempt("left behind", .unix(path: left))
      attempt("long", .unix(path: "/" + String(repeating: "x", count: 107)))
      loop.run()
      #expect(errors == ["missing": .noSuchFile, "left behind": .connectionRefused, "long": .nameTooLong])
    }
  }

  /// Leaves a socket file without a listener, as a killed process does.
  private func leaveSocket(at path: String) throws {
    let descriptor = try boundSocket(at: path)
    Glibc.close(descriptor)
  }
}

/// Returns the stream of a connection that must succeed.
private func connected(_ result: Result<UV.Stream, UVError>) -> UV.Stream? {
  switch result {
  case .success(let stream): return stream
  case .failure(let error):
    Issue.record("\(error)")
    return nil
  }
}

/// Returns a Unix socket that is bound but does not listen.
func boundSocket(at path: String) throws -> Int32 {
  let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
  let status = unsafe withUnsafePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
  try #require(status == 0)
  return descriptor
}

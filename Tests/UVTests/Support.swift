import Glibc
import Testing
import UV

/// A directory of mode 0700 that is removed with its owner.
final class TemporaryDirectory {
  let path: String

  init() throws {
    var template = Array("/tmp/stack-uv-XXXXXX".utf8CString)
    let isMade = unsafe template.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe mkdtemp($0) != nil } ?? false
    }
    try #require(isMade)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in ["a", "b", "c", "a.lock"] { unsafe unlink("\(path)/\(name)") }
    unsafe rmdir(path)
  }

  /// Returns the path of a file in the directory; only names that `deinit` removes.
  func file(_ name: String) -> String { "\(path)/\(name)" }
}

/// Runs a test on a loop and checks that nothing is left: closing a loop fails unless every handle has been closed.
func withLoop(_ body: (Loop) throws -> Void) throws {
  let loop = try Loop()
  do {
    try body(loop)
  } catch {
    try loop.close()
    throw error
  }
  try loop.close()
}

/// Both kinds of socket.
enum SocketKind: CaseIterable, CustomTestStringConvertible {
  case unix
  case tcp

  var testDescription: String { self == .unix ? "Unix socket" : "TCP" }

  /// Starts to listen, and returns the endpoint.
  func listen(
    _ loop: Loop, in directory: TemporaryDirectory, _ onConnection: @escaping (UV.Stream) -> Void
  ) throws -> (Listener, Endpoint) {
    switch self {
    case .unix:
      let endpoint = Endpoint.unix(path: directory.file("a"))
      return (try Listener(loop: loop, endpoint, onConnection: onConnection), endpoint)
    case .tcp:
      let any = try #require(SocketAddress(host: "127.0.0.1", port: 0))
      let listener = try Listener(loop: loop, .tcp(any), onConnection: onConnection)
      return (listener, .tcp(try #require(listener.localAddress)))
    }
  }
}

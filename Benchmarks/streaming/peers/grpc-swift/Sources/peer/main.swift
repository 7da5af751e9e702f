// The grpc-swift-2 peer of the streaming benchmarks: sends every published message to every watcher.
//
//   grpc-swift-peer unix:PATH|tcp:PORT
//
// /bench.Fanout/Watch is a stream, /bench.Fanout/Publish is unary. Messages are bytes, without an encoding.
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import Glibc
import Synchronization

/// Passes bytes through in both directions.
struct Bytes: MessageSerializer, MessageDeserializer {
  func serialize<Out: GRPCContiguousBytes>(_ message: [UInt8]) throws -> Out { Out(message) }
  func deserialize<In: GRPCContiguousBytes>(_ bytes: In) throws -> [UInt8] { bytes.withUnsafeBytes { Array($0) } }
}

/// The watchers.
final class Hub: Sendable {
  private struct State {
    var nextNumber = 0
    var watchers: [Int: AsyncStream<[UInt8]>.Continuation] = [:]
  }
  private let state = Mutex(State())

  func add() -> (number: Int, messages: AsyncStream<[UInt8]>) {
    let (messages, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    let number = state.withLock {
      $0.nextNumber += 1
      $0.watchers[$0.nextNumber] = continuation
      return $0.nextNumber
    }
    return (number, messages)
  }

  func remove(_ number: Int) { state.withLock { $0.watchers.removeValue(forKey: number) }?.finish() }

  func publish(_ message: [UInt8]) {
    state.withLock { state in
      for watcher in state.watchers.values { watcher.yield(message) }
    }
  }
}

/// The service with its two methods.
struct Fanout: RegistrableRPCService {
  let hub = Hub()

  func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
    router.registerHandler(
      forMethod: MethodDescriptor(fullyQualifiedService: "bench.Fanout", method: "Publish"), deserializer: Bytes(),
      serializer: Bytes()
    ) { request, _ in
      hub.publish(try await ServerRequest(stream: request).message)
      return StreamingServerResponse(single: ServerResponse(message: []))
    }
    router.registerHandler(
      forMethod: MethodDescriptor(fullyQualifiedService: "bench.Fanout", method: "Watch"), deserializer: Bytes(),
      serializer: Bytes()
    ) { request, _ in
      _ = try await ServerRequest(stream: request)
      let (number, messages) = hub.add()
      return StreamingServerResponse(metadata: [:]) { writer in
        defer { hub.remove(number) }
        try await withRPCCancellationHandler {
          for await message in messages { try await writer.write(message) }
        } onCancelRPC: {
          hub.remove(number)
        }
        return [:]
      }
    }
  }
}

let words =
  CommandLine.arguments.dropFirst().first.map { $0.split(separator: ":", maxSplits: 1).map(String.init) } ?? []
guard words.count == 2, words[0] == "unix" || Int(words[1]) != nil else {
  fatalError("Usage: grpc-swift-peer unix:PATH|tcp:PORT")
}
signal(SIGPIPE, SIG_IGN)
let server = GRPCServer(
  transport: .http2NIOPosix(
    address: words[0] == "unix" ? .unixDomainSocket(path: words[1]) : .ipv4(host: "127.0.0.1", port: Int(words[1])!),
    transportSecurity: .plaintext),
  services: [Fanout()])
try await withThrowingTaskGroup(of: Void.self) { group in
  group.addTask { try await server.serve() }
  _ = try await server.listeningAddress
  _ = "ready\n".withCString { write(STDOUT_FILENO, $0, 6) }
  try await group.waitForAll()
}

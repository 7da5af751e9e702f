internal import Messages
internal import Posts
internal import RPC

/// `grpc.reflection.v1.ServerReflection`: lists the services and serves the schema.
///
/// Responses are built when they can be sent, so a call holds only requests and at most one response.
public final class ReflectionService: Service {
  /// The full name, as in the schema.
  public static let name = "grpc.reflection.v1.ServerReflection"

  /// Maximum number of unanswered requests of one call; one more ends it with RESOURCE_EXHAUSTED.
  public static let waitingLimit = 64

  private let services: () -> [String]
  private let schema = ProtoSchema.current

  /// - Parameter services: returns the full names of all registered services, sorted; called for each request.
  public init(services: @escaping () -> [String]) { self.services = services }

  /// `ServerReflectionInfo`.
  public var methods: [String: ServiceMethod] {
    ["/\(Self.name)/ServerReflectionInfo": .streaming { [unowned self] call in begin(call) }]
  }

  private func begin(_ call: ServerCall) {
    var waiting: [ReflectionRequest] = []
    var hasAll = false
    call.onMessage = { call, bytes in
      guard waiting.count < Self.waitingLimit else {
        return call.finish(
          Status(.resourceExhausted, "\(Self.waitingLimit) requests are unanswered; read their responses first"))
      }
      do throws(DecodingFailure) {
        waiting.append(try ReflectionRequest(decoding: bytes))
      } catch {
        return call.finish(Status(.invalidArgument, error.reason))
      }
      call.wake()
    }
    call.onHalfClose = { call in
      hasAll = true
      call.wake()
    }
    call.onReadyToSend = { [weak self] _ in
      guard let self, !waiting.isEmpty else { return hasAll ? .finish(.ok, trailers: Metadata()) : .wait }
      let request = waiting.removeFirst()
      return .message(ReflectionResponse(to: request, answer(request.question)).encoded())
    }
  }

  private func answer(_ question: ReflectionRequest.Question) -> ReflectionResponse.Answer {
    switch question {
    case .services: .services(services())
    case .file(let name): files(schema.file(named: name), or: "there is no file \(name.shortened)")
    case .fileDeclaring(let symbol):
      files(schema.file(declaring: symbol), or: "there is no symbol \(symbol.shortened)")
    case .fileOfExtension(let type, let number):
      Self.notFound("\(type.shortened) has no extension \(number): the schema has no extensions")
    case .extensionNumbers(let type):
      schema.hasMessage(type)
        ? .extensionNumbers(type: type, numbers: []) : Self.notFound("there is no message \(type.shortened)")
    }
  }

  private func files(_ file: ProtoSchema.File?, or message: String) -> ReflectionResponse.Answer {
    file.map { .files(schema.closure(of: $0).map(\.descriptor)) } ?? Self.notFound(message)
  }

  private static func notFound(_ message: String) -> ReflectionResponse.Answer {
    .failure(code: Int32(StatusCode.notFound.rawValue), message: message)
  }
}

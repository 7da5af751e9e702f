internal import RPC
public import Services
public import UV

/// `grpc.testing.TestService`, which responds as each request asks: the server's side of gRPC's interoperability tests.
///
/// Only for tests: its callers decide how much it sends.
public final class TestService: Service {
  /// The name in the schema.
  public static let name = "grpc.testing.TestService"

  /// Maximum bytes of one request or response; the large tests use 271,828 and 314,159.
  static let messageLimitBytes = 4 << 20

  private let loop: Loop

  /// A service whose pauses are timed by `loop`.
  public init(loop: Loop) { self.loop = loop }

  /// One method of each shape.
  public var methods: [String: ServiceMethod] {
    var methods = plainMethods
    for path in methods.keys { methods[path]?.keepsMetadata = true }
    return methods
  }

  private var plainMethods: [String: ServiceMethod] {
    let limit = TestService.messageLimitBytes
    let prefix = "/\(TestService.name)/"
    return [
      prefix + "EmptyCall": .oneRequest { call, _ in
        TestService.echoMetadata(call)
        call.finish(message: [], trailers: TestService.trailers(call))
      },
      prefix + "UnaryCall": .oneRequest(messageLimitBytes: limit) { call, request in TestService.unary(call, request) },
      prefix + "StreamingOutputCall": .oneRequest(messageLimitBytes: limit) { [loop] call, request in
        TestService.echoMetadata(call)
        let responder = StreamResponder(loop: loop, call: call)
        responder.add(request)
        responder.endAfterLast()
      },
      prefix + "StreamingInputCall": .streaming(messageLimitBytes: limit) { call in TestService.streamingInput(call) },
      prefix + "FullDuplexCall": .streaming(messageLimitBytes: limit) { [loop] call in
        TestService.echoMetadata(call)
        let responder = StreamResponder(loop: loop, call: call)
        call.onMessage = { _, request in responder.add(request) }
        call.onHalfClose = { _ in responder.endAfterLast() }
      },
      prefix + "HalfDuplexCall": .streaming(messageLimitBytes: limit) { [loop] call in
        TestService.echoMetadata(call)
        let responder = StreamResponder(loop: loop, call: call, startsAtEnd: true)
        call.onMessage = { _, request in responder.add(request) }
        call.onHalfClose = { _ in responder.endAfterLast() }
      },
    ]
  }

  private static func unary(_ call: ServerCall, _ bytes: [UInt8]) {
    guard let request = TestMessages.SimpleRequest(decoding: bytes) else { return call.finish(undecodable) }
    guard !request.asksForCompression else {
      return call.finish(Status(.unimplemented, "this server does not compress"))
    }
    guard (0...messageLimitBytes).contains(request.responseSize) else { return call.finish(badSize) }
    echoMetadata(call)
    if let status = request.responseStatus, status.code != 0 {
      return call.finish(Status(StatusCode(rawValue: status.code), status.message), trailers: trailers(call))
    }
    call.finish(message: TestMessages.response(payloadSize: request.responseSize), trailers: trailers(call))
  }

  private static func streamingInput(_ call: ServerCall) {
    var total = 0
    echoMetadata(call)
    call.onMessage = { call, bytes in
      guard let size = TestMessages.inputPayloadSize(bytes) else {
        return call.finish(undecodable)
      }
      total += size
    }
    call.onHalfClose = { call in
      call.finish(message: TestMessages.inputResponse(aggregatedPayloadSize: total), trailers: trailers(call))
    }
  }

  /// The status for bytes that are not the method's request message.
  static let undecodable = Status(.invalidArgument, "the request is not a message of this method's type")

  /// The status for a response size that is negative or too large.
  static let badSize = Status(.invalidArgument, "a response must have 0 to \(messageLimitBytes) bytes")

  /// Sends the headers, with the one entry that the tests expect back in them.
  private static func echoMetadata(_ call: ServerCall) {
    let name = "x-grpc-test-echo-initial"
    var echo = Metadata()
    if let text = call.metadata.text(name) {
      // It arrived in a header, so it fits in one.
      try? echo.add(name, text)
    }
    if !echo.entries.isEmpty { call.sendInitialMetadata(echo) }
  }

  /// Returns the one entry that the tests expect back in the trailers.
  static func trailers(_ call: ServerCall) -> Metadata {
    let name = "x-grpc-test-echo-trailing-bin"
    var echo = Metadata()
    for entry in call.metadata.entries where entry.name == name {
      // It arrived under this name, so it is valid under it.
      if case .binary(let bytes) = entry.value { try? echo.add(name, binary: bytes) }
    }
    return echo
  }
}

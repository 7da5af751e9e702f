import ClientTransport
import Messages
import RPC
import Server
import Services
import Testing
import UV

@Suite("Reflection", .timeLimit(.minutes(1)))
struct ReflectionTests {
  private let path = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"

  /// Sends the requests in one call, and returns the responses once it has ended with OK.
  private func ask(_ bench: TransportBench, _ path: String, _ questions: [ReflectionRequest]) throws
    -> [ReflectionResponse]
  {
    let channel = try bench.connect()
    var answers: [ReflectionResponse] = []
    var end: Status?
    let call = try channel.start(path)
    call.onMessage = { _, bytes in if let answer = try? ReflectionResponse(decoding: bytes) { answers.append(answer) } }
    call.onEnd = { _, status, _ in end = status }
    for question in questions { try call.send(question.encoded()) }
    call.closeSend()
    try bench.run { end != nil }
    channel.close()
    if let end, !end.isOK { throw end }
    return answers
  }

  @Test("answers every request in order")
  func answers() throws {
    try withLoop { loop in
      let bench = try TransportBench(loop)
      let questions: [ReflectionRequest.Question] = [
        .services("*"), .file(named: "stack/v1/frames.proto"),
        .fileDeclaring(symbol: "stack.v1.Operation"),
        .fileOfExtension(of: "stack.v1.Ack", number: 100), .extensionNumbers(of: "stack.v1.Ack"),
        .extensionNumbers(of: "no.Message"), .file(named: "no.proto"), .fileDeclaring(symbol: "no.Symbol"),
      ]
      let requests = questions.map { ReflectionRequest($0, host: "localhost") }
      let answers = try ask(bench, path, requests)
      #expect(answers.map(\.request) == requests)
      let schema = ProtoSchema.current
      let frames = schema.closure(of: try #require(schema.file(named: "stack/v1/frames.proto"))).map(\.descriptor)
      #expect(frames.count == 2)
      let expected: [ReflectionResponse.Answer] = [
        .services([
          "grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection", "grpc.testing.TestService",
        ]),
        .files(frames), .files(frames),
        .failure(code: 5, message: "stack.v1.Ack has no extension 100: the schema has no extensions"),
        .extensionNumbers(type: "stack.v1.Ack", numbers: []),
        .failure(code: 5, message: "there is no message no.Message"),
        .failure(code: 5, message: "there is no file no.proto"),
        .failure(code: 5, message: "there is no symbol no.Symbol"),
      ]
      #expect(answers.map(\.answer) == expected)
      try bench.shutDown()
    }
  }

  @Test("ends a call with an empty request, or too many at once")
  func refusals() throws {
    try withLoop { loop in
      let bench = try TransportBench(loop)
      let many = [ReflectionRequest](repeating: ReflectionRequest(.services("")), count: 200)
      let limit = Status(.resourceExhausted, "64 requests are unanswered; read their responses first")
      #expect(try refusal { try ask(bench, path, many) } == limit)
      let channel = try bench.connect()
      let nothing = Status(.invalidArgument, "the reflection request is empty: message_request is not set")
      #expect(try refusal { try bench.unary(channel, path, []).get() } == nothing)
      channel.close()
      try bench.shutDown()
    }
  }
}

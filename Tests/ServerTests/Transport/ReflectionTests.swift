import ClientTransport
import Messages
import RPC
import Server
import Services
import Testing
import UV

@Suite("Reflection", .timeLimit(.minutes(1)))
struct ReflectionTests {
  static let paths = ["v1", "v1alpha"].map { "/grpc.reflection.\($0).ServerReflection/ServerReflectionInfo" }

  /// Asks in one call, and returns the answers once it has ended well.
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

  @Test("answers every question in order, under both names", arguments: paths)
  func answers(path: String) throws {
    try withLoop { loop in
      let bench = try TransportBench(loop)
      let questions: [ReflectionRequest.Question] = [
        .services("*"), .file(named: "grpc/testing/test.proto"),
        .fileDeclaring(symbol: "grpc.testing.TestService.EmptyCall"),
        .fileOfExtension(of: "grpc.testing.Empty", number: 100), .extensionNumbers(of: "grpc.testing.Empty"),
        .extensionNumbers(of: "no.Message"), .file(named: "no.proto"), .fileDeclaring(symbol: "no.Symbol"),
      ]
      let requests = questions.map { ReflectionRequest($0, host: "localhost") }
      let answers = try ask(bench, path, requests)
      #expect(answers.map(\.request) == requests)
      let test = try #require(SchemaFile(named: "grpc/testing/test.proto")).closure.map(\.descriptor)
      #expect(test.count == 3)
      let expected: [ReflectionResponse.Answer] = [
        .services([
          "grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection",
          "grpc.testing.TestService",
        ]),
        .files(test), .files(test),
        .failure(code: 5, message: "grpc.testing.Empty has no extension 100: there are no extensions"),
        .extensionNumbers(type: "grpc.testing.Empty", numbers: []),
        .failure(code: 5, message: "there is no message no.Message"),
        .failure(code: 5, message: "there is no file no.proto"),
        .failure(code: 5, message: "nothing is called no.Symbol"),
      ]
      #expect(answers.map(\.answer) == expected)
      try bench.shutDown()
    }
  }

  @Test("ends a call that asks nothing, or too much at once", arguments: paths)
  func refusals(path: String) throws {
    try withLoop { loop in
      let bench = try TransportBench(loop)
      let many = [ReflectionRequest](repeating: ReflectionRequest(.services("")), count: 200)
      let limit = Status(.resourceExhausted, "64 questions wait for their answers; read those first")
      #expect(try refusal { try ask(bench, path, many) } == limit)
      let channel = try bench.connect()
      let nothing = Status(.invalidArgument, "a reflection request asks nothing: message_request is not set")
      #expect(try refusal { try bench.unary(channel, path, []).get() } == nothing)
      channel.close()
      try bench.shutDown()
    }
  }
}

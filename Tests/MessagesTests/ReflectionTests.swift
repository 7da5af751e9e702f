import Testing

@testable import Messages

@Suite("The embedded schema")
struct SchemaTests {
  private let schema = ProtoSchema.current

  @Test("names files as imports do, each with its descriptor and its dependencies")
  func closure() throws {
    let frames = try #require(schema.file(named: "stack/v1/frames.proto"))
    #expect(schema.closure(of: frames).map(\.name) == ["stack/v1/frames.proto", "stack/v1/types.proto"])
    // FileDescriptorProto.name is field 1.
    #expect(frames.descriptor.starts(with: [0x0A, 21] + Array("stack/v1/frames.proto".utf8)))
    for file in schema.files {
      #expect(schema.file(named: file.name)?.descriptor == file.descriptor)
      let names = schema.closure(of: file).map(\.name)
      #expect(names.first == file.name && Set(names).count == names.count)
    }
    #expect(schema.file(named: "frames.proto") == nil)
  }

  @Test(
    "finds the file that declares a service, method, message or enum",
    arguments: [
      ("stack.v1.ViewService", "stack/v1/view_service.proto"),
      ("stack.v1.ViewService.Attach", "stack/v1/view_service.proto"),
      ("stack.v1.Row", "stack/v1/types.proto"),
      ("grpc.health.v1.HealthCheckResponse.ServingStatus", "grpc/health/v1/health.proto"),
      ("google.rpc.BadRequest.FieldViolation", "google/rpc/error_details.proto"),
      ("google.protobuf.Any", "google/protobuf/any.proto"),
      ("stack.v1", nil), ("stack.v1.Roww", nil), ("", nil), ("zzz", nil),
    ] as [(String, String?)])
  func symbols(symbol: String, file: String?) {
    #expect(schema.file(declaring: symbol)?.name == file)
  }

  @Test("distinguishes messages from other symbols")
  func kinds() {
    #expect(schema.hasMessage("stack.v1.Row"))
    #expect(!schema.hasMessage("stack.v1.ViewService") && !schema.hasMessage("stack.v1.RowKind"))
  }

  @Test("is empty for bytes that are not a descriptor set")
  func broken() { #expect(ProtoSchema(descriptorSet: [0xFF]).files.isEmpty) }
}

@Suite("Reflection messages")
struct ReflectionMessageTests {
  static let questions: [ReflectionRequest.Question] = [
    .file(named: "a.proto"), .fileDeclaring(symbol: "a.B"), .fileOfExtension(of: "a.B", number: -1),
    .extensionNumbers(of: "a.B"), .services("*"), .services(""),
  ]

  @Test("requests round-trip", arguments: questions)
  func requests(question: ReflectionRequest.Question) throws {
    let request = ReflectionRequest(question, host: "h")
    #expect(try ReflectionRequest(decoding: request.encoded()) == request)
  }

  @Test(
    "responses round-trip",
    arguments: [
      .files([]), .files([[1, 0, 2], []]), .extensionNumbers(type: "a.B", numbers: [1, 70_000]), .services(["a", "b"]),
      .failure(code: 5, message: "no"),
    ] as [ReflectionResponse.Answer])
  func responses(answer: ReflectionResponse.Answer) throws {
    for question in Self.questions {
      let response = ReflectionResponse(to: ReflectionRequest(question), answer)
      #expect(try ReflectionResponse(decoding: response.encoded()) == response)
    }
  }

  @Test("empty messages are refused")
  func nothing() {
    #expect(throws: DecodingFailure.self) { try ReflectionRequest(decoding: []) }
    #expect(throws: DecodingFailure.self) { try ReflectionRequest(decoding: [0x3A, 5]) }
    #expect(throws: DecodingFailure.self) { try ReflectionResponse(decoding: []) }
  }
}

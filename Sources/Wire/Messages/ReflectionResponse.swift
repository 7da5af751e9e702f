/// `ServerReflectionResponse`: the response to one question.
public struct ReflectionResponse: Hashable, DeclaredMessage {
  /// The kinds of answers.
  public enum Answer: Hashable, Sendable {
    /// Serialized file descriptors: the requested file, then everything it imports.
    case files([[UInt8]])
    /// The extensions of a message.
    case extensionNumbers(type: String, numbers: [Int32])
    /// The full names of the services.
    case services([String])
    /// Not found: a gRPC status code and a sentence.
    case failure(code: Int32, message: String)
  }
  /// The request it answers.
  public var request: ReflectionRequest
  public var answer: Answer

  public init(to request: ReflectionRequest, _ answer: Answer) {
    self.request = request
    self.answer = answer
  }

  static let schema = MessageSchema(fullNames: ["grpc.reflection.v1.ServerReflectionResponse"])

  init() { self.init(to: ReflectionRequest(), .services([])) }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &request.host)
    try fields.requiredMessage(2, &request)
    var answer = fields.isReading ? nil : Optional(answer)
    try fields.message(4, of: &answer) { (files: FilesResponse) in
      .files(files.descriptors)
    } _: {
      if case .files(let files) = $0 { FilesResponse(descriptors: files) } else { nil }
    }
    try fields.message(5, of: &answer) { (found: ExtensionNumbersResponse) in
      .extensionNumbers(type: found.type, numbers: found.numbers)
    } _: {
      guard case .extensionNumbers(let type, let numbers) = $0 else { return nil }
      return ExtensionNumbersResponse(type: type, numbers: numbers)
    }
    try fields.message(6, of: &answer) { (list: ServicesResponse) in
      .services(list.services.map(\.name))
    } _: {
      guard case .services(let names) = $0 else { return nil }
      return ServicesResponse(services: names.map(ServicesResponse.Service.init))
    }
    try fields.message(7, of: &answer) { (failure: FailureResponse) in
      .failure(code: failure.code, message: failure.message)
    } _: {
      if case .failure(let code, let text) = $0 { FailureResponse(code: code, message: text) } else { nil }
    }
    guard let answer else { throw DecodingFailure("the reflection response is empty") }
    self.answer = answer
  }
}

private struct FilesResponse: DeclaredMessage {
  var descriptors: [[UInt8]] = []

  static let schema = MessageSchema(fullNames: ["grpc.reflection.v1.FileDescriptorResponse"])

  mutating func walk(_ fields: inout WireFields) { fields.repeatedBytes(1, &descriptors) }
}

private struct ExtensionNumbersResponse: DeclaredMessage {
  var type = ""
  var numbers: [Int32] = []

  static let schema = MessageSchema(fullNames: ["grpc.reflection.v1.ExtensionNumberResponse"])

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &type)
    fields.signedNumbers(2, &numbers)
  }
}

private struct ServicesResponse: DeclaredMessage {
  struct Service: DeclaredMessage {
    var name = ""

    static let schema = MessageSchema(fullNames: ["grpc.reflection.v1.ServiceResponse"])

    mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.text(1, &name) }
  }

  var services: [Service] = []

  static let schema = MessageSchema(fullNames: ["grpc.reflection.v1.ListServiceResponse"])

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.messages(1, &services) }
}

private struct FailureResponse: DeclaredMessage {
  var code: Int32 = 0
  var message = ""

  static let schema = MessageSchema(fullNames: ["grpc.reflection.v1.ErrorResponse"])

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.signed(1, &code)
    try fields.text(2, &message)
  }
}
